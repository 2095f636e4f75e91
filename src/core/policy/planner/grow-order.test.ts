import fc from "fast-check"
import { expect, test } from "vitest"
import type { Need } from "../need.ts"
import type { PairCosts } from "../treasury-view.ts"
import { VALUE_PER_FIAT } from "../value.ts"
import { growOrder } from "./grow-order.ts"

const USD = 1_000_000n * VALUE_PER_FIAT
// CAST: the size depends on the kind alone.
const LOSS = { kind: "lose" } as Need

function costs(cents: bigint, bps: bigint): PairCosts {
  const fixedFeeFiat = cents * 10_000n
  return { readable: true, available: true, fixedFeeFiat, bps, minUnits: 0n, maxUnits: null }
}

/**
 * The long-run cost of a step in a band whose middle is the target, for a balance that rises and
 * falls evenly; `null` outside the band.
 */
function costInTheLongRun(
  step: number,
  way: number,
  { fixed, share }: { fixed: number; share: number },
): number | null {
  return step > 0 && step < 2 * way ? (fixed + share * step) / (step * (2 * way - step)) : null
}

test("no other size has a lower cost in the long run", () => {
  const cents = fc.bigInt({ min: 1n, max: 2_000n })
  fc.assert(
    fc.property(
      cents,
      fc.bigInt({ min: 1n, max: 300n }),
      fc.integer({ min: 10, max: 1_000_000 }),
      (fixed, bps, way) => {
        const grown = growOrder(LOSS, [costs(fixed, bps)], {
          plain: 5n * USD,
          way: BigInt(way) * USD,
        })
        const step = Number(grown === null ? 0n : grown.want - 5n * USD) / 1e24
        const price = { fixed: Number(fixed) / 100, share: Number(bps) / 10_000 }
        const found = costInTheLongRun(step, way, price)
        expect(step).toBeLessThanOrEqual(way)
        for (const factor of [0.5, 0.9, 0.99, 1.01, 1.1, 2]) {
          const other = costInTheLongRun(step * factor, way, price)
          if (other !== null) expect(found).toBeLessThanOrEqual(other * (1 + 1e-9))
        }
      },
    ),
    { numRuns: 500, seed: 16 },
  )
})

test("a higher fixed cost never makes the order smaller, and without one nothing grows", () => {
  const stepAt = (cents: bigint, bps: bigint): bigint =>
    growOrder(LOSS, [costs(cents, bps)], { plain: USD, way: 9_000n * USD })?.want ?? 0n
  expect(stepAt(0n, 20n)).toBe(0n)
  expect(stepAt(100n, 20n)).toBeLessThan(stepAt(300n, 20n))
  expect(stepAt(100n, 20n)).toBeLessThan(stepAt(100n, 10n))
  expect(stepAt(100n, 0n)).toBe(9_001n * USD)
  expect(growOrder(LOSS, [], { plain: USD, way: USD })).toBeNull()
})

test("the more one-sided a balance moved, the larger the order, as far as the target", () => {
  const way = 9_000n * USD
  const stepAt = (oneSidedBps: bigint): bigint =>
    growOrder({ ...LOSS, oneSidedBps }, [costs(100n, 20n)], { plain: USD, way })?.want ?? 0n
  expect(stepAt(0n)).toBe(growOrder(LOSS, [costs(100n, 20n)], { plain: USD, way })?.want)
  expect(stepAt(5_000n)).toBeGreaterThan(stepAt(0n))
  expect(stepAt(9_000n)).toBeGreaterThan(stepAt(5_000n))
  expect(stepAt(10_000n)).toBe(USD + way)
})
