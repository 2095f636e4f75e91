import { request } from "undici"
import type { Clock } from "#lib/clock.ts"
import { printableLine } from "#lib/printable.ts"
import { readBody } from "#lib/read-body.ts"
import { formatSlack, formatTelegram } from "./format-chat.ts"
import { describeMessage, formatPlain } from "./format-text.ts"
import { formatWebhook, signWebhook } from "./format-webhook.ts"
import type { Channel, Message, Receiver, SendMessage, Sent } from "./port.ts"

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
        : await post(receiver, message, clock)
    } catch (error) {
      return { ok: false, error: describeFailure(receiver, error), waitMs: null }
    }
  }
}

type Post = {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

function buildPost(
  channel: Exclude<Channel, { kind: "email" }>,
  message: Message,
  nowMs: number,
): Post {
  switch (channel.kind) {
    case "webhook": {
      const body = JSON.stringify(formatWebhook(message))
      const key = channel.key?.reveal() ?? null
      const headers =
        key === null ? { "webhook-id": message.id } : signWebhook(key, message.id, nowMs, body)
      return { url: channel.url.reveal(), body, headers }
    }
    case "slack":
      return { url: channel.url.reveal(), body: JSON.stringify(formatSlack(message)), headers: {} }
    case "telegram": {
      const body = JSON.stringify(formatTelegram(message, channel.chat))
      return { url: `${channel.api}/bot${channel.token.reveal()}/sendMessage`, body, headers: {} }
    }
  }
}

async function post(
  receiver: Exclude<Receiver, { kind: "email" }>,
  message: Message,
  clock: Clock,
): Promise<Sent> {
  const { url, body, headers } = buildPost(receiver, message, clock.now())
  const answer = await postWithin({ url, method: "POST", body, headers }, clock)
  if (answer.status >= 200 && answer.status < 300)
    return { ok: true, answer: `HTTP ${answer.status}` }
  const seconds = Number(answer.retryAfter)
  const waitMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null
  return { ok: false, error: hideSecrets(receiver, `HTTP ${answer.status} ${answer.text}`), waitMs }
}

type HttpCall = {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly body?: string
  readonly headers: Readonly<Record<string, string>>
}

/** One time-out for the whole call. Redirects are not followed. */
export async function postWithin(
  { url, method, body, headers }: HttpCall,
  clock: Clock,
): Promise<{ readonly status: number; readonly text: string; readonly retryAfter: string }> {
  const timeout = new AbortController()
  const done = new AbortController()
  clock.sleep(TIMEOUT_MS, done.signal).then(() => {
    if (!done.signal.aborted) timeout.abort(new Error(`no whole answer within ${TIMEOUT_MS} ms`))
  })
  try {
    const type = body === undefined ? {} : { "content-type": "application/json" }
    const answer = await request(url, {
      method,
      headers: { ...type, "user-agent": "ballast", ...headers },
      signal: timeout.signal,
      ...(body === undefined ? {} : { body }),
    })
    const text = await readBody(answer.body, MOST_ANSWER_BYTES)
    return {
      status: answer.statusCode,
      text,
      retryAfter: String(answer.headers["retry-after"] ?? ""),
    }
  } finally {
    done.abort()
  }
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

function describeFailure(receiver: Receiver, error: unknown): string {
  const code = error instanceof Error && "code" in error ? `${String(error.code)} ` : ""
  const text = error instanceof Error ? error.message : String(error)
  return hideSecrets(receiver, `${text.includes(code.trim()) ? "" : code}${text}`)
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
      if (!URL.canParse(url)) return [url]
      const { pathname, search } = new URL(url)
      return [url, ...(pathname.length > 1 ? [pathname] : []), search]
    }
  }
}
