import type { Clock } from "#lib/clock.ts"
import { printableLine } from "#lib/printable.ts"
import type { Address } from "#nodes/address.ts"
import { describeFailure, exchange } from "#nodes/exchange.ts"
import { formatSlack, formatTelegram } from "./format-chat.ts"
import { describeMessage, formatPlain } from "./format-text.ts"
import { formatWebhook, signWebhook } from "./format-webhook.ts"
import type { Channel, Message, Place, Receiver, SendMessage, Sent, Webhook } from "./port.ts"

/** The whole answer of a receiver must come within this time. */
const TIMEOUT_MS = 15_000
const MOST_ANSWER_BYTES = 64 * 1024
const MOST_SHOWN = 200

/**
 * Sends messages over HTTP and SMTP. A repeated message has the same id, so that its receiver can
 * know it. Never throws.
 */
export function createSender(clock: Clock): SendMessage {
  return async (receiver, message) => {
    try {
      return receiver.kind === "email"
        ? await sendMail(receiver, message)
        : await post(receiver, buildPost(receiver, message, clock.now()), clock)
    } catch (error) {
      return { ok: false, error: hideSecrets(receiver, describeFailure(error)), waitMs: null }
    }
  }
}

type Post = { readonly address: Address; readonly body: string; readonly headers: Headers }
type Headers = Readonly<Record<string, string>>

function buildPost(
  channel: Exclude<Channel, { kind: "email" }>,
  message: Message,
  nowMs: number,
): Post {
  switch (channel.kind) {
    case "webhook": {
      return buildSigned(channel, message.id, JSON.stringify(formatWebhook(message)), nowMs)
    }
    case "slack": {
      const body = JSON.stringify(formatSlack(message))
      return { address: addressOf(channel), body, headers: {} }
    }
    case "telegram": {
      const body = JSON.stringify(formatTelegram(message, channel.chat))
      const address = `${channel.api}/bot${channel.token.reveal()}/sendMessage`
      return { address, body, headers: {} }
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

/** Sends the body of a change to a webhook. Never throws. */
export async function sendChange(
  receiver: Webhook,
  id: string,
  body: string,
  clock: Clock,
): Promise<Sent> {
  try {
    return await post(receiver, buildSigned(receiver, id, body, clock.now()), clock)
  } catch (error) {
    return { ok: false, error: hideSecrets(receiver, describeFailure(error)), waitMs: null }
  }
}

async function post(receiver: Receiver, built: Post, clock: Clock): Promise<Sent> {
  const answer = await exchange({ ...built, ...limits(clock) })
  const { status, text, retryAfterMs } = answer
  if (status >= 200 && status < 300) return { ok: true, answer: `HTTP ${status}` }
  return {
    ok: false,
    error: hideSecrets(receiver, `HTTP ${status} ${text}`),
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
async function sendMail(receiver: Receiver & { kind: "email" }, message: Message): Promise<Sent> {
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
    const { title } = describeMessage(message)
    const urgent =
      message.notes.some(({ level }) => level === "trouble") && message.reason !== "over"
    const info = await transport.sendMail({
      from,
      to: [...to],
      subject: title.slice(0, MOST_SHOWN),
      text: formatPlain(message),
      messageId: `<${message.id}@${host}>`,
      priority: urgent ? "high" : "normal",
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
function hideSecrets(receiver: Receiver, text: string): string {
  const values = listSecrets(receiver).flatMap((value) => [value, encodeURIComponent(value)])
  const hidden = values
    .filter((value) => value !== "")
    .reduce((shown, value) => shown.replaceAll(value, "***"), text)
  return printableLine(hidden.replace(/\s+/g, " ")).slice(0, MOST_SHOWN).trim()
}

function listSecrets(receiver: Receiver): readonly string[] {
  switch (receiver.kind) {
    case "email":
      return [receiver.password?.reveal() ?? ""]
    case "telegram":
      return [receiver.token.reveal()]
    case "slack":
    case "webhook": {
      const url = receiver.url.reveal()
      const values = Object.values(receiver.headers ?? {}).map((value) => value.reveal())
      if (!URL.canParse(url)) return [url, ...values]
      const { pathname, search, password } = new URL(url)
      return [url, ...(pathname.length > 1 ? [pathname] : []), search, password, ...values]
    }
  }
}
