import type { Config } from "#config/config.ts"
import { decimalsOf } from "#daemon/start/decimals-of.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { txidFormsOf } from "#daemon/start/txid-forms-of.ts"
import { viewOrderWithEvents } from "#daemon/view-order-with-events.ts"
import { createHumaniser, humaniseReason } from "#daemon/views/human-units.ts"
import { formatUnits } from "#domain/amount.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import { describePayoutDeadline } from "#health/describe-payout-deadline.ts"
import { formatSecond } from "#health/format-span.ts"
import { mustExist } from "#lib/assert.ts"
import { plainJson } from "#lib/json.ts"
import { printableLine } from "#lib/printable.ts"
import type { CallView } from "#ops/operations.ts"
import { describeSecret } from "#order/describe-secret.ts"
import type { OrderView } from "#order/view.ts"
import { describeReference } from "#order/view-reference.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { CommandContext } from "../../define-command.ts"
import { currentReasons } from "../../format/current-reasons.ts"
import { formatConsidered } from "../../format/format-considered.ts"
import { formatRisk, inCurrency } from "../../format/format-cost-parts.ts"
import { type Links, linksOf } from "../../format/order-links.ts"
import { findOrderId } from "../../open/find-order-id.ts"
import { openTreasury } from "../../open/find-treasury.ts"
import { openExistingJournal } from "../../open/open-journal.ts"

/**
 * Shows one order with its amounts, the place of its money, and its events. A unique beginning of
 * the id is enough.
 */
export async function showOrder(
  context: CommandContext,
  id: string,
  asked: string | null,
): Promise<number> {
  const { dataDir, config } = await openTreasury(context, asked)
  const journal = openExistingJournal({ dataDir })
  const row = mustExist(journal.findOrder(findOrderId(journal, id)), "the order of a found id")
  const decimals = config === null ? new Map() : decimalsOf(config)
  const nowMs = context.clock.now()
  const txidFormOf = txidFormsOf(config ?? { chains: [] })
  const order = viewOrderWithEvents(journal, row, { decimals, nowMs, txidFormOf })
  const reasons = currentReasons(journal, order)
  journal.close()
  const links = config === null ? {} : linksOf(order, config)
  if (context.json) context.print(plainJson(withLinks(order, links), 2))
  else context.print(formatOrder({ ...order, reasons }, { links, config, nowMs }))
  return EXIT.ok
}

function formatPayoutFee({ payoutFee, payoutFeeUnits }: OrderView): string {
  const takesNone = payoutFeeUnits === null || payoutFeeUnits === "0"
  return takesNone ? "" : ` (up to ${payoutFee} less: the redeemer's network fee)`
}

/** The links stand before the timeline. */
function withLinks({ events, calls, ...order }: ShownOrder, links: Links) {
  return { ...order, links, events, calls }
}

type ShownOrder = AnswerOf<"OrderWithEvents">

type Surroundings = {
  readonly links: Links
  readonly config: Config | null
  readonly nowMs: number
}

function describeService({ service, serviceOrderId, reported, route, solver }: ShownOrder): string {
  if (route !== undefined) return `  route     ${route.kind}${solver ? `, ${solver}` : ""}`
  const name = service === null ? "" : `${service}, `
  const redeemed = reported ? `, reported redeemed by ${reported.redeemTx}` : ""
  return `  service   ${name}${serviceOrderId ?? "no order yet"}${redeemed}`
}

/** What opens the payout: a secret, or the voucher of a route without one. */
function describeOpening({ route, ...order }: ShownOrder): string {
  if (route === undefined) return `  ${label("secret")}${describeSecret(order)}`
  return `  ${label(route.voucher)}${route.nonce === null ? "not yet" : `nonce ${route.nonce}`}`
}

function label(name: string): string {
  return name.padEnd(10)
}

function formatOrder(order: ShownOrder, { links, config, nowMs }: Surroundings): string {
  const { events, calls, nextAsk } = order
  const humanise = createHumaniser(config)
  const startMs = Date.parse(events[0]?.at ?? order.createdAt)
  const deadline = describePayoutDeadline(order, nowMs)
  const { deposit, payout } = order.route ?? { deposit: "deposit", payout: "payout" }
  const timeline = events.map(
    ({ at, type, state }) =>
      `  ${seconds(Date.parse(at) - startMs)}  ${type.padEnd(22)} → ${state}`,
  )
  const rules = [order.rule, order.secondRule].filter((rule) => rule !== null)
  const ended = order.outcome === null ? "" : `, ended ${formatSecond(order.updatedAt)}`
  return [
    `Order ${order.id} (${rules.join(" and ")})`,
    `  opened    ${formatSecond(order.createdAt)}${ended}`,
    `  sends     ${order.amount} ${order.from}`,
    `  receives  ${order.destinationAmount ?? "?"} ${order.to}${formatPayoutFee(order)}`,
    `  state     ${order.state}: ${order.money}`,
    `  who acts  ${order.who}`,
    `  ${label(deposit)}${order.deposit} ${order.depositTx ?? "none yet"}`,
    describeService(order),
    describeOpening(order),
    `  ${label(payout)}${order.destinationTx ?? "not seen by our own node"}`,
    ...(deadline === null ? [] : [`  redeem    ${deadline}`]),
    ...(nextAsk === null
      ? []
      : [`  next ask  ${formatSecond(nextAsk.at)} at the latest: ${nextAsk.why}`]),
    `  cost      ${formatCost(order, config)}`,
    ...(order.explained ?? []).map((sentence) => `  decision  ${sentence}`),
    ...Object.entries(links).map(([name, link]) => `  explorer  ${name}: ${link}`),
    ...order.affiliateFees.map(
      ({ asset, address, feeBps, amount, amountUnits }) =>
        `  affiliate ${feeBps} bps: ` +
        `${amount ?? (amountUnits === null ? "?" : `${amountUnits} smallest units of`)} ` +
        `${asset} to ${address}`,
    ),
    ...describeReference(order).map((sentence) => `  reference ${sentence}`),
    ...formatIntent(order),
    ...formatConsidered(order).map((line) => `  quote     ${line}`),
    ...formatHashes(order),
    ...order.reasons.map((reason) => {
      const { code, message } = humaniseReason(humanise, reason, order)
      return `  reason    ${code}: ${printableLine(message)}`
    }),
    ...calls.map(formatCall),
    "",
    ...timeline,
  ].join("\n")
}

