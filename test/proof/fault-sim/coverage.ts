import { STATE_NAMES } from "#order/states.ts"
import { listHandledEvents } from "../../support/list-handled-events.ts"
import { type Violation, violation } from "./checker.ts"

/**
 * Pairs of state and event that the machine handles and that no run can reach, each with the
 * reason. If a run takes one, it fails; remove that pair from this list.
 */
export const UNREACHABLE: Readonly<Record<string, string>> = {
  "disarmed deposit.unsettled":
    "the event needs an initiation that our node showed before, and a disarmed order with " +
    "one is `funded`",
}

/** Every pair of state and event that the machine handles, as `state event`. */
export function listPairs(): readonly string[] {
  return STATE_NAMES.flatMap((name) => listHandledEvents(name).map((event) => `${name} ${event}`))
}

/** The violation if an order takes a pair that is declared unreachable. */
export function judgePair(
  pair: string,
  declared: Readonly<Record<string, string>> = UNREACHABLE,
): Violation[] {
  const reason = declared[pair]
  return reason === undefined
    ? []
    : [violation("declared unreachable", `${pair} was seen, and "${reason}" is wrong`)]
}

export function formatCoverage(seen: ReadonlySet<string>): string {
  const reachable = listPairs().filter((pair) => UNREACHABLE[pair] === undefined)
  const missing = reachable.filter((pair) => !seen.has(pair))
  const declared =
    `${Object.keys(UNREACHABLE).length} declared unreachable, listed in ` +
    "test/proof/fault-sim/coverage.ts"
  const covered =
    `transitions covered: ${reachable.length - missing.length} of ${reachable.length} ` +
    `(${declared})`
  return missing.length === 0 ? covered : `${covered}\n  not taken: ${missing.join(", ")}`
}
