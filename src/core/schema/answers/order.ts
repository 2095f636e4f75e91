import { z } from "zod"
import {
  amount,
  amountOrNull,
  assetId,
  count,
  mode,
  number,
  reason,
  reasons,
  text,
  textOrNull,
  time,
  timeOrNull,
  units,
  unitsOrNull,
} from "./leaves.ts"

export const considered = z.object({
  service: text,
  solver: text,
  receive: amount,
  receiveUnits: units,
  reasons,
})

/**
 * The parts of an order's cost. Each `…Fiat` is a decimal string in the reference currency; each
 * `…Units` is in smallest units of the source chain's own coin. `null`: not known (yet), or without
 * a price.
 */
const costParts = z.object({
  /**
   * Service fee, spread and the payout's own network fee, by the quote and the reference prices.
   */
  swapFiat: amountOrNull,
  /** Network fees of our final transactions so far. */
  paidUnits: units,
  paidFiat: amountOrNull,
  /** The highest fees of the deposit with its approval, as estimated at acceptance. */
  depositAtMostUnits: unitsOrNull,
  depositAtMostFiat: amountOrNull,
  /** The highest fees of a refund if the swap fails, as estimated at acceptance. */
  refundAtMostUnits: unitsOrNull,
  refundAtMostFiat: amountOrNull,
  /**
   * Of our own transaction that takes a route's payout, in smallest units of the destination
   * chain's own coin: its final fee so far, and the highest one, `null` where a service pays out.
   */
  redeemPaidUnits: units,
  redeemAtMostUnits: unitsOrNull,
  /** The refund by its probability at acceptance. Ceilings count it and `lockedFiat`. */
  refundRiskFiat: amountOrNull,
  /** The cost of the locked money. */
  lockedFiat: amountOrNull,
})

/**
 * `costBps`: the value lost by reference prices, negative for a gain; `null` unless both assets
 * have a price. `outliers`: the price sources that did not count.
 */
const reference = z.object({
  costBps: number.nullable(),
  outliers: z.array(
    z.object({ asset: assetId, source: text, price: amount, agreed: amount, deviationBps: number }),
  ),
})

const affiliateFee = z.object({
  asset: assetId,
  address: text,
  feeBps: number,
  amount: amountOrNull,
  amountUnits: unitsOrNull,
})

const seen = z.object({ tx: text, final: z.boolean(), at: time }).nullable()

const route = z.object({
  kind: text,
  deposit: text,
  voucher: text,
  nonce: textOrNull,
  payout: text,
  /** Which party the money depends on between deposit and payout. */
  trust: text,
})

const ownSecret = z.object({
  hash: text,
  status: z.enum(["unknown", "revealed", "withheld", "lost"]),
  revealedAt: timeOrNull,
})

/** `offerUnits`, `capUnits`: see `readPayoutDeadline`. */
const payoutDeadline = z.object({
  at: timeOrNull,
  height: unitsOrNull,
  offerUnits: unitsOrNull,
  capUnits: unitsOrNull,
})

/** The parts of `seen`, as the service names their transactions. */
const reportedTxs = z.object({
  sourceInitiated: z.array(text),
  destinationInitiated: z.array(text),
  destinationRedeemed: z.array(text),
  sourceRedeemed: z.array(text),
  sourceRefunded: z.array(text),
})

const transaction = z.object({ purpose: text, attempt: count, tx: text, raw: text })

