import { chainOf } from "#domain/asset.ts"
import type { FeeBudget, OrderPolicy } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { budgetOf } from "#engine/rules/budget.ts"
import { valueOrder } from "#guards/order-value.ts"
import type { Reference } from "#guards/price.ts"
import { mustExist } from "#lib/assert.ts"
import {
  createOrderData,
  type MinedTransaction,
  type OrderData,
  type QuotePrices,
  type SeenOnChain,
  type TransactionTrack,
} from "#order/data.ts"
import { OURS } from "../ours.ts"
import type { SimulatedOrder } from "../simulated-journal.ts"

type AcceptedOrder = {
  readonly id: string
  readonly rule: string
  readonly secondRule: string | null
  readonly occurrence: string | null
  readonly destination: string | null
  readonly quote: Quote
  readonly reference: Reference
  readonly prices: QuotePrices
  readonly decimals: { readonly from: number; readonly to: number }
  readonly policy: OrderPolicy
  readonly feeBudget: FeeBudget
  readonly nowMs: number
}

/** An admitted order with its quote: the data that a real order has before its deposit. */
export function openBacktestOrder(init: AcceptedOrder): SimulatedOrder {
  const { id, rule, secondRule, occurrence, quote, reference, policy, feeBudget, nowMs } = init
  const { from, to, sourceUnits, destinationUnits } = quote
  const owners = { sourceOwner: OURS, destinationOwner: init.destination ?? OURS }
  const request = { from, to, sourceUnits, ...owners }
  const shared = secondRule === null ? {} : { secondRule }
  const input = {
    id,
    rule,
    ...shared,
    occurrence,
    request,
    policy,
    feeBudget,
    createdAt: nowMs,
    nonce: id,
  }
  const created = createOrderData(input)
  const data: OrderData = {
    ...created,
    quote,
    value: valueOrder(quote, reference, init.decimals),
    prices: init.prices,
    terms: { ...request, destinationUnits },
  }
  return stateOf(data, "quoting", { outcome: null, deposited: false, returning: false })
}

/** The deposit is in a block. `feeUnits` is `null` when a relay paid the fee. */
export function depositOrder(
  { data }: SimulatedOrder,
  feeUnits: bigint | null,
  nowMs: number,
): SimulatedOrder {
  const seen = seenAt(`deposit-${data.id}`, nowMs)
  const paid: OrderData = {
    ...data,
    seen: { ...data.seen, sourceInitiated: seen },
    mined:
      feeUnits === null
        ? data.mined
        : [...data.mined, minedTransaction("deposit", seen.txid, feeUnits)],
    gasless:
      feeUnits === null
        ? { digest: "", signature: "", signedAt: nowMs, submissions: 1, refused: false }
        : null,
    networkFeeUnits: data.networkFeeUnits + (feeUnits ?? 0n),
  }
  return stateOf(paid, "funded", { outcome: null, deposited: true, returning: false })
}

/** `feeUnits`: of our own redemption; none where the service redeems. */
export function completeOrder({ data }: SimulatedOrder, feeUnits: bigint): SimulatedOrder {
  const units = mustExist(data.quote, "the quote of an order").destinationUnits
  const txid = `payout-${data.id}`
  const redeemed = feeUnits === 0n ? [] : [minedTransaction("redeem", txid, feeUnits)]
  const mined = [...data.mined, ...redeemed]
  const paid = { ...data, mined, receipt: { txid, units }, paidUnits: units }
  return stateOf(paid, "completed", { outcome: "completed", deposited: true, returning: false })
}

/** No solver will fill the order: it waits for its timelock, and its deposit counts as incoming. */
export function markUnfilled(order: SimulatedOrder): SimulatedOrder {
  return { ...order, returning: true }
}

/**
 * The deposit is back in the wallet. On Bitcoin the fee comes out of the refund, so the wallet gets
 * less.
 */
export function refundOrder(
  { data }: SimulatedOrder,
  feeUnits: bigint,
  takenOut: boolean,
): SimulatedOrder {
  const txid = `refund-${data.id}`
  const units = data.request.sourceUnits - (takenOut ? feeUnits : 0n)
  const back: OrderData = {
    ...data,
    returned: { txid, units },
    mined: takenOut ? data.mined : [...data.mined, minedTransaction("refund", txid, feeUnits)],
    transactions: { ...data.transactions, refund: signedRefund(data, txid, feeUnits) },
    networkFeeUnits: data.networkFeeUnits + feeUnits,
  }
  return stateOf(back, "refunded", { outcome: "refunded", deposited: true, returning: false })
}

/** The order ended before its deposit. */
export function rejectOrder({ data }: SimulatedOrder): SimulatedOrder {
  return stateOf(data, "rejected", { outcome: "rejected", deposited: false, returning: false })
}

/**
 * Whether a relay makes the deposit: the configuration must allow it, and the asset must be a
 * token.
 */
export function isRelayed({ way }: OrderPolicy, sourceIsNative: boolean): boolean {
  return way !== "onchain" && !sourceIsNative
}

function stateOf(
  data: OrderData,
  state: string,
  rest: Pick<SimulatedOrder, "outcome" | "deposited" | "returning">,
): SimulatedOrder {
  return { data, budget: budgetOf(state, data), ...rest }
}

function seenAt(txid: string, at: number): SeenOnChain {
  return { txid, height: 1n, final: true, at }
}

function minedTransaction(
  kind: MinedTransaction["purpose"],
  txid: string,
  feeUnits: bigint,
): MinedTransaction {
  return { purpose: kind, txid, ok: true, height: 1n, final: true, feeUnits, heldUnits: 0n }
}

/** The books recognise our refund by its transaction. */
function signedRefund({ request }: OrderData, txid: string, maxFeeUnits: bigint): TransactionTrack {
  const plan: TransactionPlan = {
    chain: chainOf(request.from),
    account: OURS,
    action: "refund",
    attempt: 0,
    unsigned: "",
    digest: "",
    resources: [],
    spends: [],
    maxFeeUnits,
    fromHeight: 1n,
    expiresAtHeight: null,
  }
  const mined = { txid, height: 1n, final: true }
  return { plan: null, signed: [{ plan, raw: "", txid }], sentAt: null, mined }
}
