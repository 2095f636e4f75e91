import { randomUUID } from "node:crypto"
import { refuseForeign } from "#chains/foreign-families.ts"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { createHumaniser, type Humanise } from "#daemon/views/human-units.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { isIdempotencyKey, KEY_EXPECTED } from "#ops/idempotency-key.ts"
import type { OrderView } from "#order/view.ts"
import { bodyOf, callDaemon } from "../../call-daemon.ts"
import { confirmChange } from "../../confirm.ts"
import type { CommandContext } from "../../define-command.ts"
import type { AskedSwap } from "../../exact-out-options.ts"
import { formatQuote } from "../../format/format-quote.ts"
import { linksOf } from "../../format/order-links.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { callOf, type SwapPorts, submitSwap } from "../../submit-swap.ts"
import { usageError } from "../../usage-error.ts"

type SwapChoices = {
  readonly wait: boolean
  readonly yes: boolean
  readonly deposit: string | null
  readonly destination: string | null
  readonly "idempotency-key": string | null
}

/**
 * Asks the running daemon for one swap. It passes the same guards as the swap of a rule. A person
 * on a terminal sees the quote, the guards and the worst case first, confirms, and then sees each
 * stage until the order ends or needs a person. A refusal is exit 1 with every reason. A lost
 * answer is no refusal: see `submitSwap`.
 */
export async function requestSwap(
  context: CommandContext,
  request: AskedSwap,
  choices: SwapChoices,
): Promise<number> {
  const { wait, yes, deposit, destination } = choices
  const key = readKey(choices["idempotency-key"])
  const foreign = refuseForeign(
    [request.from, request.to],
    destination === null ? [] : [destination],
  )
  if (foreign.length > 0) return printRefusal(context, { reasons: foreign })
  const config = openConfigForReading(context)
  const asks = context.interactive && !context.json && !yes
  const given = withChoices(request, deposit, destination)
  const shown = asks ? await showAndConfirm(context, config, given) : null
  if (shown !== null && "refused" in shown) return shown.refused
  const body = shown === null ? given : withShown(given, shown.amount)
  const commands = writeCommands(context, body, key.key)
  const ports = { call: callOf(config), clock: context.clock, note: context.warn, commands }
  const answer = await submitSwap(ports, { body, ...key })
  if (answer.kind === "refused")
    return printRefusal(context, answer.body, createHumaniser(config), request.from)
  const { id } = answer
  if (!wait && !asks) {
    context.print(
      context.json ? plainJson({ id }) : `accepted as ${id}; follow it with: ballast order ${id}`,
    )
    return EXIT.ok
  }
  if (!wait) context.tell(`accepted as ${id}; Ctrl-C ends this view, and the order goes on`)
  const order = await waitForOutcome(config, context, id, wait ? RESTING : [...RESTING, APPROVAL])
  context.print(context.json ? plainJson(order, 2) : describeEnd(order, createHumaniser(config)))
  return order.outcome === "completed" || (!wait && order.state === APPROVAL)
    ? EXIT.ok
    : EXIT.refused
}

function withChoices(request: AskedSwap, deposit: string | null, destination: string | null) {
  return {
    ...request,
    ...(deposit ? { deposit } : {}),
    ...(destination ? { destination } : {}),
  }
}

/** A person has agreed to the amount that the quote sells, and to no higher one. */
function withShown<Swap extends AskedSwap>(asked: Swap, maxAmount: string): Swap {
  const isOpen = asked.toAmount !== undefined && asked.maxAmount === undefined
  return isOpen ? { ...asked, maxAmount } : asked
}

/**
 * Each run without a key of the user has one of its own, so that a lost answer can be asked for.
 */
function readKey(chosen: string | null): { readonly key: string; readonly isChosen: boolean } {
  if (chosen === null) return { key: randomUUID(), isChosen: false }
  if (!isIdempotencyKey(chosen)) throw usageError(`--idempotency-key: ${KEY_EXPECTED}`)
  return { key: chosen, isChosen: true }
}