/** Amounts are decimal strings in the asset's own unit, with `…Units` beside them. */
export const order = z.object({
  id: text,
  serviceOrderId: textOrNull,
  /** The name of the order's service; `null` before its first quote. */
  service: textOrNull,
  /** The kind of its route, as `htlc` or `cctp`; `null` before its first quote. */
  kind: textOrNull,
  /** The solver of the accepted quote. */
  solver: textOrNull,
  /** All quotes that the accepted one was chosen from; empty where one service is configured. */
  considered: z.array(considered),
  rule: text,
  /** The other rule that the order serves. */
  secondRule: textOrNull,
  from: assetId,
  to: assetId,
  amount,
  amountUnits: units,
  destinationAmount: amountOrNull,
  destinationAmountUnits: unitsOrNull,
  /** The address that is paid: our own wallet, unless the request named an allow-listed one. */
  destinationOwner: text,
  state: text,
  money: text,
  outcome: textOrNull,
  held: z.boolean(),
  deposited: z.boolean(),
  deposit: z.enum(["onchain", "gasless"]),
  depositTx: textOrNull,
  destinationTx: textOrNull,
  refundTx: textOrNull,
  /** What the order sends, by its quote, in the reference currency. */
  fiat: amountOrNull,
  costBps: number.nullable(),
  /** The swap and our network fees so far; `null` where a part is unknown. */
  costFiat: amountOrNull,
  costParts,
  /** The quote against our own prices of its moment; absent where none of its assets has one. */
  reference: reference.exactOptional(),
  /** The hash that an approval is bound to, over the effects in `intentFields`. */
  intent: textOrNull,
  /** The effects of the verified deposit. */
  intentFields: z.record(text, text).nullable(),
  approval: z.object({ by: text, at: time }).nullable(),
  /** The caller that asked for the order; absent for those of rules. */
  askedBy: text.exactOptional(),
  /** The people so far, of an order that needs several. */
  people: z
    .object({ needed: z.number(), approved: z.array(z.object({ by: text, at: time })) })
    .exactOptional(),
  /** The time until which an operator can approve. */
  approveBefore: timeOrNull,
  networkFeeUnits: units,
  /**
   * The most that the redeemer's own network fee may take from the payout: so much less may arrive.
   * `null` before the first quote.
   */
  payoutFee: amountOrNull,
  payoutFeeUnits: unitsOrNull,
  /** As requested; once the order is verified, as the service recorded it, with the payout. */
  affiliateFees: z.array(affiliateFee),
  /** The service's report. */
  reported: z.object({ redeemTx: text, at: time }).nullable(),
  /** The observations of our own nodes, each with its time. */
  seen: z.record(text, seen),
  /** As our own nodes write the ids. One that both name stands first. */
  reportedTxs,
  refundableAtHeight: unitsOrNull,
  /**
   * The order takes another kind of route than HTLCs: what its parts are called, and the nonce of
   * the voucher once it is known. Absent: two HTLCs.
   */
  route: route.exactOptional(),
  /**
   * The party that chose the order's secret; `null` before the service has the order, and on routes
   * without a secret.
   */
  secret: z.enum(["own", "service"]).nullable(),
  /** Absent: the service chose the secret. No view has the secret before its redemption. */
  ownSecret: ownSecret.exactOptional(),
  /**
   * The time in which the payout of our told secret must be redeemed. Absent: no secret of ours is
   * told, or the payout is redeemed, or the order has ended.
   */
  payoutDeadline: payoutDeadline.exactOptional(),
  transactions: z.array(transaction),
  reasons,
  who: text,
  createdAt: time,
  updatedAt: time,
})

/** `next`: the cursor of the next page; `null` at the end. */
export const orders = z.object({ orders: z.array(order), next: textOrNull })

/** The body of an event is the event as the journal has it; its fields depend on its type. */
const event = z.object({ at: time, type: text, state: text, body: z.unknown() })
export const call = z.object({ at: time, caller: text, source: text, action: text })
/**
 * The next time at which Ballast asks the service and the chains about the order, at the latest;
 * `null` without work.
 */
const nextAsk = z.object({ at: time, why: text }).nullable()

/**
 * Of an order that waits for approval: the payouts to its address among the newest `of` completed
 * swaps to its asset, and the time of the first of them.
 */
const payee = z.object({ uses: count, of: count, since: timeOrNull })

/** The medians of its route: from the request to the deposit, to the payout, and to the end. */
const usual = z.object({ depositMs: number, payoutMs: number, endMs: number })

