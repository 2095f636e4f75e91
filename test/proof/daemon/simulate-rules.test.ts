import { expect, test } from "vitest"
import { parse } from "yaml"
import { drawCosts, drawFan, drawSwaps } from "#backtest/plot/draw-plots.ts"
import { parseConfig } from "#config/load.ts"
import { simulateRules } from "#daemon/study/simulate-rules.ts"
import { money } from "#domain/amount.ts"
import { plainJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import { ANSWERS } from "#schema/answers/answers.ts"
import type { SimulationQuery } from "#schema/requests.ts"
import { TREASURY } from "../../unit/policy-test/sample-treasury.ts"

const ASK = { days: 8, seeds: 1, seed: 1 }
const CHANGE = { rule: "hot", change: "min=0.4,target=0.45" }
/** Each look at this clock takes a millisecond. */
let nowMs = 0
const now = (): number => nowMs++

async function simulate(query: SimulationQuery, text = TREASURY, mostMs = 60_000) {
  const secrets = (reference: string): Secret => new Secret("", reference)
  const config = parseConfig(text, { file: "ballast.yaml", secrets })
  return ANSWERS.Simulation.parse(
    JSON.parse(plainJson(await simulateRules(config, parse(text), query, { now, mostMs }))),
  )
}

test("rules that look every few seconds are simulated for fewer days, in time", async () => {
  const text = TREASURY.replace(/every: 10m/g, "every: 5s")
  // A day takes one millisecond of this clock, and half of the time is left for later days.
  const { scenario, comparison } = await simulate({ ...ASK, days: 365, ...CHANGE }, text, 4)
  expect([scenario.days, comparison !== null]).toEqual([1, true])
})

test("a changed rule is compared with the one in force, and its balance drawn", async () => {
  const { subjects, plots, comparison } = await simulate({ ...ASK, ...CHANGE })
  const [name] = subjects.map((one) => one.name)
  expect(subjects.map((one) => one.name)).toEqual([name, "changed"])
  expect(comparison).toMatchObject({ moves: { difference: { p50: expect.any(Number) } } })
  expect(plots.map(({ asset }) => asset)).toEqual(["base:wbtc"])
  expect(plots[0]?.subjects.map(({ bound }) => bound)).toEqual([
    { min: "0.2", target: "0.5", max: "1" },
    { min: "0.4", target: "0.45", max: "1" },
  ])
  const [present, changed] = plots[0]?.subjects.map(({ points }) => points) ?? []
  expect(present).toHaveLength(60)
  expect(changed).not.toEqual(present)
  // The rules in force alone are unchanged by the comparison.
  expect(await simulate(ASK)).toMatchObject({
    subjects: [subjects[0]],
    comparison: null,
    plots: [],
  })
})

test("the drawings have the figures of the runs", async () => {
  const { subjects, plots } = await simulate({ ...ASK, seeds: 5, ...CHANGE })
  const medians = subjects.map(({ summary }) => Number(summary.feesFiat.p50) / 1e6)
  expect(subjects.map(({ costs }) => Number(costs[2]) / 1e6)).toEqual(medians)
  const costs = drawCosts(subjects, 8, 600)
  expect(costs.words).toBe(
    `Cost of 8 days in 5 runs, the middle one: as it is ${money(String(medians[0]))}, ` +
      `changed ${money(String(medians[1]))}`,
  )
  const heights = (tone: string): readonly number[] =>
    costs.marks.flatMap((mark) => (mark.tone === tone ? [Number(mark.at["height"])] : []))
  const one = Math.min(...heights("bar-a"), ...heights("bar-b"))
  for (const tone of ["bar-a", "bar-b"])
    expect(heights(tone).reduce((sum, height) => sum + height / one, 0)).toBeCloseTo(5, 1)
  const ticks = drawSwaps(subjects, 8, 600).marks.filter(({ tone }) => tone === "run-tick")
  expect(ticks).toHaveLength(subjects.flatMap(({ swapDays }) => swapDays).length)
  const [plot] = plots
  if (plot === undefined) throw new Error("no plot")
  const { marks } = drawFan(plot, 1, 8, 600)
  expect(marks.filter(({ tag }) => tag === "path").map(({ tone }) => tone)).toEqual([
    "fan",
    "half",
    "line-a",
  ])
  for (const { p5, p25, p50, p75, p95 } of plot.subjects.flatMap(({ points }) => points))
    expect([p5, p25, p50, p75, p95].toSorted((a, b) => a - b)).toEqual([p5, p25, p50, p75, p95])
})

test("a change that the file's checks refuse is refused", async () => {
  const query = { ...ASK, rule: "hot", change: "min=3" }
  await expect(simulate(query)).rejects.toMatchObject({ code: "config.invalid" })
})
