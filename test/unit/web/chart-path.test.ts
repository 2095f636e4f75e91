import { expect, test } from "vitest"
import type { Flows, Overview } from "../../../web/answers.ts"
import { bandSpans, gapsOf, pathOf } from "../../../web/charts/chart-path.ts"
import { listComing, listLikely, listRuns } from "../../../web/charts/list-coming.ts"

const at = (hour: number): string => `2026-01-05T${String(hour).padStart(2, "0")}:00:00.000Z`
const x = (time: string): number => Number(time.slice(11, 13))
const y = (amount: number): number => amount

test("a balance holds until the next reading, and the last one until now", () => {
  const points = [
    { at: at(1), amount: "5" },
    { at: at(3), amount: "2" },
  ]
  expect(pathOf(points, at(9), x, y)).toBe("M1 5H3V2H9")
  expect(gapsOf(points, at(9))).toEqual([])
})

test("a gap interrupts the line, and nothing is drawn across it", () => {
  const points = [
    { at: at(1), amount: "5" },
    { at: at(3), amount: null },
    { at: at(6), amount: "5" },
  ]
  expect(pathOf(points, at(9), x, y)).toBe("M1 5H3M6 5H9")
  expect(gapsOf(points, at(9))).toEqual([{ start: at(3), end: at(6) }])
})

test("without a reading until now the gap is open", () => {
  const points = [
    { at: at(1), amount: "0" },
    { at: at(3), amount: null },
  ]
  expect(pathOf(points, at(9), x, y)).toBe("M1 0H3")
  expect(gapsOf(points, at(9))).toEqual([{ start: at(3), end: at(9) }])
})

test("each band holds until the next one, within the span that is shown", () => {
  const time = (hour: number): string => new Date(hour * 3_600_000).toISOString()
  const bound = { min: "1", target: "2", max: null }
  const wider = { min: "0.5", target: "2", max: "9" }
  const bands = [
    { from: time(0), bound },
    { from: time(5), bound: null },
    { from: time(7), bound: wider },
  ]
  const spans = bandSpans(bands, 3 * 3_600_000, 9 * 3_600_000)
  expect(
    spans.map((span) => [span.bound, span.startMs / 3_600_000, span.endMs / 3_600_000]),
  ).toEqual([
    [bound, 3, 5],
    [wider, 7, 9],
  ])
  expect(bandSpans(bands, 8 * 3_600_000, 9 * 3_600_000)).toHaveLength(1)
})

test("what comes is runs and ends of orders, in their order, of 24 hours only", () => {
  const now = Date.parse(at(1))
  const flight = { id: "0123456789abcdef", deadline: at(5), ends: "the approval" }
  // CAST: only these fields count.
  const flights = [flight, { ...flight, deadline: null }] as unknown as Overview["orders"]
  const times = [at(0), at(3), at(6), "2026-01-06T02:00:00.000Z"]
  const runs = times.map((time) => ({ rule: "dca", at: time }))
  const likely = { at: at(4), kind: "likely", words: "below", href: "#/" } as const
  const coming = listComing(runs, flights, [likely], now)
  const run = { kind: "run", words: "dca runs", href: "#/decisions/dca" }
  expect(coming).toEqual([
    { at: at(3), ...run },
    likely,
    { at: at(5), kind: "end", words: "01234567: the approval", href: "#/orders/0123456789abcdef" },
    { at: at(6), ...run },
  ])
})

test("a rule with as many runs as the daemon lists runs all day, so it has no marks", () => {
  const times = Array.from({ length: 100 }, () => at(3))
  expect(listRuns("busy", times)).toEqual([])
  expect(listRuns("dca", [at(3)])).toEqual([{ rule: "dca", at: at(3) }])
})

test("a balance likely leaves its band at the pace of money from outside", () => {
  const asset = "base_sepolia:usdc"
  const bound = { rule: "keep", min: "40", target: "60", max: "100", place: "within" }
  const move = { asset, in: "0", inFiat: null, out: "0", outFiat: null }
  const likely = (amount: string | null, moved: object, bounds: readonly object[] = [bound]) => {
    // CAST: only these fields count.
    const treasury = [{ asset, amount, bounds }] as unknown as Overview["treasury"]
    const outside = [{ ...move, ...moved }] as unknown as Flows["outside"]
    return listLikely(treasury, outside, Date.parse(at(0)))
  }
  const found = { kind: "likely", href: "#/decisions/keep" } as const
  const says = (way: string): string =>
    `USDC on Base Sepolia ${way} its band, likely by the pace of 24 h`
  expect(likely("50", { out: "80", in: "20" })).toEqual([
    { ...found, at: at(4), words: says("below") },
  ])
  expect(likely("50", { in: "200" })).toEqual([{ ...found, at: at(6), words: says("above") }])
  expect(likely("50", { in: "5", out: "5" })).toEqual([])
  expect(likely("50", { in: "5" }, [{ ...bound, max: null }])).toEqual([])
  expect(likely("39", { out: "5" }), "it has left it").toEqual([])
  expect(likely(null, { out: "5" })).toEqual([])
  expect(likely("50", { out: "5" }, [])).toEqual([])
})
