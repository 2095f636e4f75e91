import { check, property as propertyOf } from "fast-check"
import type { Scenario } from "#backtest/world/scenario.ts"
import { drawWorld } from "./draw-world.ts"
import type { Property, Violation } from "./property.ts"
import { type RunTrace, recordRun } from "./trace.ts"
import { toScenario, type World, type WorldSource } from "./world.ts"

/** A world in which the rules break a property: the simplest that the search found. */
type Counterexample = {
  readonly world: World
  readonly scenario: Scenario
  readonly trace: RunTrace
  readonly violation: Violation
}

/**
 * `worlds` counts the random worlds that ran, and `shrinks` the simpler ones that broke the
 * property too.
 */
type SearchResult = {
  readonly worlds: number
  readonly shrinks: number
  readonly counterexample: Counterexample | null
}

export type SearchLimits = { readonly seed: number; readonly worlds: number }

/**
 * Simpler worlds that the search tries after it found one; it is a count, so the same seed gives
 * the same answer on every machine.
 */
const MAX_SHRINK_RUNS = 90

/**
 * Searches random worlds for one in which the rules break the property, and makes it simpler while
 * it still does. The same seed gives the same answer.
 */
export function findCounterexample(
  source: WorldSource,
  property: Property,
  limits: SearchLimits,
): SearchResult {
  const run = (world: World): { trace: RunTrace; violation: Violation | null } => {
    const trace = recordRun(source.subject, toScenario(source, world), world.seed)
    return { trace, violation: property.judge(trace) }
  }
  let runsAfterFirst = 0
  let isFound = false
  const details = check(
    propertyOf(drawWorld(source, property), (world) => {
      if (isFound) runsAfterFirst += 1
      if (runsAfterFirst > MAX_SHRINK_RUNS) return true
      const holds = run(world).violation === null
      if (!holds) isFound = true
      return holds
    }),
    { seed: limits.seed, numRuns: limits.worlds },
  )
  const [world] = details.counterexample ?? []
  const counts = { worlds: details.numRuns, shrinks: details.numShrinks }
  if (world === undefined) {
    if (details.errorInstance instanceof Error) throw details.errorInstance
    return { ...counts, counterexample: null }
  }
  const { trace, violation } = run(world)
  // The world broke the property a moment ago; an error in the run itself is the only other way to
  // fail.
  if (violation === null)
    throw details.errorInstance ?? new Error("a run differs from its repetition")
  return {
    ...counts,
    counterexample: { world, scenario: toScenario(source, world), trace, violation },
  }
}
