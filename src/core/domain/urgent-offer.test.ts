import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { redeemFeeCap } from "./redeem-fee-cap.ts"
import { redeemOffer, rescueOffer, riseOffer, urgentEstimate } from "./urgent-offer.ts"

const LOCK = 144n
const amount = fc.bigInt(1n, 10n ** 20n)

function offerAt(
  estimate: bigint | null,
  usual: bigint,
  left: bigint | null,
  worth: bigint | null,
): bigint | null {
  const stake = { left, timelock: LOCK, worthUnits: worth }
  return redeemOffer(estimate, { usualUnits: usual, capUnits: redeemFeeCap(usual, stake) }, stake)
}

describe("the offer of a redemption", () => {
  test("starts at the estimate, passes the usual cap at a third of the lock, and ends at the worth", () => {
    const at = (left: bigint) => offerAt(2n, 300n, left, 60_000n)
    expect([144n, 96n, 48n].map(at)).toEqual([2n, 39n, 300n])
    expect(at(47n)).toBeGreaterThanOrEqual(300n)
    expect(at(0n)).toBe(60_000n)
    expect(at(-9n)).toBe(60_000n)
  })

  test("waits without an estimate, but not in the second half of the lock", () => {
    const offers = [144n, 73n, 72n, 48n, 24n, 0n].map((left) => offerAt(null, 300n, left, 60_000n))
    expect(offers.slice(0, 4)).toEqual([null, null, 126n, 300n])
    expect(offers[4]).toBeGreaterThan(7_000n)
    expect(offers[5]).toBe(60_000n)
    expect(offerAt(null, 300n, null, 60_000n)).toBe(300n)
    expect(redeemOffer(null, { usualUnits: 300n, capUnits: 300n }, null)).toBeNull()
  })

  test("only rises with time, from the estimate to the cap", () => {
    const time = fc.tuple(fc.bigInt(0n, LOCK), fc.bigInt(0n, LOCK))
    fc.assert(
      fc.property(amount, amount, amount, time, (estimate, usual, worth, [a, b]) => {
        const [late, early] = a < b ? [a, b] : [b, a]
        const before = offerAt(estimate, usual, early, worth)
        const after = offerAt(estimate, usual, late, worth)
        expect(after ?? 0n).toBeGreaterThanOrEqual(before ?? 0n)
        const cap = redeemFeeCap(usual, { left: late, timelock: LOCK, worthUnits: worth })
        expect(after ?? 0n).toBeLessThanOrEqual(cap)
        const first = offerAt(estimate, usual, LOCK, worth)
        expect(first).toBe(estimate < usual ? estimate : usual)
        const last = redeemFeeCap(usual, { left: 0n, timelock: LOCK, worthUnits: worth })
        expect(offerAt(estimate, usual, 0n, worth)).toBe(last)
      }),
    )
  })

  test("is never lowered by an estimate", () => {
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.bigInt(0n, LOCK),
        fc.option(amount),
        (low, more, usual, left, worth) => {
          const offer = offerAt(low, usual, left, worth)
          const higher = offerAt(low + more, usual, left, worth)
          expect(higher ?? 0n).toBeGreaterThanOrEqual(offer ?? 0n)
          expect(offer ?? 0n).toBeGreaterThanOrEqual(offerAt(null, usual, left, worth) ?? 0n)
        },
      ),
    )
  })
})

test("a refund or a void rises from its fee to the configured cap with six higher fees", () => {
  expect([0, 1, 3, 6, 40].map((attempt) => rescueOffer(20n, 80n, attempt))).toEqual([
    20n,
    20n,
    27n,
    80n,
    80n,
  ])
  expect(rescueOffer(90n, 80n, 3)).toBe(90n)
  expect(riseOffer(1n, 9n, { passed: 0n, span: 0n })).toBe(9n)
})

describe("the estimate for an urgent transaction", () => {
  test.each([
    ["the higher one of two", [1n, 80n], 80n],
    ["no more than the cap by one node's word", [80n, 9_999n], 300n],
    ["what two of three name above the cap", [1n, 500n, 900n], 500n],
    ["none without an estimate", [], null],
  ])("is %s", (_name, estimates, expected) => {
    expect(urgentEstimate(estimates, 300n)).toBe(expected)
  })
})
