import { STATES } from "#order/states.ts"
import { ADVERSARY_BUGS } from "./adversary/module-rules.ts"
import type { BurnCounts } from "./checkers/burns.ts"
import { HELD_PLACES } from "./checkers/losses.ts"
import { UNIT_FIAT } from "./configuration.ts"
import { formatCoverage } from "./coverage.ts"
import { FAULT_KINDS } from "./fault-kinds.ts"
import { LIES } from "./lying-endpoint.ts"
import { PLANTED_BUGS, type PlantedBug } from "./planted-bugs.ts"
import { ROUTE_BUGS } from "./planted-route-bugs.ts"
import { formatCommand, type SimCase } from "./sim-case.ts"
import { type SimResult, simulate } from "./simulate.ts"

export type SeedRange = {
  readonly from: number
  readonly to: number
  readonly caseOf?: (seed: number) => SimCase
  /** Called before each seed but the first; `true` ends the range. */
  readonly isOver?: () => boolean
}

/** Simulates every seed of a range, one after another, and passes each result to `onResult`. */
export async function runSeeds(
  range: SeedRange,
  onResult: (result: SimResult) => void,
): Promise<SimResult[]> {
  const results: SimResult[] = []
  for (let seed = range.from; seed <= range.to; seed++) {
    if (seed > range.from && range.isOver?.()) break
    const { table: _, ...result } = await report(seed)
    results.push({ ...result, table: "" })
  }
  return results

  async function report(seed: number): Promise<SimResult> {
    const result = await simulate(range.caseOf?.(seed) ?? { seed })
    onResult(result)
    return result
  }
}

export type BugFind = {
  readonly bug: PlantedBug
  readonly seeds: number | null
  readonly checker: string | null
}

/**
 * The number of seeds, counted from `first`, until a checker finds each planted bug: `null` if none
 * does.
 */
export async function findPlantedBugs(
  first: number,
  maxSeeds: number,
  bugs: readonly PlantedBug[] = PLANTED_BUGS,
  run: (task: SimCase) => Promise<SimResult> = simulate,
): Promise<BugFind[]> {
  const finds: BugFind[] = []
  for (const bug of bugs) finds.push(await findBug(bug, first, maxSeeds, run))
  return finds
}

async function findBug(
  bug: PlantedBug,
  first: number,
  maxSeeds: number,
  run: (task: SimCase) => Promise<SimResult>,
): Promise<BugFind> {
  for (let seeds = 1; seeds <= maxSeeds; seeds++) {
    const seed = first + seeds - 1
    const [violation] = (await run({ seed, bug, ...runsOf(bug) })).violations
    // A seed that also fails without the bug does not find it.
    if (violation && (await run({ seed, ...runsOf(bug) })).violations.length === 0)
      return { bug, seeds, checker: violation.checker }
  }
  return { bug, seeds: null, checker: null }
}

/**
 * The violations of a failed seed, its faults, the commands that repeat and shrink it, and its last
 * events.
 */
export function formatFailure(
  { seed, profile, violations, table }: SimResult,
  again: SimCase = { seed },
): string {
  const found = violations.map(({ checker, message }) => `  ${checker}: ${message}`)
  return [
    `seed ${seed} failed`,
    ...found,
    `faults enabled: ${[...profile.enabled].join(", ")}`,
    `repeat: ${formatCommand(again)}`,
    `shrink: ${formatCommand(again)} --shrink`,
    table,
  ].join("\n")
}

/** So many orders and take-overs were seen. */
export function isEnough(
  results: readonly SimResult[],
  orders: number,
  takeOvers: number,
): boolean {
  const sums = sumUp(results)
  return sums.orders >= orders && sums.takeOvers >= takeOvers
}

/** One line after each seed of a long run. */
export function formatProgress(results: readonly SimResult[]): string {
  const { orders, deposited, takeOvers, violations } = sumUp(results)
  return (
    `${results.length} seeds, the last one ${results.at(-1)?.seed}: ${orders} orders ` +
    `(${deposited} with a deposit), ${takeOvers} take-overs, ${violations} violations`
  )
}

