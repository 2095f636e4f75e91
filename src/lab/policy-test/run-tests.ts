import { findCounterexample, type SearchLimits } from "./find-counterexample.ts"
import type { PolicyTests, PropertyTest } from "./read-test-file.ts"
import { runScenario, type Tested } from "./run-scenario.ts"
import { showTime, tellStory } from "./tell-story.ts"
import { toUsualChoices } from "./to-choices.ts"

/** The result of one test. The keys are those of `ballast test --json`. */
export type TestResult = {
  readonly kind: "scenario" | "property"
  readonly name: string
  readonly file: string
  readonly line: number
  readonly ok: boolean
  /**
   * For a property, how many random worlds it held in, or how many were tried until one broke it;
   * `null` for a scenario.
   */
  readonly worlds: number | null
  readonly failures: readonly string[]
  /** The run that failed, in a few lines; empty for a test that passed. */
  readonly story: readonly string[]
}

/** Runs the tests of a file, one after another. The same seed gives the same results. */
export function* runTests(
  tested: Tested,
  tests: PolicyTests,
  limits: SearchLimits,
): Generator<TestResult> {
  const { file } = tests
  for (const { line, scenario } of tests.scenarios) {
    const { failures, story } = runScenario(tested, tests, scenario)
    const ok = failures.length === 0
    const test = { kind: "scenario" as const, name: scenario.name, file, line, worlds: null }
    yield { ...test, ok, failures, story: ok ? [] : story }
  }
  for (const test of tests.properties) yield runProperty(tested, tests, test, limits)
}

function runProperty(
  tested: Tested,
  tests: PolicyTests,
  test: PropertyTest,
  limits: SearchLimits,
): TestResult {
  const { property, line } = test
  const source = { ...tested, choices: toUsualChoices(tests, tested.subject) }
  const search = findCounterexample(source, property, {
    ...limits,
    worlds: test.worlds ?? limits.worlds,
  })
  const { counterexample, worlds } = search
  const result = { kind: "property" as const, name: property.text, file: tests.file, line, worlds }
  if (counterexample === null) return { ...result, ok: true, failures: [], story: [] }
  const { scenario, trace, violation } = counterexample
  const time = showTime(violation.atMs)
  const failure = `expected ${violation.expected}, got ${violation.found} at ${time}`
  return {
    ...result,
    ok: false,
    failures: [failure],
    story: tellStory(scenario, trace, violation.atMs),
  }
}
