import { createHash, randomInt } from "node:crypto"
import type { Receiver } from "#alerts/port.ts"
import { type ChatMessage, readMessages, say, type Telegram } from "#alerts/telegram-bot.ts"
import type { Config } from "#config/config.ts"
import type { Engine } from "#engine/engine.ts"
import type { EngineMemory } from "#engine/memory.ts"
import { forgetFault, noteFault } from "#engine/watches/part-faults.ts"
import { decideApprovers } from "#guards/requires-approval.ts"
import { readableAt } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { printableLine } from "#lib/printable.ts"
import { approvableUntil } from "#order/data.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import type { Order } from "#order/step.ts"
import { viewOrder } from "#order/view.ts"
import { describeReference } from "#order/view-reference.ts"
import type { Journal } from "#ports/journal.ts"
import { decimalsOf } from "../start/decimals-of.ts"

type Parts = {
  readonly config: () => Config
  readonly journal: Pick<Journal, "listOrders" | "findOrder" | "recordOperatorCall" | "durable">
  readonly operate: Engine["operate"]
  readonly clock: Clock
  readonly log: Pick<Logger, "warn" | "info">
  readonly memory: Pick<EngineMemory, "faults">
}

/** A code stands for one intent of one order, and is good once, within its time. */
type Code = { readonly order: string; readonly intent: string; readonly untilMs: number }

const MOST_WAITING = 50
const LONGEST_MS = 3_600_000
const PAUSE_MS = 5_000

/**
 * Tells a Telegram chat which orders wait for one person, each with a one-time code, and takes
 * "approve CODE" and "reject CODE" from the accounts of `approvers`. Codes live in memory only:
 * after a restart each order gets a new one. Until the signal.
 */
export async function runChatApprovals(parts: Parts, signal: AbortSignal): Promise<void> {
  const book = createCodeBook(parts)
  let from: number | null = null
  while (!signal.aborted) {
    const bot = findBot(parts.config().alerts.receivers)
    if (bot === null) {
      await parts.clock.sleep(PAUSE_MS, signal)
      continue
    }
    try {
      const announced = book.announce()
      // A person reads no intent that a crash could take back.
      if (announced.length > 0) await parts.journal.durable()
      for (const { text, drop } of announced)
        await say(bot, text, parts.clock, signal).catch((error: unknown) => {
          drop()
          throw error
        })
      for (const message of await readMessages(bot, from, parts.clock, signal)) {
        from = message.update + 1
        const answer = await book.answer(bot, message)
        if (answer !== null) await say(bot, answer, parts.clock, signal)
      }
      forgetFault(parts, `chat ${bot.name}`)
    } catch (error) {
      if (signal.aborted) return
      parts.log.warn({ receiver: bot.name, err: error }, "The chat of approvals does not answer")
      noteFault(parts, `chat ${bot.name}`, error)
      await parts.clock.sleep(pauseAfter(error), signal)
    }
  }
}

function pauseAfter(error: unknown): number {
  const asked = error instanceof AppError ? error.details["retryAfterMs"] : null
  return Math.max(PAUSE_MS, typeof asked === "number" ? asked : 0)
}

type Bot = Receiver & Telegram

function findBot(receivers: readonly Receiver[]): Bot | null {
  for (const receiver of receivers)
    if (receiver.kind === "telegram" && Object.keys(receiver.approvers).length > 0) return receiver
  return null
}

type Announcement = { readonly text: string; readonly drop: () => void }

