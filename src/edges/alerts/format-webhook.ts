import { createHmac } from "node:crypto"
import { printableLine } from "#lib/printable.ts"
import type { AlertNote, Message } from "./port.ts"

/**
 * The body of the generic webhook: `{type, timestamp, data}` as "Standard Webhooks" proposes. Times
 * are ISO 8601.
 */
export function formatWebhook({ reason, treasury, atMs, notes, dashboard }: Message): object {
  const data = { treasury, dashboard, alerts: notes.map(viewNote) }
  return { type: `alert.${reason}`, timestamp: new Date(atMs).toISOString(), data }
}

function viewNote({ openedMs, closedMs, deadlineMs, sentence, ...note }: AlertNote): object {
  const timeOf = (ms: number | null): string | null =>
    ms === null ? null : new Date(ms).toISOString()
  return {
    ...note,
    sentence: printableLine(sentence),
    opened: timeOf(openedMs),
    closed: timeOf(closedMs),
    deadline: timeOf(deadlineMs),
  }
}

/**
 * The headers of "Standard Webhooks" (github.com/standard-webhooks/standard-webhooks): the receiver
 * checks the signature over id, time and body, and knows a message that comes twice by its id. The
 * key is base64, with or without the prefix `whsec_`.
 */
export function signWebhook(
  key: string,
  id: string,
  atMs: number,
  body: string,
): Readonly<Record<string, string>> {
  const seconds = Math.floor(atMs / 1_000)
  const bytes = Buffer.from(key.replace(/^whsec_/, ""), "base64")
  const signature = createHmac("sha256", bytes).update(`${id}.${seconds}.${body}`).digest("base64")
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${signature}`,
  }
}