export const orderWithEvents = order.extend({
  nextAsk,
  /** `null` while too few orders of its route are completed. */
  usual: usual.nullable(),
  payee: payee.exactOptional(),
  events: z.array(event),
  calls: z.array(call),
  /** Sentences of the decision that asked for it; empty where there is none. */
  explained: z.array(text).exactOptional(),
})

export const acceptedSwap = z.object({ id: text })
/** `id`: the order that was opened under the key before; `null` when none is and none will be. */
export const withdrawnKey = z.object({ id: textOrNull })
export const operatedOrder = z.object({ id: text, state: text })

/**
 * The highest network fees, in the chain's own coin. `redeem`: of our own transaction that takes a
 * route's payout, in the coin of the destination.
 */
const fees = z.object({ deposit: text, refund: text, redeem: text.exactOptional() })

/** The best quote of this moment for a swap, and the judgement of the guards. */
export const quote = z.object({
  at: time,
  from: text,
  to: text,
  amount,
  /** `null` without a quote; `refused` says why. */
  receive: amountOrNull,
  service: textOrNull,
  solver: textOrNull,
  sendsFiat: amountOrNull,
  receivesFiat: amountOrNull,
  costBps: number.nullable(),
  estimatedSeconds: number.nullable(),
  /** `null` where they cannot be estimated now. */
  fees: fees.nullable(),
  needsApproval: z.boolean(),
  /** The reasons with which the daemon would refuse the swap now. */
  refused: reasons,
  /** What the worst case costs, sentence by sentence. */
  worstCase: z.array(text),
})

const dryQuote = z.object({
  service: textOrNull,
  solver: text,
  sends: amountOrNull,
  receives: amountOrNull,
  sendsFiat: amountOrNull,
  receivesFiat: amountOrNull,
  costBps: number.nullable(),
  estimatedSeconds: number.nullable(),
})

const signature = z.object({
  purpose: z.enum(["approve", "deposit", "gasless"]),
  what: z.enum(["transaction", "typed data"]),
  /** The digest that the key would sign; `null` for typed data, and before the bytes are known. */
  digest: textOrNull,
  /** The highest network fee, in the chain's native coin. */
  maxFee: textOrNull,
  content: z.unknown(),
  /** Why the exact bytes are not known yet. */
  reasons,
})

/** The deposit is made, and nothing follows. */
const worstCase = z.object({
  locked: text,
  timelock: text,
  lockedForSeconds: number,
  refundedBy: text,
  /** `null` where they cannot be estimated. */
  fees: fees.nullable(),
  /** `null` where nothing returns the deposit. */
  refund: z.looseObject({ who: text, when: text, how: z.array(text) }).nullable(),
  sentences: z.array(text),
})

/** Everything that a person can know about a swap before the first signature. */
export const dryRun = z.object({
  /** The guards accept the request, and the deposit agrees with the order. */
  ok: z.boolean(),
  from: assetId,
  to: assetId,
  amount: amountOrNull,
  /** In observe mode the daemon refuses every swap, also this one. */
  mode,
  /** The service's id of the order that the dry run created. It is unfunded and lapses. */
  serviceOrderId: textOrNull,
  refused: reasons,
  findings: reasons,
  needsApproval: z.boolean(),
  quote: dryQuote.nullable(),
  /** The decoded deposit, field by field. */
  deposit: z.record(text, z.unknown()).nullable(),
  intent: textOrNull,
  /** The signatures that the swap would need, in their order. */
  signatures: z.array(signature),
  worstCase: worstCase.nullable(),
  /** Service or node asked to wait: a later dry run may go further. */
  unfinished: z.boolean(),
})

const recovered = z.object({
  service: text,
  orderId: text,
  from: text,
  to: text,
  status: z.enum(["found", "adopted", "over", "unfunded", "unclear"]),
  hasOwnSecret: z.boolean(),
  id: textOrNull,
  reasons,
})

export const recovery = z.object({
  orders: z.array(recovered),
  unread: z.array(z.object({ service: text, chain: text, reasons: z.array(reason) })),
  leftOut: z.int().nonnegative(),
})