/** The codes that are good now, by their hash. Exported for its tests. */
export function createCodeBook(parts: Parts) {
  const { journal, clock } = parts
  const codes = new Map<string, Code>()
  const drop = (isOver: (code: Code) => boolean): void => {
    for (const [hash, code] of codes) if (isOver(code)) codes.delete(hash)
  }

  function announce(): readonly Announcement[] {
    const nowMs = clock.now()
    const waiting = journal
      .listOrders({ state: "awaiting-approval", limit: MOST_WAITING })
      .flatMap(({ id, snapshot, updatedAtMs }) => {
        const order = decodeOrNull(snapshot)
        const intent = order?.data.intent?.hash ?? null
        return order === null || intent === null ? [] : [{ id, order, intent, updatedAtMs }]
      })
    drop((code) => nowMs >= code.untilMs || !waiting.some((one) => isFor(code, one.id, one.intent)))
    return waiting.flatMap(({ id, order, intent, updatedAtMs }) => {
      const isKnown = [...codes.values()].some((code) => isFor(code, id, intent))
      if (isKnown) return []
      const untilMs = Math.min(approvableUntil(order.data), nowMs + LONGEST_MS)
      if (untilMs <= nowMs) return []
      const code = newCode()
      codes.set(hashOf(code), { order: id, intent, untilMs })
      const text = [
        ...describe(parts.config(), order, updatedAtMs),
        ...describeAnswer(decideApprovers(order.data), code, untilMs),
      ].map(printableLine)
      return [{ text: text.join("\n"), drop: () => void codes.delete(hashOf(code)) }]
    })
  }

  async function answer(bot: Bot, message: ChatMessage): Promise<string | null> {
    const asked = ASKED.exec(message.text ?? "")
    if (asked === null) return null
    // A chat of others gets no answer: it learns nothing, not even that there is a bot.
    if (message.chat !== bot.chat) {
      parts.log.warn({ chat: message.chat, from: message.from }, "An unknown chat asks to approve")
      return null
    }
    const person = bot.approvers[message.from ?? ""]
    if (person === undefined) return "This account approves nothing here."
    const verb = asked[1]?.toLowerCase() === "reject" ? "reject" : "approve"
    const hash = hashOf(asked[2]?.toLowerCase() ?? "")
    const code = codes.get(hash)
    codes.delete(hash)
    if (code === undefined || clock.now() >= code.untilMs)
      return "This code is used, too old or unknown. Nothing was changed."
    const refusal = refuse(journal.findOrder(code.order)?.snapshot ?? "", code)
    if (refusal !== null) return refusal
    journal.recordOperatorCall({
      atMs: clock.now(),
      caller: person,
      source: `telegram:${message.from}`,
      action: verb,
      subject: code.order,
      body: JSON.stringify({ intent: code.intent }),
    })
    const result = parts.operate(code.order, verb, person, code.intent)
    await journal.durable()
    const what = `Order ${code.order.slice(0, 8)}`
    if (result.ok) return `${what}: ${verb === "approve" ? "approved" : "rejected"} by ${person}.`
    return printableLine(`${what}: refused. ${result.reasons.map((one) => one.message).join("; ")}`)
  }
  return { announce, answer }
}

const ASKED = /^\/?(approve|reject)(?:@\w{1,40})?\s+([a-z0-9]{1,40})\s*$/i

function refuse(snapshot: string, { intent }: Code): string | null {
  const order = decodeOrNull(snapshot)
  if (order?.state !== "awaiting-approval" || order.data.intent?.hash !== intent)
    return "The order has changed since this code was made. Nothing was changed."
  const people = decideApprovers(order.data)
  if (people < 2) return null
  return `${tellSeveral(people)} Nothing was changed.`
}

function tellSeveral(people: number): string {
  return (
    `It needs ${people} people, each with their own token, on the page or by ` +
    "ballast approve --token."
  )
}

function isFor(code: Code, order: string, intent: string): boolean {
  return code.order === order && code.intent === intent
}

/** The lines that a person judges the order by. */
function describe(config: Config, order: Order, updatedAtMs: number): readonly string[] {
  const view = viewOrder(order, decimalsOf(config), updatedAtMs)
  const { id, rule, askedBy, from, to, amount, destinationAmount, destinationOwner } = view
  const by = askedBy === undefined ? `rule ${rule}` : `asked by ${askedBy}`
  return [
    `[${config.treasury}] Order ${id.slice(0, 8)} waits for approval (${by})`,
    `${amount} ${from} to ${destinationAmount ?? "?"} ${to}`,
    `Paid to ${destinationOwner}`,
    ...describeReference(view),
    `Intent ${view.intent}`,
  ]
}

/** An order that needs several people is told without its code. */
function describeAnswer(people: number, code: string, untilMs: number): readonly string[] {
  if (people > 1) return [tellSeveral(people)]
  return [`Until ${readableAt(untilMs)}, answer with: approve ${code}`, `or: reject ${code}`]
}

/** Without letters and digits that look alike. */
const SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
const CODE_LENGTH = 10

function newCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join("")
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex")
}
