import { createHash } from "node:crypto"
import { applyEvent } from "#engine/stepper.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { decodeOrder, type Order } from "#order/step.ts"
import { NOTHING_SEEN, SAMPLE, samplePlan, sampleTransaction } from "../support/order-sample.ts"
import type { LimitsWorld } from "./limits-world.ts"
import { FEE } from "./limits-world.ts"

/** What the world can do to an order, in facts that the machine takes. The chain's side of it is booked by the caller. */
export function readOrder({ context }: LimitsWorld, id: string): Order {
  return decodeOrder(context.journal.findOrder(id)?.snapshot ?? "")
}

/** Before anything was signed. */
export function reject(world: LimitsWorld, id: string): void {
  apply(world, id, { type: "order.declined", reasons: [{ code: "test", message: "no" }] })
}

export function abandon(world: LimitsWorld, id: string): void {
  apply(world, id, { type: "operator.abandoned", by: "a" })
}

/** From the accepted quote to a deposit in a block, which costs `feeUnits`. */
export function deposit(world: LimitsWorld, id: string, feeUnits: bigint): void {
  const { request, quote } = readOrder(world, id).data
  const { from, to, sourceUnits, sourceOwner, destinationOwner } = request
  const destinationUnits = quote?.destinationUnits ?? 0n
  const terms = { from, to, sourceUnits, destinationUnits, sourceOwner, destinationOwner }
  const secretHash = createHash("sha256").update(id).digest("hex")
  const plan = { ...samplePlan("deposit", 0), maxFeeUnits: FEE.depositUnits, serviceOrder: [`nonce:${id}`] }
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
  for (const event of events) apply(world, id, event)
}

export function complete(world: LimitsWorld, id: string): void {
  observe(world, id, { paid: true, refunded: false })
}

/** The refund is a transaction of its own, which costs `feeUnits`. */
export function refund(world: LimitsWorld, id: string, feeUnits: bigint): void {
  const plan = { ...samplePlan("refund", 0), maxFeeUnits: FEE.refundUnits, serviceOrder: [`nonce:r${id}`] }
  apply(world, id, { type: "operator.refunded", by: "a" })
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
  const nothing = { serviceOrder: null, paidUnits: null, lapsed: false, refundable: false, alerts: [] }
  apply(world, id, { type: "order.observed", ...nothing, ...what, seen: { ...NOTHING_SEEN, ...seen } })
}

function apply({ context }: LimitsWorld, id: string, event: UntimedOrderEvent): void {
  if (!applyEvent(context, id, { event: event }, null).changed) throw new Error(`${id} did not take ${event.type}`)
}
