import { chainOf } from "#domain/asset.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import type { Limits } from "#guards/limits.ts"
import { isFinal } from "#order/states.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import { BLOCK_SLACK_MS } from "../chain-nodes.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import { UNIT_FIAT } from "../configuration.ts"
import type { GroundTruth } from "../ground-truth.ts"
import { readOrder } from "../read-order.ts"
import { START_UNITS } from "../treasury.ts"

/**
 * No order and no quote is accepted beyond a limit in force, and no rule sells more than the wallet
 * has.
 *
 * The checker counts opened orders and signatures: open orders count, and a sold amount counts from
 * its signature. Production counts it from its later broadcast, so this checker never counts more.
 */
export function checkLimits({ world, profile, recorder, configuration }: GroundTruth): Checker {
  /**
   * A clock that was behind and is corrected makes every sale older; the chains cannot tell this
   * from a clock that is right.
   */
  const isTrue = !profile.enabled.has("clock behind")
  const rows = (): OrderRow[] => [...recorder.rows.values()]
  // A disarmed order can only be paid with a later order's allowance, and that order counts.
  const isOpen = ({ state }: OrderRow): boolean => !isFinal(state) && state !== "disarmed"

  /**
   * Sold in the window by true time, and, where the clock may have been behind, also by the clock
   * of the machine.
   */
  function isRecent(row: OrderRow, perMs: number, machineMs: number): boolean {
    const deposit = recorder.signatures.find(
      ({ orderId, purpose }) => orderId === row.id && purpose === "deposit",
    )
    const trueMs = Math.max(recorder.openedAtMs.get(row.id) ?? 0, deposit?.trueMs ?? 0)
    if (trueMs <= world.clock.now() - perMs + CLOCK_TOLERANCE_MS) return false
    return isTrue || Math.max(row.createdAtMs, deposit?.atMs ?? 0) > machineMs - perMs
  }

  function soldWithin(perMs: number | null, machineMs: number): OrderRow[] {
    const sold = rows().filter(({ state }) => !NOTHING_SOLD.includes(state))
    return sold.filter((row) => isOpen(row) || perMs === null || isRecent(row, perMs, machineMs))
  }

  /** A rule's amount follows from a balance, so a false balance shows in it. */
  function checkWallet({ id, rule, from, sourceUnits }: OrderRow): Violation[] {
    const canLie =
      profile.infrastructure.kind === "plain" && profile.enabled.has("node lies: balance")
    if (rule === "manual" || canLie || sourceUnits <= MOST_UNITS) return []
    return [
      violation(
        "sold within the balance",
        `${id}: ${rule} sells ${sourceUnits} ${from}, which the wallet never had`,
      ),
    ]
  }

  function checkCounts(row: OrderRow, limits: Limits): Violation[] {
    // An order that waits only for the proof or the finality of its end makes room for another one;
    // its sale still counts below.
    const open = rows().filter((one) => isOpen(one) && !ENDING.includes(one.state))
    const chains = [chainOf(row.from), chainOf(row.to)]
    const counts = [
      ["max_in_flight", open.length, limits.maxInFlight],
      [
        "max_in_flight_per_rule",
        open.filter(({ rule }) => rule === row.rule).length,
        limits.maxInFlightPerRule,
      ],
      [
        "max_in_flight_per_pair",
        open.filter(({ from, to }) => from === row.from && to === row.to).length,
        limits.maxInFlightPerPair,
      ],
      ...chains.map(
        (chain) =>
          [
            "max_in_flight_per_chain",
            open.filter(({ from, to }) => chainOf(from) === chain || chainOf(to) === chain).length,
            limits.maxInFlightPerChain,
          ] as const,
      ),
    ] as const
    return counts.flatMap(([name, count, max]) =>
      max == null || count <= max
        ? []
        : [
            violation(
              "in-flight limit",
              `${row.id} is accepted: ${count} are in flight, ${name} is ${max}`,
            ),
          ],
    )
  }

  function checkSold(
    row: OrderRow,
    limits: Limits,
    kind: SoldLimit["kind"],
    nowMs: number,
  ): Violation[] {
    const single = beyond(limits.maxOrder, kind, row, [row])
    const windows = limits.windows.flatMap((window) => {
      const sold = soldWithin(window.perMs, nowMs)
      const over = beyond(window.max, kind, row, kind === "fiat" ? sold.filter(hasQuote) : sold)
      const fees = sold.reduce((sum, one) => sum + feesOf(one), 0n)
      return [
        ...(over === null
          ? []
          : [violation("window limit", `${row.id} is accepted: ${over} in ${window.perMs} ms`)]),
        ...(kind === "units" && window.maxCount !== null && sold.length > window.maxCount
          ? [
              violation(
                "window limit",
                `${row.id} is accepted: ${sold.length} orders, not ${window.maxCount}`,
              ),
            ]
          : []),
        ...(kind === "fiat" && window.maxFeesFiat !== null && fees > window.maxFeesFiat
          ? [
              violation(
                "window limit",
                `${row.id} is accepted: fees of ${fees} and not ${window.maxFeesFiat}`,
              ),
            ]
          : []),
      ]
    })
    return [
      ...(single === null ? [] : [violation("order limit", `${row.id} is accepted: ${single}`)]),
      ...windows,
    ]
  }

  return {
    onOpen: (row) => {
      const { limits } = configuration()
      return [
        ...checkCounts(row, limits),
        ...checkWallet(row),
        ...checkSold(row, limits, "units", row.createdAtMs),
      ]
    },
    onCommit: (_, { order, event }: StepRow) =>
      event.type === "quote.accepted"
        ? checkSold(order, configuration().limits, "fiat", event.atMs)
        : [],
  }
}

/**
 * The clock of the limits may be ahead of true time by the age of a newest block and by the most
 * that needs no confirmation.
 */
const CLOCK_TOLERANCE_MS = BLOCK_SLACK_MS + 5 * 60_000
const ENDING = ["settling", "proving-unfunded"]
/** The wallet never has as much of any asset. */
const MOST_UNITS = 2n * START_UNITS
const NOTHING_SOLD = ["rejected", "abandoned", "disarmed"]

/** The sum that exceeds the limit, in words; `null` if none does. */
function beyond(
  limit: SoldLimit | null,
  kind: SoldLimit["kind"],
  row: OrderRow,
  sold: readonly OrderRow[],
): string | null {
  if (limit === null || limit.kind !== kind) return null
  const same = limit.kind === "fiat" ? sold : sold.filter(({ from }) => from === row.from)
  const units = same.reduce((sum, { sourceUnits }) => sum + sourceUnits, 0n)
  const max = limit.kind === "fiat" ? limit.fiat / UNIT_FIAT : limit.byAsset[row.from]
  return max === undefined || units <= max ? null : `${units} units, not ${max}`
}

function hasQuote({ snapshot }: OrderRow): boolean {
  return readOrder(snapshot).data.quote !== null
}

/**
 * The cost of a swap in its quote, or by reference prices where they make it less. A refunded swap
 * costs network fees only, and the simulated treasury's native coins have no price.
 */
function feesOf({ state, snapshot }: OrderRow): bigint {
  if (state === "refunded") return 0n
  const { quote, value } = readOrder(snapshot).data
  if (quote === null) return 0n
  const quoted = (quote.sourceUnits - quote.destinationUnits) * UNIT_FIAT
  return value?.feesFiat != null && value.feesFiat < quoted ? value.feesFiat : quoted
}
