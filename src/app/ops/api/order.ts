import { z } from "zod"
import {
  amount,
  amountOrNull,
  count,
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

const considered = z.object({
  service: text,
  solver: text,
  receive: amount,
  receiveUnits: units,
  reasons,
})

const costParts = z.object({
  swapFiat: amountOrNull,
  paidUnits: units,
  paidFiat: amountOrNull,
  depositAtMostUnits: unitsOrNull,
  depositAtMostFiat: amountOrNull,
  refundAtMostUnits: unitsOrNull,
  refundAtMostFiat: amountOrNull,
  refundRiskFiat: amountOrNull,
  lockedFiat: amountOrNull,
})

const affiliateFee = z.object({
  asset: text,
  address: text,
  feeBps: number,
  amount: amountOrNull,
  amountUnits: unitsOrNull,
})

const seen = z.object({ tx: text, final: z.boolean(), at: time }).nullable()

const ownSecret = z.object({
  hash: text,
  status: z.enum(["unknown", "revealed", "withheld", "lost"]),
  revealedAt: timeOrNull,
})

const payoutDeadline = z.object({ at: timeOrNull, height: unitsOrNull, offerUnits: unitsOrNull })

/** `src/core/order/view.ts` explains the fields. */
/** The parts of `seen`, as the service names their transactions. */
const reportedTxs = z.object({
  sourceInitiated: z.array(text),
  destinationInitiated: z.array(text),
  destinationRedeemed: z.array(text),
  sourceRedeemed: z.array(text),
  sourceRefunded: z.array(text),
})

export const order = z.object({
  id: text,
  serviceOrderId: textOrNull,
  service: textOrNull,
  solver: textOrNull,
  considered: z.array(considered),
  rule: text,
  secondRule: textOrNull,
  from: text,
  to: text,
  amount,
  amountUnits: units,
  destinationAmount: amountOrNull,
  destinationAmountUnits: unitsOrNull,
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
  costBps: number.nullable(),
  costParts,
  intent: textOrNull,
  intentFields: z.record(text, text).nullable(),
  approval: z.object({ by: text, at: time }).nullable(),
  approveBefore: timeOrNull,
  networkFeeUnits: units,
  payoutFee: amountOrNull,
  payoutFeeUnits: unitsOrNull,
  affiliateFees: z.array(affiliateFee),
  reported: z.object({ redeemTx: text, at: time }).nullable(),
  seen: z.record(text, seen),
  reportedTxs,
  refundableAtHeight: unitsOrNull,
  secret: z.enum(["own", "service"]).nullable(),
  ownSecret: ownSecret.exactOptional(),
  payoutDeadline: payoutDeadline.exactOptional(),
  transactions: z.array(z.object({ purpose: text, attempt: count, tx: text, raw: text })),
  reasons,
  who: text,
  createdAt: time,
  updatedAt: time,
})

export const orders = z.object({ orders: z.array(order) })

/** The body of an event is the event as the journal has it; its fields depend on its type. */
const event = z.object({ at: time, type: text, state: text, body: z.unknown() })
const call = z.object({ at: time, caller: text, source: text, action: text })
/**
 * The next time at which Ballast asks the service and the chains about the order, at the latest;
 * `null` without work.
 */
const nextAsk = z.object({ at: time, why: text }).nullable()

export const orderWithEvents = order.extend({
  nextAsk,
  events: z.array(event),
  calls: z.array(call),
})

export const acceptedSwap = z.object({ id: text })
/** `id`: the order that was opened under the key before; `null` when none is and none will be. */
export const withdrawnKey = z.object({ id: textOrNull })
export const operatedOrder = z.object({ id: text, state: text })

/** `src/app/daemon/views/view-quote.ts` explains the fields. */
export const quote = z.object({
  at: time,
  from: text,
  to: text,
  amount,
  receive: amountOrNull,
  service: textOrNull,
  solver: textOrNull,
  sendsFiat: amountOrNull,
  receivesFiat: amountOrNull,
  costBps: number.nullable(),
  estimatedSeconds: number.nullable(),
  fees: z.object({ deposit: text, refund: text }).nullable(),
  needsApproval: z.boolean(),
  refused: reasons,
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
  digest: textOrNull,
  maxFee: textOrNull,
  content: z.unknown(),
  reasons,
})

const worstCase = z.object({
  locked: text,
  timelock: text,
  lockedForSeconds: number,
  refundedBy: text,
  fees: z.object({ deposit: text, refund: text }).nullable(),
  refund: z.looseObject({ who: text, when: text, how: z.array(text) }),
  sentences: z.array(text),
})

/** `src/app/daemon/views/view-dry-run.ts` explains the fields. */
export const dryRun = z.object({
  ok: z.boolean(),
  from: text,
  to: text,
  amount: amountOrNull,
  mode: z.enum(["live", "observe"]),
  serviceOrderId: textOrNull,
  refused: reasons,
  findings: reasons,
  needsApproval: z.boolean(),
  quote: dryQuote.nullable(),
  deposit: z.record(text, z.unknown()).nullable(),
  intent: textOrNull,
  signatures: z.array(signature),
  worstCase: worstCase.nullable(),
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
})
