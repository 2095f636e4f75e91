import type { Subject } from "#backtest/subject.ts"
import { deriveScenario, type ScenarioTraits } from "#backtest/world/derive-scenario.ts"
import type { Scenario } from "#backtest/world/scenario.ts"
import { fiatOf } from "#schema/build-cost.ts"
import type { ScenarioFile } from "./file-schema.ts"
import type { PolicyTests } from "./read-test-file.ts"
import { showAmount, showFiat } from "./read-words.ts"
import { describeOrder, showTime, tellStory } from "./tell-story.ts"
import { toFaults, toGivenChoices, toId, toUnits } from "./to-choices.ts"
import { type RunTrace, recordRun, type TracedOrder } from "./trace.ts"

/** The failures of a scenario, none if it passes, and the story of its run. */
type ScenarioOutcome = { readonly failures: readonly string[]; readonly story: readonly string[] }

const DAY_MS = 86_400_000
const RUN_MS = 60_000
const START_MS = Date.UTC(2026, 0, 1)

/** Runs the rules in the world of `given`, and compares what they do with `then`. */
export function runScenario(
  tested: Tested,
  tests: Pick<PolicyTests, "prices">,
  file: ScenarioFile,
): ScenarioOutcome {
  const { subject } = tested
  const { scenario, trace } = recordScenario(tested, tests, file)
  const then = file.then
  const failures = [
    ...compareOrders(then.orders, { scenario, trace, subject }),
    ...findMissingRefusals(then.refused, trace),
    ...compareFiat(
      "the orders sell",
      then.sold,
      sumOf(trace.orders.map(({ sourceFiat }) => sourceFiat)),
    ),
    ...compareFiat("the orders cost", then.cost, sumOf(trace.costs.map(({ fiat }) => fiat))),
    ...compareBalances(then.balances, trace, subject),
  ]
  return { failures, story: tellStory(scenario, trace, trace.endMs) }
}

/** The part of a configuration that tests use. */
export type Tested = { readonly subject: Subject; readonly traits: readonly ScenarioTraits[] }

/** What the rules do in the world of `given`. */
export function recordScenario(
  { subject, traits }: Tested,
  tests: Pick<PolicyTests, "prices">,
  file: Omit<ScenarioFile, "then">,
): { readonly scenario: Scenario; readonly trace: RunTrace } {
  const scenario = buildScenario(subject, traits, tests, file)
  return { scenario, trace: recordRun(subject, scenario, 1) }
}

type Then = ScenarioFile["then"]
type Run = { readonly scenario: Scenario; readonly trace: RunTrace; readonly subject: Subject }

function buildScenario(
  subject: Subject,
  traits: readonly ScenarioTraits[],
  tests: Pick<PolicyTests, "prices">,
  { given = {}, run = RUN_MS }: Omit<ScenarioFile, "then">,
): Scenario {
  const startMs = given.at === undefined ? START_MS : Date.parse(given.at)
  const choices = toGivenChoices(given, tests, subject, startMs)
  const derived = deriveScenario([subject], traits, run / DAY_MS, choices)
  const underWay = (given.under_way ?? []).map(({ rule, from, to, amount, arrives }) => {
    const pair = { from: toId(subject, from), to: toId(subject, to) }
    return { rule, ...pair, units: toUnits(subject, from, amount), arrivesMs: startMs + arrives }
  })
  return {
    ...derived,
    prices: derived.prices.map((price) => ({ ...price, volatilityPpm: 0n, driftPpm: 0n })),
    faults: toFaults(given, subject, startMs, startMs + run),
    underWay,
  }
}

/**
 * The orders must be these, in this order. A wrong order comes with the refusals of the same rules,
 * which usually say why.
 */