/**
 * Every transaction of the two HTLCs that the service or our nodes name: a complaint to the service
 * needs them.
 */
function formatHashes({ seen, reported, reportedTxs }: OrderView): string[] {
  // The service's hash of a part that our node shows is worth a line where it is another one.
  const otherIn = (part: keyof typeof reportedTxs): string | undefined => {
    const named = reportedTxs[part]
    return named.some((tx) => tx === seen[part]?.tx) ? undefined : named.join(",")
  }
  const names = {
    "source redeemed by": seen["sourceRedeemed"]?.tx,
    "destination funded by": seen["destinationInitiated"]?.tx,
    "payout reported as": reported?.redeemTx,
    "source refunded by": seen["sourceRefunded"]?.tx,
    "deposit reported as": otherIn("sourceInitiated"),
    "destination funding reported as": otherIn("destinationInitiated"),
    "source redemption reported as": otherIn("sourceRedeemed"),
    "source refund reported as": otherIn("sourceRefunded"),
  }
  return Object.entries(names).flatMap(([name, tx]) =>
    tx === undefined || tx === "" ? [] : [`  hash      ${name} ${tx}`],
  )
}

function formatCost({ costParts, from, to }: OrderView, config: Config | null): string {
  const { swapFiat, paidUnits, paidFiat, depositAtMostFiat, refundAtMostFiat } = costParts
  const { redeemPaidUnits, redeemAtMostUnits, refundRiskFiat, lockedFiat } = costParts
  const inCoin = (units: string, asset: AssetId): string => {
    const coin = config?.chains.find(({ chain }) => chain === chainOf(asset))?.nativeCoin
    return coin === undefined
      ? `${units} smallest units`
      : `${formatUnits(BigInt(units), coin.decimals)} ${coin.symbol}`
  }
  const onSource = paidFiat === null ? inCoin(paidUnits, from) : inCurrency(paidFiat)
  const paid = redeemPaidUnits === "0" ? onSource : `${onSource} and ${inCoin(redeemPaidUnits, to)}`
  const estimates = [
    depositAtMostFiat && `${inCurrency(depositAtMostFiat)} for the deposit with its approval`,
    refundAtMostFiat && `${inCurrency(refundAtMostFiat)} more for a refund`,
    redeemAtMostUnits && `${inCoin(redeemAtMostUnits, to)} for our own redemption`,
  ].filter((estimate) => estimate !== null)
  const estimate = estimates.length === 0 ? "" : `; estimated at most ${estimates.join(", and ")}`
  return (
    `${swapFiat === null ? "unknown" : inCurrency(swapFiat)} service fee and spread; ${paid} ` +
    `of network fees paid so far${estimate}${formatRisk(refundRiskFiat, lockedFiat)}`
  )
}

/**
 * An order that waits for approval shows every field of its intent, because a person decides by
 * them.
 */
function formatIntent(order: OrderView): string[] {
  const { intent, intentFields, approval, approveBefore, people } = order
  if (intent === null) return []
  const by = approval === null ? "" : `, approved by ${approval.by} at ${approval.at}`
  if (approveBefore === null) return [`  intent    ${intent}${by}`]
  const fields = Object.entries(intentFields ?? {}).map(
    ([name, value]) => `              ${name.padEnd(20)} ${value}`,
  )
  const approved = (people?.approved ?? []).map(({ by, at }) => `, by ${by} at ${at}`).join("")
  const count =
    people === undefined
      ? []
      : [`  approved  ${people.approved.length} of ${people.needed} people${approved}`]
  return [`  intent    ${intent}, to be approved before ${approveBefore}`, ...count, ...fields]
}

/** One line about a changing request: `asked`, its time, the request and the name of the token. */
export function formatCall({ at, caller, source, action }: CallView): string {
  return `  asked     ${at}  ${action} by ${caller} (${source})`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(8)} s`
}
