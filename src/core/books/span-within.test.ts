import { expect, test } from "vitest"
import { spanWithin } from "./span-within.ts"

test("at least the part of all spans took no longer, and no shorter span says so", () => {
  for (let count = 1; count <= 100; count++) {
    const spans = Array.from({ length: count }, (_, index) => index * 1_000)
    for (const part of [0.5, 0.9, 0.95]) {
      const within = spanWithin(spans, part) ?? Number.NaN
      const percentOf = (most: number): number =>
        (100 * spans.filter((ms) => ms <= most).length) / count
      expect(percentOf(within), `${part} of ${count}`).toBeGreaterThanOrEqual(part * 100 - 1e-6)
      expect(percentOf(within - 1), `${part} of ${count}`).toBeLessThan(part * 100)
    }
  }
})

test("one of two spans is half of them, and nine of ten needs both", () => {
  expect([spanWithin([3_000, 40_000], 0.5), spanWithin([3_000, 40_000], 0.9)]).toEqual([
    3_000, 40_000,
  ])
  expect(spanWithin([], 0.5)).toBeNull()
})
