import { describe, expect, test } from "vitest"
import { axisNumber, roundTicks } from "#backtest/plot/axis.ts"
import type { OrderAnswer } from "../../../web/answers.ts"
import { readingAt } from "../../../web/charts/chart-path.ts"
import { layOutFlows } from "../../../web/charts/lay-out-flows.ts"
import { sayCalls } from "../../../web/charts/say-calls.ts"
import { sayRuns } from "../../../web/charts/say-runs.ts"
import { fewTicks, timeTicks, widen } from "../../../web/charts/scale.ts"
import { listSpans } from "../../../web/orders/list-spans.ts"

describe("an axis", () => {
  test("has few round values within its ends", () => {
    expect(roundTicks(0, 43)).toEqual([0, 20, 40])
    expect(roundTicks(1.18, 1.63, 3)).toEqual([1.2, 1.4, 1.6])
    expect(roundTicks(99.9996, 99.9998, 2)).toEqual([99.9996, 99.9997, 99.9998])
    expect(roundTicks(5, 5)).toEqual([5])
    expect(roundTicks(0, 1, 2)).toEqual([0, 0.5, 1])
  })

  test("has values of at most six digits, also where they are near to each other", () => {
    expect(roundTicks(99.99951, 99.99991, 2)).toEqual([99.9996, 99.9998])
    expect(roundTicks(99.99951, 100.00001, 2)).toEqual([100])
    expect(roundTicks(99_999.6, 100_000.1, 2)).toEqual([100_000])
    expect(roundTicks(99.99963, 99.99968, 2)).toEqual([])
  })

  test("has two to four values for any line, also for one that hardly moves", () => {
    const lines = [
      [1, 1],
      [0, 0],
      [1, 1.00099],
      [99.9996, 100],
      [1.1, 1.9],
      [196_000, 201_000],
      [0.000_01, 0.000_012],
    ]
    for (let step = 1; step < 400; step++) lines.push([step, step * (1 + 1 / (step % 97 || 1))])
    for (const [low = 0, high = 0] of lines)
      for (const part of [0.1, 0.12]) {
        const [bottom, top] = widen(low, high, part)
        expect(bottom < low && top > high).toBe(true)
        const { length } = fewTicks(bottom, top)
        expect(length, `${low} to ${high}`).toBeGreaterThanOrEqual(2)
        expect(length, `${low} to ${high}`).toBeLessThanOrEqual(4)
      }
  })

  test("tells neighbours apart, and is short", () => {
    expect([0, 950, 1_200, 2_500_000].map((value) => axisNumber(value))).toEqual([
      "0",
      "950",
      "1.2k",
      "2.5M",
    ])
    expect(axisNumber(99.9996, 0.0001)).toBe("99.9996")
  })

  test("has times that are easy to read", () => {
    const start = new Date(2026, 5, 2, 10, 17).getTime()
    const labels = (hours: number): readonly string[] =>
      timeTicks(start, start + hours * 3_600_000, 5).map(({ label }) => label)
    expect(labels(4)).toEqual(["11:00", "12:00", "13:00", "14:00"])
    expect(labels(24)).toEqual(["12:00", "18:00", "00:00", "06:00"])
    expect(labels(24 * 30)).toHaveLength(5)
  })
})

test("the calls of a day are told with their last failure", () => {
  const at = "2026-03-04T13:00:00.000Z"
  const well = { at, answered: 3, failed: 0, fault: null }
  expect(sayCalls([])).toBe("no call in 24 h")
  expect(sayCalls([well])).toBe("3 calls, all answered")
  const ill = { at, answered: 1, failed: 2, fault: "quotes fail with HTTP 500" }
  expect(sayCalls([ill, well])).toBe("▲ 6 calls, 2 failed: quotes fail with HTTP 500")
})

