import { formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { isSameTxid, readReportedTxids, type TxidForm } from "#domain/route/reported-txids.ts"
import { HTLC, kindOf } from "#domain/route/route-kind.ts"
import { quoteCostBps } from "#guards/price.ts"
import { decideApprovers } from "#guards/requires-approval.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { approvableUntil, type OrderData, type SeenOnChain } from "./data.ts"
import { abilitiesOf, partsOf, wordsOf } from "./kinds/registry.ts"
import { readPayoutDeadline } from "./payout-deadline.ts"
import { isFinal } from "./states.ts"
import type { Order } from "./step.ts"
import { viewOrderCost } from "./view-cost.ts"
import { viewReference } from "./view-reference.ts"

export type OrderView = AnswerOf<"Order">
type ReportedTxs = OrderView["reportedTxs"]

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
  const words = wordsOf(state, kindOf(data.quote))
  return {
    ...viewRequest(data, decimals),
    state,
    money: words.money,
    outcome: isFinal(state) ? state : null,
    held: state === "held",
    ...viewDeposit(data),
    costBps: costBpsOf(data),
    ...viewOrderCost(data),
    ...viewReference(data, decimals),
    ...viewApproval(order),
    networkFeeUnits: data.networkFeeUnits.toString(),
    ...viewPayoutFee(data, decimals),
    affiliateFees: viewAffiliateFees(data, decimals),
    ...viewLegs(data, txidFormOf),
    ...viewRoute(data),
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
    who: words.who,
    createdAt: viewTime(data.createdAt),
    updatedAt: viewTime(updatedAtMs),
  }
}

function viewRoute({ quote, voucher }: OrderData): Pick<OrderView, "route"> {
  const kind = kindOf(quote)
  return kind === HTLC ? {} : { route: { kind, ...partsOf(kind), nonce: voucher?.nonce ?? null } }
}

function viewSecret({
  quote,
  ownSecret,
  created,
}: OrderData): Pick<OrderView, "secret" | "ownSecret"> {
  const hasSecret = abilitiesOf({ quote }).redeem === "secret"
  if (ownSecret == null) return { secret: hasSecret && created !== null ? "service" : null }
  const { hash, status, revealedAt } = ownSecret
  return {
    secret: "own",
    ownSecret: { hash, status, revealedAt: revealedAt === null ? null : viewTime(revealedAt) },
  }
}

function viewPayoutDeadline({ state, data }: Order): Pick<OrderView, "payoutDeadline"> {
  const deadline = isFinal(state) ? null : readPayoutDeadline(data)
  if (deadline === null) return {}
  const { atMs, height, offerUnits, capUnits } = deadline
  return {
    payoutDeadline: {
      at: atMs === null ? null : viewTime(atMs),
      height: height?.toString() ?? null,
      offerUnits: offerUnits?.toString() ?? null,
      capUnits: capUnits?.toString() ?? null,
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
  | "kind"
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
    service: data.service,
    kind: data.quote === null ? null : kindOf(data.quote),
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
  const units = data.payoutFeeUnits
  return {
    payoutFee: formatUnits(units, decimals.get(data.request.to) ?? 0),
    payoutFeeUnits: units.toString(),
  }
}

function viewApproval({
  state,
  data,
}: Order): Pick<
  OrderView,
  "intent" | "intentFields" | "approval" | "approveBefore" | "askedBy" | "people"
> {
  const { intent, approvedBy, approvedAt, approvals = [], askedBy } = data
  const needed = decideApprovers(data)
  return {
    ...(askedBy === undefined ? {} : { askedBy }),
    ...(needed < 2
      ? {}
      : {
          people: { needed, approved: approvals.map(({ by, at }) => ({ by, at: viewTime(at) })) },
        }),
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
