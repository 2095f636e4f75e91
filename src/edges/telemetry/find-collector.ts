import { Secret } from "#lib/secret.ts"
import { under } from "#nodes/address.ts"

/** `url`: where spans are posted. A user and a password in it become a header. */
export type Collector = {
  readonly url: Secret
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
  const url = otlp === null ? urlOf(env) : below(otlp.reveal())
  if (url === null || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return null
  const headers = {
    ...readHeaders(env[`${VARIABLE}_HEADERS`]),
    ...readHeaders(env[`${VARIABLE}_TRACES_HEADERS`]),
  }
  return { url: new Secret(url, otlp?.reference ?? `${VARIABLE}_ENDPOINT`), headers }
}

function urlOf(env: Environment): string | null {
  const traces = env[`${VARIABLE}_TRACES_ENDPOINT`] ?? ""
  const base = env[`${VARIABLE}_ENDPOINT`] ?? ""
  if (traces !== "") return traces
  return base === "" ? null : below(base)
}

function below(base: string): string {
  const found = under(base, "/v1/traces")
  return typeof found === "string" ? found : found.url
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
