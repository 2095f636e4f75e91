import { decodeJson } from "#lib/json.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { isFinal } from "#order/states.ts"
import { decodeOrder, encodeOrder, step } from "#order/step.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import { type GroundTruth, isResting } from "../ground-truth.ts"
import { readOrder } from "../read-order.ts"
import { isBurnOrder } from "./burns.ts"

/**
 * Every order ends, its outcome matches the chains, and a replay of its events gives the stored
 * state.
 */
export function checkOrders(truth: GroundTruth): Checker {
  const { world, recorder, profile, deposits, hasLanded, rowOf, isRelayed } = truth
  const { journal, service } = world

  function checkEnded(): Violation[] {
    const rows = [...recorder.rows.values()]
    const landed = new Set(
      deposits()
        .filter(hasLanded)
        .map(({ orderId }) => orderId),
    )
    const relayed = service.orders.filter(isRelayed).map(rowOf)
    const given = rows.filter(({ state }) => state === "rejected" || state === "abandoned")
    const late = given.filter((row) => landed.has(row.id) || relayed.includes(row))
    return [
      ...late.map(({ id, state }) =>
        violation("ended orders stay ended", `${id} is ${state}, but its deposit is on chain`),
      ),
    ]
  }

  function checkOutcome(row: OrderRow): Violation[] {
    if (!isFinal(row.state)) {
      if (isOfTheFuture(row) || (profile.losesIssuer && isBurnOrder(row))) return []
      if (!isResting(row.state))
        return [violation("every order ends", `${row.id} is still ${row.state}`)]
      const alerted = journal.listAlerts(1_000).some(({ orderId }) => orderId === row.id)
      return alerted
        ? []
        : [violation("every hold raises an alert", `${row.id} is ${row.state} without an alert`)]
    }
    const order = truth.orderOf(row.id)
    if (isBurnOrder(row)) return []
    const { terms } = readOrder(row.snapshot).data
    const paid = (order && truth.destinationOf(order)?.redeemed?.paidUnits) ?? 0n
    if (row.state === "completed" && paid < (terms?.destinationUnits ?? 1n)) {
      return [
        violation("outcome is true", `${row.id} is completed, and the wallet was paid ${paid}`),
      ]
    }
    if (row.state === "refunded" && !(order && truth.sourceOf(order)?.refunded)) {
      return [violation("outcome is true", `${row.id} is refunded, and no refund is on chain`)]
    }
    return []
  }

  /**
   * Opened while the machine's clock was far ahead, and nothing is signed: the order's times come
   * only then.
   */
  function isOfTheFuture({ id, createdAtMs }: OrderRow): boolean {
    return (
      createdAtMs > world.clock.now() && !recorder.signatures.some(({ orderId }) => orderId === id)
    )
  }

  function checkReplay(row: OrderRow): Violation[] {
    const opened = recorder.opened.get(row.id)
    if (!opened) return [violation("replay", `${row.id} was never opened`)]
    let order = decodeOrder(opened.snapshot)
    for (const { atMs, type, body } of journal.listEvents(row.id)) {
      if (type === "order.opened") continue
      // CAST: written by the stepper.
      order = step(order, { ...(decodeJson(body) as UntimedOrderEvent), at: atMs }).order
    }
    const same = encodeOrder(decodeOrder(encodeOrder(order))) === row.snapshot
    return same
      ? []
      : [
          violation(
            "replay",
            `${row.id}: its events lead to ${order.state}, the journal has ${row.state}`,
          ),
        ]
  }

  function checkKnowledge(before: OrderRow, { order }: StepRow): Violation[] {
    const losesObservations = [
      "node lags",
      "nodes disagree",
      "node lies: mined",
      "reorganised",
      "transaction reorganised",
      "burn reorganised",
    ] as const
    // A directed seed includes all of these faults.
    const hasLaggards = profile.infrastructure.kind !== "plain"
    if (
      !truth.trustsRows ||
      hasLaggards ||
      profile.target !== null ||
      losesObservations.some((kind) => profile.enabled.has(kind))
    )
      return []
    const old = readOrder(before.snapshot).data.seen
    const now = readOrder(order.snapshot).data.seen
    const sides = [
      "sourceInitiated",
      "sourceRedeemed",
      "destinationInitiated",
      "destinationRedeemed",
    ] as const
    return sides
      .filter((side) => old[side] !== null && now[side] === null)
      .map((side) =>
        violation("knowledge is kept", `${order.id} forgot ${side}, which its chain still shows`),
      )
  }

  return {
    onCommit: checkKnowledge,
    afterTurn: checkEnded,
    atEnd: () =>
      [...recorder.rows.values()].flatMap((row) => [
        ...checkOutcome(row),
        ...(truth.trustsRows ? checkReplay(row) : []),
      ]),
  }
}