function compareOrders(expected: Then["orders"], { scenario, trace, subject }: Run): string[] {
  if (expected === undefined) return []
  const failures: string[] = []
  for (let index = 0; index < Math.max(expected.length, trace.orders.length); index += 1) {
    const want = expected[index]
    const got = trace.orders[index]
    const place = `order ${index + 1}`
    const found =
      got === undefined ? "none" : `${describeOrder(scenario, got)} at ${showTime(got.atMs)}`
    if (want === undefined) failures.push(`${place}: expected none, got ${found}`)
    else if (got === undefined || !isAsExpected(want, got, subject)) {
      const why = got === undefined ? describeRefusals(want.rule, trace) : ""
      failures.push(`${place}: expected ${describeExpected(want)}, got ${found}${why}`)
    }
  }
  return failures
}

type ExpectedOrder = NonNullable<Then["orders"]>[number]

function isAsExpected(want: ExpectedOrder, got: TracedOrder, subject: Subject): boolean {
  const units = (text: string): bigint => toUnits(subject, want.from, text)
  return (
    want.from === got.from &&
    want.to === got.to &&
    (want.rule === undefined || got.rules.includes(want.rule)) &&
    (want.amount === undefined || units(want.amount) === got.units) &&
    (want.at_least === undefined || got.units >= units(want.at_least)) &&
    (want.at_most === undefined || got.units <= units(want.at_most))
  )
}

function describeExpected({ rule, from, to, amount, at_least, at_most }: ExpectedOrder): string {
  const least = at_least === undefined ? "" : `at least ${at_least} `
  const most = at_most === undefined ? "" : `at most ${at_most} `
  const joined = least !== "" && most !== "" ? `${least}and ${most}` : `${least}${most}`
  const units = amount === undefined ? joined : `${amount} `
  return `${rule ?? "a rule"} to sell ${units}${from} for ${to}`
}

function describeRefusals(rule: string | undefined, { refusals }: RunTrace): string {
  const about = refusals.filter((one) => rule === undefined || one.rule === rule)
  const [first] = about
  if (first === undefined) return ""
  return `; at ${showTime(first.atMs)} ${first.rule} got no order: ${first.code}: ${first.message}`
}

function findMissingRefusals(expected: Then["refused"] = [], trace: RunTrace): string[] {
  return expected.flatMap(({ rule, code }) => {
    const isThere = trace.refusals.some(
      (one) => one.code === code && (rule === undefined || one.rule === rule),
    )
    if (isThere) return []
    const others = trace.refusals.filter((one) => rule === undefined || one.rule === rule)
    const codes = [...new Set(others.map((one) => one.code))]
    return [
      `refusal: expected ${code} for ${rule ?? "a rule"}, got ${codes.join(", ") || "no refusal"}`,
    ]
  })
}

function compareFiat(what: string, expected: Then["sold"], fiat: bigint): string[] {
  const { at_least, at_most } = expected ?? {}
  return [
    ...(at_least !== undefined && fiat < fiatOf(at_least)
      ? [`${what}: expected at least ${at_least}, got ${showFiat(fiat)}`]
      : []),
    ...(at_most !== undefined && fiat > fiatOf(at_most)
      ? [`${what}: expected at most ${at_most}, got ${showFiat(fiat)}`]
      : []),
  ]
}

function compareBalances(
  expected: Then["balances"],
  { balances }: RunTrace,
  subject: Subject,
): string[] {
  return Object.entries(expected ?? {}).flatMap(([id, { at_least, at_most }]) => {
    const asset = subject.assets.find((one) => one.id === id)
    if (asset === undefined) return []
    const units = balances.get(asset.id)?.at(-1)?.units ?? 0n
    const got = `got ${showAmount(units, asset)}`
    return [
      ...(at_least !== undefined && units < toUnits(subject, id, at_least)
        ? [`balance at the end: expected at least ${at_least}, ${got}`]
        : []),
      ...(at_most !== undefined && units > toUnits(subject, id, at_most)
        ? [`balance at the end: expected at most ${at_most}, ${got}`]
        : []),
    ]
  })
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n)
}
