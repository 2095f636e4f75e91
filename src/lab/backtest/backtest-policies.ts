import { listDue } from "./list-due.ts"
import { type Comparison, compare } from "./results/compare.ts"
import type { SeedResult } from "./results/measure.ts"
import { type Summary, summarise } from "./results/summarise.ts"
import { runSeed } from "./run-seed.ts"
import type { Subject } from "./subject.ts"
import type { Scenario } from "./world/scenario.ts"

export type Backtest = {
  readonly subjects: readonly BacktestedSubject[]
  /** The comparison of the first two; `null` for a single policy. */
  readonly comparison: Comparison | null
}

export type BacktestedSubject = {
  readonly name: string
  readonly runs: readonly SeedResult[]
  readonly summary: Summary
}

/**
 * Runs every policy under the same seeds, and tells before each run how many are done. The same
 * arguments give the same result, to the last digit.
 */
export function backtestPolicies(
  subjects: readonly Subject[],
  scenario: Scenario,
  seeds: { readonly first: number; readonly count: number },
  onRun: (done: number, runs: number) => void = () => undefined,
): Backtest {
  const runsInAll = subjects.length * seeds.count
  let done = 0
  const simulated = subjects.map((subject): BacktestedSubject => {
    const calendar = listDue(subject, scenario)
    const runs = Array.from({ length: seeds.count }, (_, index) => {
      onRun(done++, runsInAll)
      return runSeed(subject, scenario, calendar, seeds.first + index)
    })
    return { name: subject.name, runs, summary: summarise(runs, scenario, subject.settings) }
  })
  const [first, second] = simulated
  const comparison = first && second ? compare(first.runs, second.runs, scenario) : null
  return { subjects: simulated, comparison }
}
