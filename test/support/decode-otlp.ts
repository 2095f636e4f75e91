import { join } from "node:path"
import protobuf from "protobufjs"

type SpanMessage = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: Attributes
  readonly status?: { readonly code?: number; readonly message?: string }
  readonly events?: readonly {
    readonly name: string
    readonly attributes?: Attributes
  }[]
}
type Attributes = readonly {
  readonly key: string
  readonly value: { readonly stringValue: string }
}[]

const PROTOCOL = join(import.meta.dirname, "..", "fixtures", "otlp")

/**
 * The protocol as the project OpenTelemetry publishes it; test/fixtures/otlp/README.md has its
 * version.
 */
function readProtocol(): protobuf.Root {
  const root = new protobuf.Root()
  root.resolvePath = (_origin, target) => join(PROTOCOL, target)
  return root.loadSync("opentelemetry/proto/collector/trace/v1/trace_service.proto")
}

/**
 * Decodes the JSON of a trace request with the protocol's own message types. In JSON the ids are
 * hex, and the message types read bytes as base64. A field that the protocol does not have makes it
 * throw.
 */
export function decodeOtlp(body: string): readonly SpanMessage[] {
  const Request = readProtocol().lookupType(
    "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest",
  )
  const written = JSON.parse(body, (key, value: unknown) =>
    isId(key) ? recode(String(value), "hex", "base64") : value,
  )
  const message = Request.fromObject(written)
  const wrong = Request.verify(message)
  if (wrong !== null) throw new Error(wrong)
  const bytes = Request.encode(message).finish()
  const read = Request.toObject(Request.decode(bytes), { longs: String, bytes: String })
  const shown = JSON.parse(JSON.stringify(read), (key, value: unknown) =>
    isId(key) ? recode(String(value), "base64", "hex") : value,
  )
  if (canonical(shown) !== canonical(JSON.parse(body)))
    throw new Error(`the protocol has not all of these fields: ${body.slice(0, 2_000)}`)
  // CAST: the protocol's message.
  const { resourceSpans } = shown as { resourceSpans: { scopeSpans: { spans: SpanMessage[] }[] }[] }
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

function isId(key: string): boolean {
  return ["traceId", "spanId", "parentSpanId"].includes(key)
}

function recode(text: string, from: "hex" | "base64", to: "hex" | "base64"): string {
  return Buffer.from(text, from).toString(to)
}

/**
 * The text of a value with its keys in order, and without the values that the protocol does not
 * send.
 */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(
          Object.entries(item)
            .filter(isSent)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : item,
  )
}

function isSent([, value]: readonly [string, unknown]): boolean {
  return value !== 0 && value !== "" && !(Array.isArray(value) && value.length === 0)
}
