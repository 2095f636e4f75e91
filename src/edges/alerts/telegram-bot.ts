import { z } from "zod"
import { AppError, transient } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { hideSecrets, under } from "#nodes/address.ts"
import { describeFailure, exchange } from "#nodes/exchange.ts"
import type { Channel } from "./port.ts"

export type Telegram = Extract<Channel, { kind: "telegram" }>

/** A text that an account wrote; `null` fields where it is none. */
export type ChatMessage = {
  readonly update: number
  readonly chat: string | null
  readonly from: string | null
  readonly text: string | null
}

const updates = z.object({
  ok: z.literal(true),
  result: z.array(
    z.object({
      update_id: z.int(),
      message: z
        .object({
          chat: z.object({ id: z.int() }),
          from: z.object({ id: z.int(), is_bot: z.boolean() }).optional(),
          text: z.string().optional(),
        })
        .optional(),
    }),
  ),
})

/** Telegram holds the answer back until there is a message, for at most this time. */
const POLL_S = 5
const TIMEOUT_MS = 15_000
const MOST_ANSWER_BYTES = 1024 * 1024

/**
 * The texts since an update (core.telegram.org/bots/api#getupdates). Asking from a number on tells
 * Telegram that those before it are read. Throws without the token in its words.
 */
export async function readMessages(
  bot: Telegram,
  from: number | null,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly ChatMessage[]> {
  const body = {
    timeout: POLL_S,
    allowed_updates: ["message"],
    ...(from === null ? {} : { offset: from }),
  }
  const { result } = updates.parse(await call(bot, "getUpdates", body, clock, signal))
  return result.map(({ update_id, message }) => {
    const isPerson = message?.from?.is_bot === false
    return {
      update: update_id,
      chat: message === undefined ? null : String(message.chat.id),
      from: isPerson ? String(message?.from?.id) : null,
      text: message?.text ?? null,
    }
  })
}

/** Says a plain text in the chat of the receiver. Throws as `readMessages`. */
export async function say(
  bot: Telegram,
  text: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const body = { chat_id: bot.chat, text, link_preview_options: { is_disabled: true } }
  await call(bot, "sendMessage", body, clock, signal)
}

async function call(
  bot: Telegram,
  method: string,
  body: object,
  clock: Clock,
  signal: AbortSignal,
): Promise<unknown> {
  const token = bot.token.reveal()
  try {
    const { status, text, retryAfterMs } = await exchange({
      address: under(bot.api, `/bot${token}/${method}`),
      body: JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      mostBytes: MOST_ANSWER_BYTES,
      clock,
      signal,
    })
    if (status === 429) {
      throw transient(
        "node.rate_limited",
        `HTTP 429 ${text.slice(0, 200)}`,
        retryAfterMs === null ? {} : { retryAfterMs },
      )
    }
    if (status !== 200) throw new Error(`HTTP ${status} ${text.slice(0, 200)}`)
    return JSON.parse(text)
  } catch (error) {
    const said = hideSecrets(bot.api, describeFailure(error)).replaceAll(token, "***")
    throw error instanceof AppError ? transient(error.code, said, error.details) : new Error(said)
  }
}
