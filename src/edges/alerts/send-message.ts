import type { Clock } from "#lib/clock.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { printableLine } from "#lib/printable.ts"
import type { Secret } from "#lib/secret.ts"
import type { Address } from "#nodes/address.ts"
import { describeFailure, exchange } from "#nodes/exchange.ts"
import { exchangeInPace } from "#nodes/exchange-in-pace.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { findRefusal } from "./find-refusal.ts"
import { formatSlack, formatTelegram } from "./format-chat.ts"
import { formatDiscord, formatMatrix, formatNtfy } from "./format-push.ts"
import { describeMessage, formatPlain } from "./format-text.ts"
import { formatWebhook, signWebhook } from "./format-webhook.ts"
import type { Channel, Parcel, Place, Receiver, SendMessage, SendParcel, Sent } from "./port.ts"

/** The whole answer of a receiver must come within this time. */
const TIMEOUT_MS = 15_000
const MOST_ANSWER_BYTES = 64 * 1024
const MOST_SHOWN = 200

/** Sends alerts. `paces`: those of other senders, which share a receiver's limit. Never throws. */
export function createSender(clock: Clock, paces = createPaces(clock)): SendMessage {
  const send = createParcelSender(clock, paces)
  return (receiver, message) => {
    const isUrgent =
      message.reason !== "over" && message.notes.some(({ level }) => level === "trouble")
    const text = describeMessage(message)
    return send(receiver, { id: message.id, text, isUrgent, body: formatWebhook(message) })
  }
}

/**
 * Sends over HTTP and SMTP. A repeated parcel has the same id, so that its receiver can know it.
 * Never throws.
 */
export function createParcelSender(clock: Clock, paces = createPaces(clock)): SendParcel {
  return async (receiver, parcel) => {
    try {
      return receiver.kind === "email"
        ? await sendMail(receiver, parcel)
        : await post(receiver, buildPost(receiver, parcel, clock.now()), { clock, paces })
    } catch (error) {
      return { ok: false, error: hideSecrets(receiver, describeFailure(error)), waitMs: null }
    }
  }
}

type Post = {
  readonly address: Address
  readonly method?: "PUT"
  readonly body: string
  readonly headers: Headers
}
type Headers = Readonly<Record<string, string>>

function buildPost(
  channel: Exclude<Channel, { kind: "email" }>,
  { id, text, isUrgent, body }: Parcel,
  nowMs: number,
): Post {
  switch (channel.kind) {
    case "webhook":
      return buildSigned(channel, id, JSON.stringify(body), nowMs)
    case "slack":
      return { address: addressOf(channel), body: JSON.stringify(formatSlack(text)), headers: {} }
    case "discord":
      return { address: addressOf(channel), body: JSON.stringify(formatDiscord(text)), headers: {} }
    case "ntfy": {
      const { api, topic, token } = channel
      const written = JSON.stringify(formatNtfy(text, topic.reveal(), isUrgent))
      return { address: api, body: written, headers: token === null ? {} : bearer(token) }
    }
    case "matrix": {
      const { api, room, token } = channel
      // The server shows a message that comes again under its id only once.
      const place = `${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(id)}`
      const address = `${api}/_matrix/client/v3/rooms/${place}`
      const written = JSON.stringify(formatMatrix(text))
      return { address, method: "PUT", body: written, headers: bearer(token) }
    }
    case "telegram": {
      const address = `${channel.api}/bot${channel.token.reveal()}/sendMessage`
      return { address, body: JSON.stringify(formatTelegram(text, channel.chat)), headers: {} }
    }
  }
}

/** Where a message or a heartbeat goes. Only the senders reveal it. */
export function addressOf({ url, headers = {} }: Place): Address {
  const revealed = Object.entries(headers).map(([name, value]) => [name, value.reveal()])
  return { url: url.reveal(), headers: Object.fromEntries(revealed), maxRequestsPerSecond: null }
}

