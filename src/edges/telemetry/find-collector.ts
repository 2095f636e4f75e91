import { Secret } from "#lib/secret.ts"

/**
 * Where spans are posted: at `path` below `base`, in which a user and a password become a header.
 */
export type Collector = {
  readonly base: Secret
  readonly path: "" | "/v1/traces"
  readonly headers: Readonly<Record<string, string>>
}

type Environment = Readonly<Record<string, string | undefined>>

const VARIABLE = "OTEL_EXPORTER_OTLP"

/**
 * The collector of the configuration, else that of the variables that every program with
 * OpenTelemetry reads (opentelemetry.io, "OTLP Exporter Configuration"): those of `TRACES` come
 * first, and their endpoint has no path added. `null`: nothing says where, or it is no HTTP URL.
 */
export function findCollector(otlp: Secret | null, env: Environment): Collector | null {
  const headers = {
    ...readHeaders(env[`${VARIABLE}_HEADERS`]),
    ...readHeaders(env[`${VARIABLE}_TRACES_HEADERS`]),
  }
  if (otlp !== null) return { base: otlp, path: "/v1/traces", headers }
  const traces = env[`${VARIABLE}_TRACES_ENDPOINT`] ?? ""
  const url = traces === "" ? (env[`${VARIABLE}_ENDPOINT`] ?? "") : traces
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null
  const path = traces === "" ? "/v1/traces" : ""
  return { base: new Secret(url, `${VARIABLE}_ENDPOINT`), path, headers }
}

/** `key=value,key=value`, the values in percent-encoding. */
function readHeaders(text = ""): Record<string, string> {
  const pairs = text.split(",").flatMap((part): [string, string][] => {
    const at = part.indexOf("=")
    const name = part.slice(0, at).trim().toLowerCase()
    const value = decode(part.slice(at + 1).trim())
    return at > 0 && /^[\w-]+$/.test(name) && /^[ -~]*$/.test(value) ? [[name, value]] : []
  })
  return Object.fromEntries(pairs)
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // A value with a lone % was never encoded.
    return value
  }
}