/** One line of a long run with an issuer, and its last one. */
export function formatBurns(
  results: readonly Pick<SimResult, "seed" | "burns" | "violations">[],
): string {
  const all = results.flatMap(({ burns }) => burns ?? [])
  const sum = (of: (burns: BurnCounts) => number): number =>
    all.reduce((total, burns) => total + of(burns), 0)
  const most = all.reduce((top, { owedFiat }) => (owedFiat > top ? owedFiat : top), 0n) / UNIT_FIAT
  const found = results.reduce((total, { violations }) => total + violations.length, 0)
  return (
    `${results.length} seeds, up to ${Math.max(0, ...results.map(({ seed }) => seed))}: ` +
    `${sum(({ orders }) => orders)} orders of the route, ${sum(({ burns }) => burns)} burns, ` +
    `${sum(({ minted }) => minted)} minted, ${found} violations; at the end of a seed the issuer ` +
    `owed at most ${most}`
  )
}

function sumUp(
  results: readonly SimResult[],
): Record<"orders" | "deposited" | "takeOvers" | "violations", number> {
  const sum = (of: (result: SimResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  return {
    orders: sum(({ orders }) => orders),
    deposited: sum(({ deposited }) => deposited),
    takeOvers: sum(({ takeOvers }) => takeOvers),
    violations: sum(({ violations }) => violations.length),
  }
}

/** The closing table of a run. `wallMs` is the run's real time. */
export function formatTotals(results: readonly SimResult[], wallMs: number): string {
  const sum = (of: (result: SimResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  const union = (of: (result: SimResult) => ReadonlySet<string>): number =>
    new Set(results.flatMap((r) => [...of(r)])).size
  const days = sum(({ simulatedMs }) => simulatedMs) / 86_400_000
  const seconds = wallMs / 1_000
  const faults = FAULT_KINDS.map(
    (kind) => `  ${kind}: ${sum((result) => result.faults.get(kind) ?? 0)}`,
  )
  const outcomes = new Map<string, number>()
  for (const state of results.flatMap((result) => result.outcomes))
    outcomes.set(state, (outcomes.get(state) ?? 0) + 1)
  return [
    `seeds: ${results.length} in ${seconds.toFixed(1)} s ` +
      `(${(results.length / seconds).toFixed(1)} a second)`,
    `simulated days: ${days.toFixed(2)} (${(days / seconds).toFixed(3)} a second)`,
    `orders with a deposit: ${sum(({ deposited }) => deposited)}`,
    `orders: ${sum(({ orders }) => orders)} ` +
      `(${[...outcomes].map(([state, count]) => `${count} ${state}`).join(", ")})`,
    `take-overs: ${sum(({ takeOvers }) => takeOvers)}`,
    `kills: ${sum(({ kills }) => kills)}`,
    "faults:",
    ...faults,
    // No order is ever stored in `closing`, so that state is not counted.
    `states covered: ${union(({ states }) => states)} of ${Object.keys(STATES).length - 1}`,
    formatCoverage(new Set(results.flatMap(({ transitions }) => [...transitions]))),
    `checker runs: ${sum(({ checks }) => checks)}`,
    `violations: ${sum(({ violations }) => violations.length)}`,
  ].join("\n")
}

/** The lies and the thefts of a run with collusion. */
export function formatCollusion(results: readonly SimResult[]): string {
  const sum = (of: (result: SimResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  const outcomes = results.flatMap((result) => result.outcomes)
  const refunded = outcomes.filter((state) => state === "refunded").length
  const deposited = sum((result) => result.deposited)
  return [
    `orders with a deposit: ${deposited} of ${sum(({ orders }) => orders)}`,
    `deposits that the solver took without a payout: ${sum(({ taken }) => taken)}, each only ` +
      "once, and each with an alert",
    `deposits refunded: ${refunded}; orders that wait for a person: ` +
      `${outcomes.filter((state) => state === "held").length}`,
    "where the money of the held orders is:",
    ...HELD_PLACES.map(
      (place) => `  ${place}: ${sum(({ held }) => held.filter((one) => one === place).length)}`,
    ),
    "lies of endpoints:",
    ...LIES.map((lie) => `  ${lie}: ${sum(({ lies }) => lies.get(lie) ?? 0)}`),
  ].join("\n")
}

/** How the seeds of a bug run: some mistakes show only to a spending adversary, or with burns. */
export function runsOf(bug: PlantedBug): Pick<SimCase, "mode" | "ownSecrets" | "routes"> {
  if (Object.keys(ROUTE_BUGS).includes(bug)) return { routes: true }
  return Object.keys(ADVERSARY_BUGS).includes(bug) ? { mode: "adversary", ownSecrets: true } : {}
}
