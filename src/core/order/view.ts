import { formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { isSameTxid, readReportedTxids, type TxidForm } from "#domain/route/reported-txids.ts"
import { quoteCostBps } from "#guards/price.ts"
import { approvableUntil, type OrderData, payoutToleranceOf, type SeenOnChain } from "./data.ts"
import { readPayoutDeadline } from "./payout-deadline.ts"
import { isFinal, STATES } from "./states.ts"
import type { Order } from "./step.ts"
import { type OrderCostView, viewOrderCost } from "./view-cost.ts"

/**
 * An order as the API and the command line show it. Amounts are decimal strings in the asset's own
 * unit, with `…Units` beside them.
 */
export type OrderView = {
  readonly id: string
  readonly serviceOrderId: string | null
  /**
   * The name of the order's service; `null` before its first quote, and for orders of an earlier
   * version.
   */
  readonly service: string | null
  /** The solver of the accepted quote. */
  readonly solver: string | null
  /**
   * All quotes that the accepted one was chosen from, and why the others lost; empty where only one
   * service is configured.
   */
  readonly considered: readonly {
    readonly service: string
    readonly solver: string
    readonly receive: string
    readonly receiveUnits: string
    readonly reasons: readonly Reason[]
  }[]
  readonly rule: string
  /** The other rule that the order serves. */
  readonly secondRule: string | null
  readonly from: AssetId
  readonly to: AssetId
  readonly amount: string
  readonly amountUnits: string
  readonly destinationAmount: string | null
  readonly destinationAmountUnits: string | null
  /** The address that is paid: our own wallet, unless the request named an allow-listed address. */
  readonly destinationOwner: string
  readonly state: string
  readonly money: string
  readonly outcome: string | null
  readonly held: boolean
  readonly deposited: boolean
  readonly deposit: "onchain" | "gasless"
  readonly depositTx: string | null
  readonly destinationTx: string | null
  readonly refundTx: string | null
  readonly costBps: number | null
  readonly costParts: OrderCostView
  /**
   * The hash that an approval is bound to, over the effects of the verified deposit in
   * `intentFields`.
   */
  readonly intent: string | null
  readonly intentFields: Readonly<Record<string, string>> | null
  readonly approval: { readonly by: string; readonly at: string } | null
  /** The time until which an operator can approve. */
  readonly approveBefore: string | null
  readonly networkFeeUnits: string
  /**
   * The most that the redeemer's own network fee may take from the payout: so much less may arrive.
   * `null` before the first quote.
   */
  readonly payoutFee: string | null
  readonly payoutFeeUnits: string | null
  /** As requested; once the order is verified, as the service recorded it, with the payout. */
  readonly affiliateFees: readonly {
    readonly asset: AssetId
    readonly address: string
    readonly feeBps: number
    readonly amount: string | null
    readonly amountUnits: string | null
  }[]
  /** The service's report, and below it the observation of our own nodes, each with its time. */
  readonly reported: { readonly redeemTx: string; readonly at: string } | null
  readonly seen: {
    readonly [what: string]: {
      readonly tx: string
      readonly final: boolean
      readonly at: string
    } | null
  }
  /**
   * The transactions that the service names for each part of `seen`, as our own nodes write them.
   * One that both name stands first.
   */
  readonly reportedTxs: ReportedTxs
  readonly refundableAtHeight: string | null
  /** The party that chose the order's secret; `null` before the service has the order. */
  readonly secret: "own" | "service" | null
  /**
   * Ballast chose the order's secret. Absent: the service did. The secret itself is in no view
   * before its redemption.
   */
  readonly ownSecret?: {
    readonly hash: string
    readonly status: "unknown" | "revealed" | "withheld" | "lost"
    readonly revealedAt: string | null
  }
  /**
   * The time in which the payout of our told secret must be redeemed. Absent: no secret of ours is
   * told, or the payout is redeemed, or the order has ended. `offerUnits`: see
   * `readPayoutDeadline`.
   */
  readonly payoutDeadline?: {
    readonly at: string | null
    readonly height: string | null
    readonly offerUnits: string | null
  }
  readonly transactions: readonly {
    readonly purpose: string
    readonly attempt: number
    readonly tx: string
    readonly raw: string
  }[]
  readonly reasons: readonly Reason[]
  readonly who: string
  readonly createdAt: string
  readonly updatedAt: string
}

export type ReportedTxs = {
  readonly sourceInitiated: readonly string[]
  readonly destinationInitiated: readonly string[]
  readonly destinationRedeemed: readonly string[]
  readonly sourceRedeemed: readonly string[]
  readonly sourceRefunded: readonly string[]
}

type Decimals = ReadonlyMap<AssetId, number>

/** How the chain of an asset writes transaction ids; `null` for a chain that is not configured. */
export type TxidFormOf = (asset: AssetId) => TxidForm | null

/** Without `txidFormOf` an id that only the service names keeps the service's notation. */
export function viewOrder(
  order: Order,
  decimals: Decimals,
  updatedAtMs: number,
  txidFormOf: TxidFormOf = () => null,
): OrderView {
  const { state, data } = order
  return {
    ...viewRequest(data, decimals),
    state,
    money: STATES[state].money,
    outcome: isFinal(state) ? state : null,
    held: state === "held",
    ...viewDeposit(data),
    costBps: costBpsOf(data),
    costParts: viewOrderCost(data),
    ...viewApproval(order),
    networkFeeUnits: data.networkFeeUnits.toString(),
    ...viewPayoutFee(data, decimals),
    affiliateFees: viewAffiliateFees(data, decimals),
    ...viewLegs(data, txidFormOf),
    ...viewSecret(data),
    ...viewPayoutDeadline(order),
    transactions: Object.entries(data.transactions).flatMap(([purpose, track]) =>
      track.signed.map(({ plan, txid, raw }) => ({
        purpose,
        attempt: plan.attempt,
        tx: txid,
        raw,
      })),
    ),
    reasons: data.reasons,
    who: STATES[state].who,
    createdAt: viewTime(data.createdAt),
    updatedAt: viewTime(updatedAtMs),
  }
}

function viewSecret({ ownSecret, created }: OrderData): Pick<OrderView, "secret" | "ownSecret"> {
  if (ownSecret == null) return { secret: created === null ? null : "service" }
  const { hash, status, revealedAt } = ownSecret
  return {
    secret: "own",
    ownSecret: { hash, status, revealedAt: revealedAt === null ? null : viewTime(revealedAt) },
  }
}

function viewPayoutDeadline({ state, data }: Order): Pick<OrderView, "payoutDeadline"> {
  const deadline = isFinal(state) ? null : readPayoutDeadline(data)
  if (deadline === null) return {}
  const { atMs, height, offerUnits } = deadline
  return {
    payoutDeadline: {
      at: atMs === null ? null : viewTime(atMs),
      height: height?.toString() ?? null,
      offerUnits: offerUnits?.toString() ?? null,
    },
  }
}

function viewRequest(
  data: OrderData,
  decimals: Decimals,
): Pick<
  OrderView,
  | "id"
  | "serviceOrderId"
  | "service"
  | "solver"
  | "considered"
  | "rule"
  | "secondRule"
  | "from"
  | "to"
  | "amount"
  | "amountUnits"
  | "destinationAmount"
  | "destinationAmountUnits"
  | "destinationOwner"
> {
  const { from, to, sourceUnits, destinationOwner } = data.request
  const show = (units: bigint, asset: AssetId): string =>
    formatUnits(units, decimals.get(asset) ?? 0)
  const destinationUnits =
    data.paidUnits ?? data.terms?.destinationUnits ?? data.quote?.destinationUnits ?? null
  return {
    id: data.id,
    serviceOrderId: data.created?.orderId ?? null,
    service: data.service ?? null,
    solver: data.quote?.solverId || null,
    considered: (data.considered ?? []).map(
      ({ service, solverId, destinationUnits: receiveUnits, reasons }) => ({
        service,
        solver: solverId,
        receive: show(receiveUnits, to),
        receiveUnits: receiveUnits.toString(),
        reasons,
      }),
    ),
    rule: data.rule,
    secondRule: data.secondRule ?? null,
    from,
    to,
    amount: show(sourceUnits, from),
    amountUnits: sourceUnits.toString(),
    destinationAmount: destinationUnits === null ? null : show(destinationUnits, to),
    destinationAmountUnits: destinationUnits?.toString() ?? null,
    destinationOwner,
  }
}

function viewDeposit(
  data: OrderData,
): Pick<OrderView, "deposited" | "deposit" | "depositTx" | "destinationTx" | "refundTx"> {
  const { seen } = data
  return {
    deposited: seen.sourceInitiated !== null,
    deposit: wayOf(data),
    depositTx: depositTx(data),
    destinationTx: seen.destinationRedeemed?.txid ?? null,
    refundTx: seen.sourceRefunded?.txid ?? null,
  }
}

function costBpsOf({ quote }: OrderData): number | null {
  const costBps = quote === null ? null : quoteCostBps(quote)
  return costBps === null ? null : Number(costBps)
}

function viewPayoutFee(
  data: OrderData,
  decimals: Decimals,
): Pick<OrderView, "payoutFee" | "payoutFeeUnits"> {
  if (data.quote === null) return { payoutFee: null, payoutFeeUnits: null }
  const units = payoutToleranceOf(data)
  return {
    payoutFee: formatUnits(units, decimals.get(data.request.to) ?? 0),
    payoutFeeUnits: units.toString(),
  }
}

function viewApproval({
  state,
  data,
}: Order): Pick<OrderView, "intent" | "intentFields" | "approval" | "approveBefore"> {
  const { intent, approvedBy, approvedAt } = data
  return {
    intent: intent?.hash ?? null,
    intentFields: intent?.fields ?? null,
    approval: approvedBy === null ? null : { by: approvedBy, at: viewTime(approvedAt ?? 0) },
    approveBefore: state === "awaiting-approval" ? viewTime(approvableUntil(data)) : null,
  }
}

function viewLegs(
  data: OrderData,
  txidFormOf: TxidFormOf,
): Pick<OrderView, "reported" | "seen" | "reportedTxs" | "refundableAtHeight"> {
  const { reportedAt, seen } = data
  const reportedTxs = viewReportedTxs(data, txidFormOf)
  const redeemTx = reportedTxs.destinationRedeemed.join(",")
  return {
    reported: reportedAt === null ? null : { redeemTx, at: viewTime(reportedAt) },
    seen: {
      sourceInitiated: viewSeen(seen.sourceInitiated),
      destinationInitiated: viewSeen(seen.destinationInitiated),
      destinationRedeemed: viewSeen(seen.destinationRedeemed),
      sourceRedeemed: viewSeen(seen.sourceRedeemed),
      sourceRefunded: viewSeen(seen.sourceRefunded),
    },
    reportedTxs,
    refundableAtHeight: seen.refundableAtHeight?.toString() ?? null,
  }
}

function viewReportedTxs(data: OrderData, txidFormOf: TxidFormOf): ReportedTxs {
  const { request, serviceOrder, seen } = data
  const sourceForm = txidFormOf(request.from)
  const destinationForm = txidFormOf(request.to)
  type Text = string | null | undefined
  const view = (text: Text, form: TxidForm | null, part: keyof ReportedTxs): readonly string[] => {
    const reported = readReportedTxids(text ?? null, form)
    const own = seen[part]?.txid
    if (own === undefined || !reported.some((id) => isSameTxid(id, own))) return reported
    return [own, ...reported.filter((id) => !isSameTxid(id, own))]
  }
  const source = serviceOrder?.source
  const destination = serviceOrder?.destination
  return {
    sourceInitiated: view(source?.initiateTx, sourceForm, "sourceInitiated"),
    destinationInitiated: view(destination?.initiateTx, destinationForm, "destinationInitiated"),
    destinationRedeemed: view(destination?.redeemTx, destinationForm, "destinationRedeemed"),
    sourceRedeemed: view(source?.redeemTx, sourceForm, "sourceRedeemed"),
    sourceRefunded: view(source?.refundTx, sourceForm, "sourceRefunded"),
  }
}

function viewAffiliateFees(
  { serviceOrder, policy }: OrderData,
  decimals: Decimals,
): OrderView["affiliateFees"] {
  const asked = (policy.affiliateFees ?? []).map((fee) => ({ ...fee, units: null }))
  return (serviceOrder?.affiliateFees ?? asked).map(({ asset, address, feeBps, units }) => ({
    asset,
    address,
    feeBps,
    amount: formatKnown(units, decimals.get(asset)),
    amountUnits: units?.toString() ?? null,
  }))
}

/**
 * `null` for an unknown amount, and for an asset that is not configured: its decimals are unknown.
 */
function formatKnown(units: bigint | null, decimals: number | undefined): string | null {
  return units === null || decimals === undefined ? null : formatUnits(units, decimals)
}

/** The way of the deposit: a relayed signature, or a transaction of our own. */
function wayOf(data: OrderData): "onchain" | "gasless" {
  return data.gasless !== null && data.transactions.deposit.signed.length === 0
    ? "gasless"
    : "onchain"
}

function depositTx(data: OrderData): string | null {
  return (
    data.seen.sourceInitiated?.txid ??
    data.transactions.deposit.mined?.txid ??
    data.transactions.deposit.signed.at(-1)?.txid ??
    null
  )
}

function viewSeen(seen: SeenOnChain | null): { tx: string; final: boolean; at: string } | null {
  return seen === null ? null : { tx: seen.txid, final: seen.final, at: viewTime(seen.at) }
}

function viewTime(atMs: number): string {
  return new Date(atMs).toISOString()
}