test("the runs of a rule are counted with their repetitions", () => {
  const at = "2026-03-04T13:00:00.000Z"
  const idle = { at, lastAt: at, times: 12, outcome: "nothing", reasons: [] } as const
  const runs = [idle, { ...idle, times: 1, outcome: "missed" }, { ...idle, times: 3 }] as const
  expect(sayRuns(runs)).toBe("Last 16 runs: 15 nothing to do, 1 missed")
  expect(sayRuns([])).toBe("no run yet")
})

test("the parts of an order stand one after the other, each beside its usual time", () => {
  const at = (second: number): string => new Date(second * 1_000).toISOString()
  const order = {
    createdAt: at(0),
    updatedAt: at(50),
    outcome: null,
    seen: { sourceInitiated: { tx: "a", final: true, at: at(10) } },
    usual: { depositMs: 8_000, payoutMs: 30_000, endMs: 5_000 },
    // CAST: the other fields of an order are not asked.
  } as unknown as OrderAnswer
  const rows = (one: OrderAnswer, nowMs: number): readonly (readonly (number | null)[])[] =>
    listSpans(one, nowMs).map(({ startMs, tookMs, runsMs }) => [startMs, tookMs, runsMs])
  expect(rows(order, 50_000)).toEqual([
    [0, 10_000, null],
    [10_000, null, 40_000],
    [50_000, null, null],
  ])
  expect(rows(order, 12_000)[2]).toEqual([40_000, null, null])
  const redeemed = { tx: "b", final: true, at: at(41) }
  const seen = { ...order.seen, destinationRedeemed: redeemed }
  expect(rows({ ...order, seen, outcome: "completed" }, 90_000)[2]).toEqual([41_000, 9_000, null])
  expect(listSpans({ ...order, outcome: "refunded" }, 0)).toEqual([])
})

describe("the flows between chains", () => {
  const order = ["bitcoin", "ethereum", "base"]

  test("have heights by value, and each ribbon starts where the one before ends", () => {
    const layout = layOutFlows(
      [
        { from: "base", to: "ethereum", value: 50 },
        { from: "bitcoin", to: "base", value: 100 },
        { from: "bitcoin", to: "ethereum", value: 50 },
        { from: "ethereum", to: "base", value: 0 },
      ],
      order,
      200,
    )
    expect(layout.left.map(({ chain, height }) => [chain, height])).toEqual([
      ["bitcoin", 150],
      ["base", 50],
    ])
    expect(layout.right.map(({ chain, height }) => [chain, height])).toEqual([
      ["ethereum", 100],
      ["base", 100],
    ])
    expect(layout.ribbons.map(({ from, to, top, bottom }) => [from, to, top, bottom])).toEqual([
      ["bitcoin", "ethereum", 0, 0],
      ["bitcoin", "base", 50, 110],
      ["base", "ethereum", 160, 50],
    ])
    expect(layout.height).toBe(210)
  })

  test("of many chains show the smallest as others, and lose no value", () => {
    const flows = Array.from({ length: 12 }, (_, n) => ({
      from: "hub",
      to: `chain-${n}`,
      value: n + 1,
    }))
    const { left, right } = layOutFlows(flows, ["hub"], 200, 8)
    expect(left).toMatchObject([{ chain: "hub", value: 78 }])
    expect(right).toHaveLength(7)
    expect(right.reduce((sum, { value }) => sum + value, 0)).toBe(78)
    expect(right.map(({ chain }) => chain)).toContain("others")
  })

  test("without a paid swap are empty", () => {
    expect(layOutFlows([{ from: "a", to: "b", value: 0 }], order)).toEqual({
      left: [],
      right: [],
      ribbons: [],
      height: 0,
    })
  })
})

test("a reading holds until the next one, and a gap has none", () => {
  const points = [
    { at: "2026-06-02T10:00:00Z", amount: "5" },
    { at: "2026-06-02T11:00:00Z", amount: null },
  ]
  const at = (time: string): string | null => readingAt(points, Date.parse(`2026-06-02T${time}Z`))
  expect([at("09:00:00"), at("10:30:00"), at("11:00:00")]).toEqual([null, "5", null])
})