/** The commands as a person or a script can run them in a POSIX shell. */
function writeCommands(
  { config, sandbox }: CommandContext,
  body: AskedSwap & { readonly deposit?: string; readonly destination?: string },
  key: string,
): SwapPorts["commands"] {
  const { from, to, amount, toAmount, maxAmount, deposit, destination } = body
  const place = [
    ...(config === null ? [] : ["--config", config]),
    ...(sandbox ? ["--sandbox"] : []),
  ]
  const amounts = [
    ...(amount === undefined ? [] : [amount]),
    ...(toAmount === undefined ? [] : ["--to-amount", toAmount]),
    ...(maxAmount === undefined ? [] : ["--max-amount", maxAmount]),
  ]
  const choices = [
    ...(deposit === undefined ? [] : ["--deposit", deposit]),
    ...(destination === undefined ? [] : ["--destination", destination]),
    "--yes",
  ]
  const keyed = ["--idempotency-key", key, ...place]
  return {
    show: ["ballast", "orders", ...keyed].map(quote).join(" "),
    repeat: ["ballast", "swap", from, to, ...amounts, ...choices, ...keyed].map(quote).join(" "),
  }
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Returns the exit code of a refusal, or the sold amount of the quote that a person confirmed. */
async function showAndConfirm(
  context: CommandContext,
  config: Config,
  body: AskedSwap,
): Promise<{ readonly refused: number } | { readonly amount: string }> {
  const answer = await callDaemon(
    config,
    "GET",
    `/api/v1/quote?${new URLSearchParams(body).toString()}`,
  )
  const humanise = createHumaniser(config)
  if (answer.status !== 200)
    return { refused: printRefusal(context, answer.body, humanise, body.from) }
  const quote = bodyOf<"Quote">(answer)
  context.print(formatQuote(quote, humanise), quote.refused.length > 0 ? "attention" : "ok")
  if (quote.refused.length > 0) return { refused: EXIT.refused }
  const { amount, from, receive, to } = quote
  const about = body.toAmount === undefined ? "about" : "exactly"
  const question = `Swap ${amount} ${from} for ${about} ${receive ?? "?"} ${to}?`
  await confirmChange(context, question, false)
  return { amount }
}

/**
 * An order that rests has no outcome: the sentence names its state, its reasons and the next
 * command.
 */
function describeEnd(order: OrderView, humanise: Humanise): string {
  const { id, outcome, state, reasons, from, to, amount, destinationAmount } = order
  if (outcome === "completed")
    return `${id} completed: ${destinationAmount ?? "?"} ${to} for ${amount} ${from}`
  if (outcome === "refunded")
    return `${id} refunded: ${amount} ${from} came back, less the network fees`
  const whys = reasons
    .map(({ code, message }) => `\n  ${humanise(message, from)} [${code}]`)
    .join("")
  const todo = outcome === null ? `\n  It needs you: ballast order ${id.slice(0, 8)}` : ""
  return `${id} ${outcome ?? state}${whys}${todo}`
}

/** States in which an order stays until a person or another order does something. */
const RESTING: readonly string[] = ["held", "disarmed"]
const APPROVAL = "awaiting-approval"

async function waitForOutcome(
  config: Config,
  context: CommandContext,
  id: string,
  resting: readonly string[],
): Promise<OrderView> {
  const startMs = context.clock.now()
  let answeredMs = startMs
  const told = new Set<string>()
  for (;;) {
    const order = await readOrder(config, id)
    if (order === null) {
      if (context.clock.now() - answeredMs > SILENT_MS) throw outcomeUnknown(id)
      await context.clock.sleep(1_000)
      continue
    }
    answeredMs = context.clock.now()
    const seconds = `${((context.clock.now() - startMs) / 1_000).toFixed(1).padStart(7)} s`
    for (const line of listStages(order, config)) {
      if (!told.has(line)) context.tell(`${seconds}  ${line}`)
      told.add(line)
    }
    if (order.outcome !== null || resting.includes(order.state)) return order
    await context.clock.sleep(1_000)
  }
}

/** A daemon that starts again answers within this time. */
const SILENT_MS = 60_000

/**
 * `null` while the daemon does not answer. The order is open, so that is no reason to end with "try
 * later".
 */
async function readOrder(config: Config, id: string): Promise<OrderView | null> {
  const path = `/api/v1/orders/${id}`
  const answer = await callDaemon(config, "GET", path, undefined, { answerMs: 10_000 }).catch(
    (error: unknown) => {
      if (error instanceof AppError && error.disposition === "transient") return null
      throw error
    },
  )
  return answer?.status === 200 ? bodyOf<"OrderWithEvents">(answer) : null
}

function outcomeUnknown(id: string): AppError {
  const show = `ballast order ${id}`
  return new AppError({
    code: "swap.outcome_unknown",
    disposition: "uncertain",
    message:
      `The swap was accepted as ${id}, and the daemon stopped answering; the order goes on ` +
      `when it runs. Look: ${show}`,
    details: { order: id, show },
  })
}

/** The present stage and the transactions that are known so far; each line is told once. */
function listStages(order: OrderView, config: Pick<Config, "chains">): readonly string[] {
  const { id, state, money, depositTx, destinationTx, refundTx } = order
  const links = linksOf(order, config)
  const transactions = { deposit: depositTx, payout: destinationTx, refund: refundTx }
  return [
    `${state}: ${money}`,
    ...(state === "awaiting-approval"
      ? [`approve it with: ballast approve ${id.slice(0, 8)}`]
      : []),
    ...Object.entries(transactions).flatMap(([name, tx]) =>
      tx === null ? [] : [`${name}  ${links[name] ?? tx}`],
    ),
  ]
}
