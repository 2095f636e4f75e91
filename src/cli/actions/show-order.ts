import { transactionLink } from "#chains/chain-preset.ts"
import type { Config } from "#config/config.ts"
import { decimalsOf } from "#daemon/decimals-of.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { listCalls } from "#daemon/view-calls.ts"
import { chainOf } from "#domain/asset.ts"
import type { EventRow } from "#journal/port.ts"
import { AppError } from "#lib/app-error.ts"
import { decodeJson, plainJson } from "#lib/json.ts"
import { printableLine } from "#lib/printable.ts"
import type { CallView } from "#ops/operations.ts"
import { decodeOrder } from "#order/step.ts"
import { type OrderView, viewOrder } from "#order/view.ts"
import type { CommandContext } from "../define-command.ts"
import { formatConsidered } from "../format-considered.ts"
import { openExistingJournal } from "../open-journal.ts"
import { openTreasury } from "../open-treasury.ts"

/** Shows one order with its amounts, the place of its money, and its events. A unique beginning of the id is enough. */
export async function showOrder(context: CommandContext, id: string, asked: string | null): Promise<number> {
  const { dataDir, config } = openTreasury(context, asked)
  const journal = openExistingJournal({ dataDir })
  const matches = journal.listOrders({ limit: 100_000 }).filter((row) => row.id.startsWith(id))
  const [row] = matches
  if (!row || matches.length > 1) {
    const message =
      matches.length > 1 ? `${id} is the beginning of ${matches.length} orders` : `There is no order ${id}`
    throw new AppError({ code: "order.not_found", disposition: "refused", message })
  }
  const order = viewOrder(decodeOrder(row.snapshot), config === null ? new Map() : decimalsOf(config), row.updatedAtMs)
  const events = journal.listEvents(row.id)
  const calls = listCalls(journal, row.id)
  journal.close()
  const links = config === null ? {} : linksOf(order, config)
  if (context.json) context.print(plainJson({ ...order, links, events: events.map(viewEvent), calls }, 2))
  else context.print(formatOrder(order, events, links, calls))
  return EXIT.ok
}

function formatPayoutFee({ payoutFee, payoutFeeUnits }: OrderView): string {
  const takesNone = payoutFeeUnits === null || payoutFeeUnits === "0"
  return takesNone ? "" : ` (up to ${payoutFee} less: the redeemer's network fee)`
}

type Links = { readonly [transaction: string]: string }

/** The explorer's pages of the order's transactions, on chains whose explorer the configuration knows by a preset. */
export function linksOf(
  {
    from,
    to,
    depositTx,
    destinationTx,
    refundTx,
  }: Pick<OrderView, "from" | "to" | "depositTx" | "destinationTx" | "refundTx">,
  { chains }: Pick<Config, "chains">,
): Links {
  const sides = [
    { name: "deposit", asset: from, tx: depositTx },
    { name: "payout", asset: to, tx: destinationTx },
    { name: "refund", asset: from, tx: refundTx },
  ]
  return Object.fromEntries(
    sides.flatMap(({ name, asset, tx }): [string, string][] => {
      const explorer = chains.find(({ chain }) => chain === chainOf(asset))?.explorer ?? null
      return explorer === null || tx === null ? [] : [[name, transactionLink(explorer, tx)]]
    }),
  )
}

function formatOrder(order: OrderView, events: readonly EventRow[], links: Links, calls: readonly CallView[]): string {
  const start = events[0]?.atMs ?? 0
  const timeline = events.map(({ atMs, type, state }) => `  ${seconds(atMs - start)}  ${type.padEnd(22)} → ${state}`)
  return [
    `Order ${order.id} (${order.rule})`,
    `  sends     ${order.amount} ${order.from}`,
    `  receives  ${order.destinationAmount ?? "?"} ${order.to}${formatPayoutFee(order)}`,
    `  state     ${order.state}: ${order.money}`,
    `  who acts  ${order.who}`,
    `  deposit   ${order.deposit} ${order.depositTx ?? "none yet"}`,
    `  service   ${order.service === null ? "" : `${order.service}, `}${order.serviceOrderId ?? "no order yet"}${order.reported ? `, reported redeemed by ${order.reported.redeemTx}` : ""}`,
    `  payout    ${order.destinationTx ?? "not seen by our own node"}`,
    `  cost      ${formatCost(order)}`,
    ...Object.entries(links).map(([name, link]) => `  explorer  ${name}: ${link}`),
    ...order.affiliateFees.map(
      ({ asset, address, feeBps, amount, amountUnits }) =>
        `  affiliate ${feeBps} bps: ${amount ?? (amountUnits === null ? "?" : `${amountUnits} smallest units of`)} ${asset} to ${address}`,
    ),
    ...formatIntent(order),
    ...formatConsidered(order).map((line) => `  quote     ${line}`),
    ...order.reasons.map(({ code, message }) => `  reason    ${code}: ${printableLine(message)}`),
    ...calls.map(formatCall),
    "",
    ...timeline,
  ].join("\n")
}

function formatCost({ costParts }: OrderView): string {
  const { swapFiat, paidUnits, paidFiat, depositAtMostFiat, refundAtMostFiat } = costParts
  const paid = paidFiat === null ? `${paidUnits} smallest units of` : paidFiat
  const estimate = [depositAtMostFiat, refundAtMostFiat].includes(null)
    ? ""
    : `; estimated at most ${depositAtMostFiat} for the deposit with its approval, and ${refundAtMostFiat} more for a refund`
  return `${swapFiat ?? "?"} service fee and spread; ${paid} network fees paid so far${estimate}`
}

/** An order that waits for approval shows every field of its intent, because a person decides by them. */
function formatIntent({ intent, intentFields, approval, approveBefore }: OrderView): string[] {
  if (intent === null) return []
  const by = approval === null ? "" : `, approved by ${approval.by} at ${approval.at}`
  if (approveBefore === null) return [`  intent    ${intent}${by}`]
  const fields = Object.entries(intentFields ?? {}).map(([name, value]) => `              ${name.padEnd(20)} ${value}`)
  return [`  intent    ${intent}, to be approved before ${approveBefore}`, ...fields]
}

function viewEvent(event: EventRow): Record<string, unknown> {
  return { at: new Date(event.atMs).toISOString(), type: event.type, state: event.state, body: decodeJson(event.body) }
}

/** One line about a changing request: `asked`, its time, the request and the name of the token. */
export function formatCall({ at, caller, source, action }: CallView): string {
  return `  asked     ${at}  ${action} by ${caller} (${source})`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(8)} s`
}
