import { createHash } from "node:crypto"
import type { TransactionPlan } from "#domain/transaction.ts"
import { applyEvent } from "#engine/orders/stepper.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { decodeOrder, type Order } from "#order/step.ts"
import { NOTHING_SEEN, SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import type { LimitsWorld } from "./limits-world.ts"
import { FEE } from "./limits-world.ts"

export function readOrder({ context }: LimitsWorld, id: string): Order {
  return decodeOrder(context.journal.findOrder(id)?.snapshot ?? "")
}

/**
 * The steps of an order as events for the machine. The caller books the chain's side. This one ends
 * an order before any signature.
 */
export function reject(world: LimitsWorld, id: string): void {
  apply(world, id, { type: "order.declined", reasons: [{ code: "test", message: "no" }] })
}

export function abandon(world: LimitsWorld, id: string): void {
  apply(world, id, { type: "operator.abandoned", by: "a" })
}

/** Takes an order from its accepted quote to a mined deposit with a fee of `feeUnits`. */
export function deposit(world: LimitsWorld, id: string, feeUnits: bigint): void {
  const { request, quote } = readOrder(world, id).data
  const { from, to, sourceUnits, sourceOwner, destinationOwner } = request
  const destinationUnits = quote?.destinationUnits ?? 0n
  const terms = { from, to, sourceUnits, destinationUnits, sourceOwner, destinationOwner }
  const secretHash = createHash("sha256").update(id).digest("hex")
  const plan = {
    ...samplePlan("deposit", 0),
    maxFeeUnits: FEE.depositUnits,
    resources: [`nonce:${id}`],
  }
  const events: UntimedOrderEvent[] = [
    { type: "order.created", created: { ...SAMPLE.created, orderId: id }, terms },
    {
      type: "deposit.verified",
      deposit: { ...SAMPLE.deposit, secretHash, units: sourceUnits },
      serviceOrder: SAMPLE.order,
      sendUntilMs: world.clock.now() + 1_000_000,
      fromHeights: { source: 0n, destination: 0n },
      needsApproval: false,
      intent: { hash: id, fields: {} },
    },
    { type: "allowance.ready", way: "onchain" },
    { type: "transaction.planned", plan },
    { type: "transaction.signed", transaction: sampleTransaction(plan) },
    { type: "transaction.sent", txid: "t" },
    { type: "transaction.mined", txid: `t${id}`, ok: true, height: 1n, final: true, feeUnits },
  ]
  claim(world, id, "deposit", plan)
  for (const event of events) apply(world, id, event)
}

export function complete(world: LimitsWorld, id: string): void {
  observe(world, id, { paid: true, refunded: false })
}

/** Refunds an order with a transaction of its own, with a fee of `feeUnits`. */
export function refund(world: LimitsWorld, id: string, feeUnits: bigint): void {
  const plan = {
    ...samplePlan("refund", 0),
    maxFeeUnits: FEE.refundUnits,
    resources: [`nonce:r${id}`],
  }
  apply(world, id, { type: "operator.refunded", by: "a" })
  claim(world, id, "refund", plan)
  for (const event of [
    { type: "transaction.planned", plan },
    { type: "transaction.signed", transaction: sampleTransaction(plan) },
    { type: "transaction.sent", txid: "r" },
    { type: "transaction.mined", txid: `r${id}`, ok: true, height: 2n, final: true, feeUnits },
  ] satisfies UntimedOrderEvent[])
    apply(world, id, event)
  observe(world, id, { paid: false, refunded: true })
}

function observe(world: LimitsWorld, id: string, what: { paid: boolean; refunded: boolean }): void {
  const { seen } = readOrder(world, id).data
  const nothing = {
    serviceOrder: null,
    paidUnits: null,
    lapsed: false,
    refundable: false,
    alerts: [],
  }
  apply(world, id, {
    type: "order.observed",
    ...nothing,
    ...what,
    seen: { ...NOTHING_SEEN, ...seen },
  })
}

/** The engine claims each signature before the key is used. */
function claim(
  { context }: LimitsWorld,
  orderId: string,
  purpose: string,
  plan: TransactionPlan,
): void {
  const { chain, account, attempt, digest, resources } = plan
  context.journal.claimSignature({
    orderId,
    purpose,
    chain,
    account,
    attempt,
    digest,
    resources,
    plan,
    atMs: 0,
  })
}

function apply({ context }: LimitsWorld, id: string, event: UntimedOrderEvent): void {
  if (!applyEvent(context, id, { event }, null).changed)
    throw new Error(`${id} ignored ${event.type}`)
}
