import type { OrderRow, StepRow } from "#journal/port.ts"
import { decodeJson } from "#lib/json.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { isFinal } from "#order/states.ts"
import { decodeOrder, encodeOrder, step } from "#order/step.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import { readOrder } from "../read-order.ts"
import { isResting, type Truth } from "../truth.ts"

/** Every order comes to an end that is true, and its journal tells the whole story. */
export function checkOrders(truth: Truth): Checker {
  const { world, witness, swarm, deposits, hasLanded, rowOf, isRelayed } = truth
  const { journal, service } = world

  function checkEnded(): Violation[] {
    const rows = [...witness.rows.values()]
    const landed = new Set(
      deposits()
        .filter(hasLanded)
        .map(({ orderId }) => orderId),
    )
    const relayed = service.orders.filter(isRelayed).map(rowOf)
    const given = rows.filter(({ state }) => state === "rejected" || state === "abandoned")
    const late = given.filter((row) => landed.has(row.id) || relayed.includes(row))
    return [
      ...late.map(({ id, state }) => violation("ended means ended", `${id} is ${state}, and its deposit is on chain`)),
    ]
  }

  function checkOutcome(row: OrderRow): Violation[] {
    if (!isFinal(row.state)) {
      if (!isResting(row.state)) return [violation("every order ends", `${row.id} is still ${row.state}`)]
      const alerted = journal.listAlerts(1_000).some(({ orderId }) => orderId === row.id)
      return alerted ? [] : [violation("held means heard", `${row.id} is ${row.state} without an alert`)]
    }
    const order = service.orders.find((candidate) => rowOf(candidate)?.id === row.id)
    const { terms } = readOrder(row.snapshot).data
    const paid = (order && truth.destinationOf(order)?.redeemed?.paidUnits) ?? 0n
    if (row.state === "completed" && paid < (terms?.destinationUnits ?? 1n)) {
      return [violation("outcome is true", `${row.id} is completed, and the wallet was paid ${paid}`)]
    }
    if (row.state === "refunded" && !(order && truth.sourceOf(order)?.refunded)) {
      return [violation("outcome is true", `${row.id} is refunded, and no refund is on chain`)]
    }
    return []
  }

  function checkReplay(row: OrderRow): Violation[] {
    const opened = witness.opened.get(row.id)
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
      : [violation("replay", `${row.id}: its events lead to ${order.state}, the journal says ${row.state}`)]
  }

  function checkKnowledge(before: OrderRow, { order }: StepRow): Violation[] {
    const mayForget = [
      "node lags",
      "nodes disagree",
      "node lies: mined",
      "reorganised",
      "move reorganised away",
    ] as const
    // A chase brings all of these with it.
    if (!truth.trustsRows || swarm.quarry !== null || mayForget.some((kind) => swarm.on.has(kind))) return []
    const [old, now] = [readOrder(before.snapshot).data.seen, readOrder(order.snapshot).data.seen]
    const sides = ["sourceInitiated", "sourceRedeemed", "destinationInitiated", "destinationRedeemed"] as const
    return sides
      .filter((side) => old[side] !== null && now[side] === null)
      .map((side) => violation("knowledge is kept", `${order.id} forgot ${side}, which its chain still shows`))
  }

  return {
    onCommit: checkKnowledge,
    afterTurn: checkEnded,
    atEnd: () =>
      [...witness.rows.values()].flatMap((row) => [
        ...checkOutcome(row),
        ...(truth.trustsRows ? checkReplay(row) : []),
      ]),
  }
}
