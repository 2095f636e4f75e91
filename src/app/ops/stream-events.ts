import { streamSSE } from "hono/streaming"
import type { Clock } from "#lib/clock.ts"
import { plainJson } from "#lib/json.ts"
import { printableJson } from "#lib/printable.ts"
import { type Ctx, peerOf, refuse } from "./answers.ts"
import type { Peer } from "./caller.ts"
import type { Operations } from "./operations.ts"

/** With more unsent events the reader has stopped reading; they would fill our memory. */
const MAX_UNSENT_EVENTS = 1_000
/** Readers of one listener. An address has fewer connections, so it leaves places for others. */
const MAX_READERS = 64
/** A regular comment keeps proxies from closing a quiet stream. */
const COMMENT_EVERY_MS = 15_000

type EventStreams = (c: Ctx, isAllowed: () => boolean) => Response

/**
 * Answers `GET` with a stream of all changes, those since `Last-Event-ID` first, until the client
 * leaves or `isAllowed` is false. Hono answers a `HEAD` through the route of `GET` and drops the
 * body without cancelling it, so a stream would never end: `HEAD` is refused with 405.
 */
export function createEventStreams(
  { subscribe }: Pick<Operations, "subscribe">,
  clock: Pick<Clock, "sleep">,
): EventStreams {
  const readers: Record<Peer["kind"], number> = { socket: 0, tcp: 0 }
  return (c, isAllowed) => {
    if (c.req.method !== "GET") return refuseMethod(c)
    const last = c.req.header("last-event-id")
    if (last !== undefined && !/^\d{1,15}$/.test(last))
      return refuse(c, 400, "request.cursor", "No event has had the id of Last-Event-ID")
    const { kind } = peerOf(c).peer
    if (readers[kind] >= MAX_READERS) {
      const message = `The event stream has its most readers, ${MAX_READERS}; end one of them`
      return refuse(c, 429, "ops.streams", message)
    }
    readers[kind]++
    return streamSSE(c, async (stream) => {
      const left = new AbortController()
      let unsent = 0
      const unsubscribe = subscribe(
        (event) => {
          unsent++
          const data = printableJson(plainJson(event.data))
          const { id, type } = event
          void stream.writeSSE({ id, event: type, data }).finally(() => unsent--)
          if (unsent > MAX_UNSENT_EVENTS) stream.abort()
        },
        last === undefined ? null : Number(last),
      )
      stream.onAbort(() => left.abort())
      try {
        // A token that a reload removed reads no further.
        while (!left.signal.aborted && isAllowed()) {
          await stream.write(": ok\n\n")
          await clock.sleep(COMMENT_EVERY_MS, left.signal)
        }
      } finally {
        unsubscribe()
        readers[kind]--
      }
    })
  }
}

function refuseMethod(c: Ctx): Response {
  c.header("allow", "GET")
  const message = "This path answers GET only: it is a stream without an end"
  return refuse(c, 405, "request.method", message)
}
