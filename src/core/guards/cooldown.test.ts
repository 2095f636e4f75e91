import { expect, test } from "vitest"
import { cooldownUntil } from "./cooldown.ts"

test(
  "a cool-down doubles with each failure in a row, up to the longest; without a failure there " +
    "is none",
  () => {
    const untils = [0, 1, 2, 3, 4, 5, 1_000].map((count) =>
      cooldownUntil({ count, lastMs: 100 }, 10, 60),
    )
    expect(untils).toEqual([null, 110, 120, 140, 160, 160, 160])
    expect(cooldownUntil({ count: 0, lastMs: null }, 10, 60)).toBeNull()
  },
)

test("a cool-down is never shorter than its base, and zero for a base of zero", () => {
  expect(cooldownUntil({ count: 3, lastMs: 100 }, 10, 5)).toBe(110)
  expect(cooldownUntil({ count: 3, lastMs: 100 }, 0, 0)).toBe(100)
})
