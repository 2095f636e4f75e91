import { describe, expect, test } from "vitest"
import { deriveRisk, expectedRefundFiat, extraCostFiat, lockedFiat } from "./order-cost.ts"

const DAY_SECONDS = 86_400n
const FREE = { capitalBps: 0n, lockSeconds: DAY_SECONDS }

describe("the probability of a refund", () => {
  test("is one in a hundred before the first order of a pair", () => {
    expect(deriveRisk({ completed: 0, refunded: 0 }, FREE)).toEqual({
      refundPpm: 10_000n,
      lockPpb: 0n,
    })
  })

  test("follows the ends of the pair's orders, and never reaches zero", () => {
    expect(deriveRisk({ completed: 100, refunded: 0 }, FREE).refundPpm).toBe(5_000n)
    expect(deriveRisk({ completed: 0, refunded: 100 }, FREE).refundPpm).toBe(505_000n)
    expect(deriveRisk({ completed: 10_000_000, refunded: 0 }, FREE).refundPpm).toBe(1n)
  })
})

describe("the cost of locked money", () => {
  test("counts an hour of the swap, and the longest timelock by the probability of a refund", () => {
    // 876 % a year are 1000 parts of a million an hour; 1 % of a day is a quarter of an hour,
    // rounded up to whole seconds.
    const { lockPpb } = deriveRisk(
      { completed: 0, refunded: 0 },
      { capitalBps: 87_600n, lockSeconds: 90_000n },
    )
    expect(lockPpb).toBe(1_000_000n + 250_000n)
    expect(lockedFiat(4_000n, { lockPpb })).toBe(5n)
    expect(lockedFiat(4_001n, { lockPpb })).toBe(6n)
  })
})

test(
  "the extra cost is the deposit, the refund by its probability and the locked money, each " +
    "rounded up",
  () => {
    const risk = { refundPpm: 10_000n, lockPpb: 1_000_000n }
    expect(expectedRefundFiat(150n, risk)).toBe(2n)
    expect(extraCostFiat({ depositFiat: 40n, refundFiat: 150n }, 10_000n, risk)).toBe(
      40n + 2n + 10n,
    )
  },
)
