import { expect, test } from "vitest"
import { gapsOf, pathOf } from "../../../web/charts/chart-path.ts"

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
