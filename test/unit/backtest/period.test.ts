import { describe, expect, test } from "vitest"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import { A, CHAINS, DAY_MS, sampleChoices, sampleSubject, UNIT } from "./sample-subject.ts"

const flow = (atMs: number) => ({ atMs, asset: A, units: UNIT })
const derive = (
  days: number,
  flows: readonly ReturnType<typeof flow>[] = [],
  startMs = 10 * DAY_MS,
) => deriveScenario([sampleSubject([])], CHAINS, days, sampleChoices({ startMs, flows }))

describe("the period of a backtest", () => {
  test.each([-1, 0, Number.NaN])("of %s days is refused, because it would be empty", (days) => {
    expect(() => derive(days)).toThrow(
      expect.objectContaining({ code: "simulate.period", disposition: "refused" }),
    )
  })

  test("is refused when it begins after the last row of the record, or ends before the first", () => {
    expect(() => derive(5, [flow(9 * DAY_MS)])).toThrow(/contains no row of the record/)
    expect(() => derive(5, [flow(16 * DAY_MS)])).toThrow(/contains no row of the record/)
  })

  test("may contain a part of the record", () => {
    expect(derive(5, [flow(9 * DAY_MS), flow(15 * DAY_MS)]).days).toBe(5)
  })
})