function buildSigned(
  channel: Extract<Channel, { kind: "webhook" }>,
  id: string,
  body: string,
  nowMs: number,
): Post {
  const key = channel.key?.reveal() ?? null
  const headers = key === null ? { "webhook-id": id } : signWebhook(key, id, nowMs, body)
  return { address: addressOf(channel), body, headers }
}

function bearer(token: Secret): Headers {
  return { authorization: `Bearer ${token.reveal()}` }
}

async function post(
  receiver: Receiver,
  built: Post,
  { clock, paces }: { readonly clock: Clock; readonly paces: Paces },
): Promise<Sent> {
  const sent = await exchangeInPace(paces(built.address, TIMEOUT_MS), () =>
    exchange({ ...built, ...limits(clock) }),
  )
  if ("unasked" in sent) return { ok: false, error: sent.limit, waitMs: sent.retryAfterMs }
  const { status, text, retryAfterMs } = sent
  const isTaken = status >= 200 && status < 300
  const hide = (said: string): string => withoutSecrets(receiver, said)
  const refusal = isTaken ? findRefusal(receiver.kind, text, hide) : text
  if (refusal === null) return { ok: true, answer: `HTTP ${status}` }
  return {
    ok: false,
    error: hideSecrets(receiver, `HTTP ${status} ${refusal}`),
    waitMs: retryAfterMs,
  }
}

/** One time-out for the whole call. */
export function limits(clock: Clock) {
  return { timeoutMs: TIMEOUT_MS, mostBytes: MOST_ANSWER_BYTES, mostValues: null, clock }
}

/**
 * nodemailer folds and encodes the headers; the subject is one line, because a line end in it would
 * begin another header.
 */
async function sendMail(
  receiver: Receiver & { kind: "email" },
  { id, text, isUrgent }: Parcel,
): Promise<Sent> {
  // Only a treasury with e-mail needs it.
  const { createTransport } = await import("nodemailer")
  const { host, port, tls, user, password, from, to } = receiver
  const times = {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  }
  const transport = createTransport({
    host,
    port,
    secure: tls === "tls",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    ...times,
    ...(user === null ? {} : { auth: { user, pass: password?.reveal() ?? "" } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const info = await transport.sendMail({
      from,
      to: [...to],
      subject: text.title.slice(0, MOST_SHOWN),
      text: formatPlain(text),
      messageId: `<${id}@${host}>`,
      priority: isUrgent ? "high" : "normal",
      headers: { "auto-submitted": "auto-generated" },
    })
    if (info.rejected.length === 0)
      return { ok: true, answer: hideSecrets(receiver, info.response) }
    return { ok: false, error: `${info.rejected.length} recipients were refused`, waitMs: null }
  } finally {
    transport.close()
  }
}

/** A server may repeat its path or a password in its answer. */
function hideSecrets(receiver: Receiver, found: string): string {
  const hidden = withoutSecrets(receiver, found)
  return printableLine(hidden.replace(/\s+/g, " ")).slice(0, MOST_SHOWN).trim()
}

function withoutSecrets(receiver: Receiver, found: string): string {
  const text = "url" in receiver ? hideKeys(receiver.url.reveal(), found) : found
  const values = listSecrets(receiver).flatMap((value) => [value, encodeURIComponent(value)])
  return values
    .filter((value) => value !== "")
    .reduce((shown, value) => shown.replaceAll(value, "***"), text)
}

function listSecrets(receiver: Receiver): readonly string[] {
  switch (receiver.kind) {
    case "email":
      return [receiver.password?.reveal() ?? ""]
    case "telegram":
    case "matrix":
      return [receiver.token.reveal()]
    case "ntfy":
      return [receiver.topic.reveal(), receiver.token?.reveal() ?? ""]
    case "slack":
    case "discord":
    case "webhook": {
      const url = receiver.url.reveal()
      const values = Object.values(receiver.headers ?? {}).map((value) => value.reveal())
      if (!URL.canParse(url)) return [url, ...values]
      const { pathname, search, password } = new URL(url)
      return [url, ...(pathname.length > 1 ? [pathname] : []), search, password, ...values]
    }
  }
}
