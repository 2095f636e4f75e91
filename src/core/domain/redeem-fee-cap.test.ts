import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { redeemFeeCap } from "./redeem-fee-cap.ts"

const stakeAt = (left: bigint | null, worthUnits: bigint | null) => ({
  left,
  timelock: 600n,
  worthUnits,
})

describe("the fee cap of a redemption", () => {
  test("is the configured one while the lock is not ending", () => {
    expect(redeemFeeCap(10n, null)).toBe(10n)
  })

  test.each([
    [199n, 1_000_000n, 10_000n],
    [150n, 1_000_000n, 500_000n],
    [100n, 1_000_000n, 1_000_000n],
    [1n, 1_000_000n, 1_000_000n],
    [-5n, 1_000_000n, 1_000_000n],
    [150n, 900n, 500n],
    [199n, 400n, 400n],
    [150n, null, 500n],
    [null, 1_000_000n, 500n],
    [150n, 3n, 10n],
  ])("with %s of 600 blocks left and a payout of %s is %s", (left, worth, cap) => {
    expect(redeemFeeCap(10n, stakeAt(left, worth))).toBe(cap)
  })

  test("only rises as the lock ends, never passes the payout, and covers it in the last sixth", () => {
    const amount = fc.bigInt(1n, 10n ** 24n)
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.bigInt(1n, 200n),
        fc.bigInt(0n, 199n),
        (usual, worth, less, left) => {
          const cap = redeemFeeCap(usual, stakeAt(left, worth))
          expect(redeemFeeCap(usual, stakeAt(left - less, worth))).toBeGreaterThanOrEqual(cap)
          if (cap > usual) expect(cap).toBeLessThanOrEqual(worth)
          if (left <= 100n) expect(cap).toBeGreaterThanOrEqual(worth)
        },
      ),
    )
  })
})
