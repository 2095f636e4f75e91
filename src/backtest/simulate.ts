import { type Comparison, compare } from "./compare.ts"
import { listDue } from "./list-due.ts"
import type { SeedResult } from "./measure.ts"
import { runSeed } from "./run-seed.ts"
import type { Scenario } from "./scenario.ts"
import type { Subject } from "./subject.ts"
import { type Summary, summarise } from "./summarise.ts"

export type Simulation = {
  readonly subjects: readonly SimulatedSubject[]
  /** Of the first two; `null` for one. */
  readonly comparison: Comparison | null
}

export type SimulatedSubject = {
  readonly name: string
  readonly runs: readonly SeedResult[]
  readonly summary: Summary
}

/** Every policy in the same worlds, `seeds` of them from `firstSeed` on. The same arguments give the same result, to the last digit. */
export function simulate(
  subjects: readonly Subject[],
  scenario: Scenario,
  seeds: { readonly first: number; readonly count: number },
): Simulation {
  const simulated = subjects.map((subject): SimulatedSubject => {
    const calendar = listDue(subject, scenario)
    const runs = Array.from({ length: seeds.count }, (_, index) =>
      runSeed(subject, scenario, calendar, seeds.first + index),
    )
    return { name: subject.name, runs, summary: summarise(runs, scenario) }
  })
  const [first, second] = simulated
  const comparison = first && second ? compare(first.runs, second.runs, scenario) : null
  return { subjects: simulated, comparison }
}
