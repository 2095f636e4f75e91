import { setTimeout as sleep } from "node:timers/promises"
import type { DaemonEvent } from "./answers.ts"

/** `lastEventId`: the `id` of the last event that was read. */
export type EventOptions = { readonly lastEventId?: string; readonly signal?: AbortSignal }

type Open = (
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) => Promise<Pick<Response, "body">>

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/**
 * The events until the signal; a stream that breaks goes on behind its last event. A refusal that
 * another try would not change is thrown.
 */
export async function* streamEvents(
  open: Open,
  { lastEventId, signal }: EventOptions,
): AsyncGenerator<DaemonEvent, void> {
  let last = lastEventId
  let pauseMs = FIRST_PAUSE_MS
  while (signal?.aborted !== true) {
    try {
      const { body } = await open(last === undefined ? {} : { "last-event-id": last }, signal)
      pauseMs = FIRST_PAUSE_MS
      for await (const event of readEvents(body)) {
        last = event.id
        yield event
      }
    } catch (error) {
      if (isRefusal(error)) throw error
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
  }
}

/** 429: too many readers or requests, which passes. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof Error && "status" in error ? Number(error.status) : 0
  return status >= 400 && status < 500 && status !== 429
}

async function* readEvents(body: Response["body"]): AsyncGenerator<DaemonEvent, void> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks) {
      const event = readEvent(block)
      if (event !== null) yield event
    }
  }
}

/** `null` for a comment, which keeps the stream open. */
function readEvent(block: string): DaemonEvent | null {
  const fields = new Map<string, string>()
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^(\w+): ?(.*)$/.exec(line) ?? []
    fields.set(name, fields.get(name) === undefined ? value : `${fields.get(name)}\n${value}`)
  }
  const data = fields.get("data")
  if (data === undefined) return null
  const event = { type: fields.get("event"), id: fields.get("id"), data: JSON.parse(data) }
  // CAST: the daemon tells its events in this form.
  return event as DaemonEvent
}
