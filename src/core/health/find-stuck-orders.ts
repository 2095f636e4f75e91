import { formatSpan } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { OrderReading, Readings } from "./readings.ts"
import { findRemedy } from "./remedies.ts"

/** These orders have problems of their own, or wait as they should. */
const RESTING = ["awaiting-approval", "refund-watch", "disarmed"]
/** Another order has the nonce, the coin or the allowance that this one needs. */
const BEHIND = "journal.resource_taken"

/**
 * Orders whose step fails again and again for one reason: one problem for all of them. It is the
 * cause where a limit of orders in flight is used up. Pure.
 */
export function findStuckOrders(readings: Readings, silentAfterMs: number): readonly Problem[] {
  const { nowMs } = readings
  const late = readings.orders.filter(
    (order) => nowMs - order.sinceMs >= silentAfterMs && isFailing(order, readings),
  )
  const behind = late.filter(({ reasons }) => reasons[0]?.code === BEHIND)
  const failing = late.filter((order) => !behind.includes(order))
  return [...Map.groupBy(failing, groupOf).values()].map((orders) => {
    const sources = new Set(orders.map(({ from }) => from))
    return describe(orders, behind.filter(({ from }) => sources.has(from)).length, nowMs)
  })
}

/** The order's own alarm says more. */
function isFailing(
  { id, held, state, reasons }: OrderReading,
  { alarms, pause }: Readings,
): boolean {
  const code = reasons[0]?.code
  if (held || code === undefined || RESTING.includes(state)) return false
  const isAlarmed = alarms.some(({ order, closedMs }) => order === id && closedMs === null)
  return !isAlarmed && !(pause !== null && /pause/.test(code))
}

function groupOf({ state, reasons }: OrderReading): string {
  return `${state} ${reasons[0]?.code}`
}

function describe(orders: readonly OrderReading[], behind: number, nowMs: number): Problem {
  const [first] = orders.toSorted((a, b) => a.sinceMs - b.sinceMs)
  const [reason] = first?.reasons ?? []
  const short = (first?.id ?? "").slice(0, 8)
  const span = formatSpan(nowMs - (first?.sinceMs ?? nowMs))
  const many = orders.length === 1 ? `Order ${short} has` : `${orders.length} orders have`
  const more =
    behind === 0 ? "" : `; ${behind} more wait behind ${orders.length === 1 ? "it" : "them"}`
  const known = findRemedy(reason?.code ?? "")
  return problem({
    level: "attention",
    code: "order.stuck",
    about: `${first?.state} ${reason?.code}`,
    sentence:
      `${many} waited at ${first?.state} for ${span}: ` +
      `${reason?.message} [${reason?.code}]${more}`,
    todo: `Remove the cause, and the orders go on by themselves. ${known.todo}`,
    command: `ballast order ${short}`,
    meaning: "The orders keep their place. A deposit that was made stays behind its timelock.",
    order: orders.length === 1 ? (first?.id ?? null) : null,
  })
}
