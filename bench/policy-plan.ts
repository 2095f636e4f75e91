import { createSolver } from "#engine/rules/solver/create-solver.ts"
import { systemClock } from "#lib/clock.ts"
import { type Flow, type FlowProblem, sumAt } from "#policy/planner/flow/flow-problem.ts"
import { settleFlow } from "#policy/planner/flow/settle-flow.ts"
import { pairCheapestRoute, pairLargestFirst } from "#policy/planner/greedy.ts"
import { createRandom, randomProblem } from "./random-problem.ts"

/**
 * Compares the cost of the planner with the two greedy pairings on random treasuries, and measures
 * the time per plan with the daemon's solver: problems with more than a few pairs go to its
 * threads.
 *
 *     npx node bench/policy-plan.ts [instances per size] [seed]
 *
 * A treasury has a band for each asset, most of them out of bounds; each pair has its own fixed
 * cost, share and minimum. The price of a plan is the cost of its orders plus its undone needs,
 * valued at the cost ceiling of 100 bps. "same work" compares the costs alone, for treasuries in
 * which the greedy pairing left no more undone.
 */
const COUNT = Number(process.argv[2] ?? 200)
const SEED = Number(process.argv[3] ?? 20_260_101)
const SIZES = [2, 3, 4, 5, 6, 7, 8, 12, 16, 24]
const SOON_MS = 200

const solver = createSolver({ clock: systemClock, log: { warn: () => undefined } })

for (const size of SIZES) {
  // Each size has its own treasuries, whatever the other sizes are.
  const random = createRandom(SEED + size)
  const runs: Run[] = []
  for (let count = 0; count < COUNT; count += 1) {
    const run = await measure(randomProblem(size, random))
    if (run !== null) runs.push(run)
  }
  const times = runs.map(({ ms }) => ms)
  const exact = runs.filter((run) => run.exact).length
  const soon = runs.filter((run) => run.exact && run.ms <= SOON_MS).length
  console.log(
    `${size} assets, ${runs.length} treasuries with something to do, ` +
      `${percent(exact / runs.length)} proven optimal, ${percent(soon / runs.length)} within ` +
      `${SOON_MS} ms`,
  )
  console.log(
    `  time per plan   mean ${mean(times).toFixed(1)} ms   p95 ` +
      `${quantile(times, 0.95).toFixed(1)} ms   max ${Math.max(...times).toFixed(1)} ms`,
  )
  for (const name of ["largest deficit first", "cheapest route per deficit"] as const) {
    const excess = runs.map((run) => run[name].excess)
    const same = runs.map((run) => run[name].sameWork).filter((value) => value !== null)
    const less = runs.filter((run) => run[name].leavesMore).length
    console.log(
      `  ${name.padEnd(26)}   excess mean ${percent(mean(excess))}   p95 ` +
        `${percent(quantile(excess, 0.95))}` +
        `   same work: mean ${percent(mean(same))}   p95 ${percent(quantile(same, 0.95))}   ` +
        `leaves more undone: ${less}`,
    )
  }
}

type Run = { ms: number; exact: boolean } & Record<
  "largest deficit first" | "cheapest route per deficit",
  Comparison
>

type Comparison = { excess: number; sameWork: number | null; leavesMore: boolean }

async function measure(problem: FlowProblem): Promise<Run | null> {
  if (problem.edges.length === 0) return null
  const startedMs = performance.now()
  const ours = settleFlow(problem, await solver.solve(problem))
  const ms = performance.now() - startedMs
  if (ours.objective === 0n) return null
  return {
    ms,
    exact: ours.exact,
    "largest deficit first": compare(problem, ours, pairLargestFirst(problem)),
    "cheapest route per deficit": compare(problem, ours, pairCheapestRoute(problem)),
  }
}

function compare(problem: FlowProblem, ours: Flow, theirs: Flow): Comparison {
  const wanted = [...problem.sources, ...problem.sinks].reduce(
    (sum, { want, reward }) => sum + want * reward,
    0n,
  )
  const a = partsOf(problem, ours)
  const b = partsOf(problem, theirs)
  const leavesMore = b.done < a.done
  return {
    excess: ratio(theirs.objective - ours.objective, ours.objective + wanted),
    sameWork: leavesMore ? null : ratio(b.cost - a.cost, a.cost),
    leavesMore,
  }
}

function partsOf(problem: FlowProblem, { flows, objective }: Flow): { cost: bigint; done: bigint } {
  const side = (name: "source" | "sink"): bigint[] =>
    problem[`${name}s`].map(({ want, reward }, index) => {
      const flow = sumAt(problem, flows, name, index)
      return (flow < want ? flow : want) * reward
    })
  const done = [...side("source"), ...side("sink")].reduce((sum, value) => sum + value, 0n)
  return { cost: objective + done, done }
}

function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`
}
