import type { Span } from "./describe-trace.ts"

/**
 * The body of an OTLP/HTTP request in JSON (opentelemetry.io/docs/specs/otlp). Written by hand: the
 * published serialiser takes the objects of a whole SDK, and these lines spare the process that
 * spends money six packages.
 */
export function formatOtlp(
  spans: readonly Span[],
  resource: Readonly<Record<string, string>>,
): string {
  const scope = { name: "ballast", version: resource["service.version"] ?? "" }
  const resourceSpans = [
    {
      resource: { attributes: formatAttributes(resource) },
      scopeSpans: [{ scope, spans: spans.map(formatSpan) }],
    },
  ]
  return JSON.stringify({ resourceSpans })
}

const INTERNAL = 1
const UNSET = 0
const ERROR = 2

function formatSpan({
  traceId,
  spanId,
  parentId,
  name,
  startMs,
  endMs,
  attributes,
  events,
  error,
}: Span) {
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: INTERNAL,
    startTimeUnixNano: formatNanos(startMs),
    endTimeUnixNano: formatNanos(endMs),
    attributes: formatAttributes(attributes),
    events: events.map((event) => ({
      timeUnixNano: formatNanos(event.atMs),
      name: event.name,
      attributes: formatAttributes(event.attributes),
    })),
    status: error === null ? { code: UNSET } : { code: ERROR, message: error },
  }
}

function formatNanos(ms: number): string {
  return (BigInt(Math.trunc(ms)) * 1_000_000n).toString()
}

function formatAttributes(attributes: Readonly<Record<string, string>>) {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}
