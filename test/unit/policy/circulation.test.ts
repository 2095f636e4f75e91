import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { CIRCULATION_MS, isCirculationDear, measureCirculation } from "#policy/circulation.ts"
import type { Trade } from "#policy/find-churn.ts"
import { A, B, C, D, type Id } from "./sample-plan.ts"

const trade = (from: Id, to: Id, sourceFiat: bigint | null, feeFiat = 10n): Trade => ({
  rule: `${from}-${to}`,
  from,
  to,
  sourceFiat,
  feeFiat,
})

describe("the circulation of trades", () => {
  test("is nothing where no walk comes back", () => {
    const trades = [trade(A, B, 100n), trade(B, C, 100n), trade(A, C, 50n), trade(D, C, 9n)]
    expect(measureCirculation(trades)).toEqual({
      volumeFiat: 0n,
      feesFiat: 0n,
      assets: [],
      rules: [],
    })
  })

  test("counts only the part that came back, in whatever order and however often it was sold", () => {
    const trades = [trade(B, A, 25n), trade(A, B, 100n, 40n), trade(B, A, 25n)]
    const found = measureCirculation(trades)
    expect(found).toMatchObject({ volumeFiat: 100n, feesFiat: 40n, assets: [A, B] })
    expect(found.rules).toEqual([`${A}-${B}`, `${B}-${A}`])
    expect(measureCirculation(trades.toReversed())).toEqual(found)
  })

  test("finds circles that share a pair, and names the dearest", () => {
    const found = measureCirculation([
      trade(A, B, 100n, 100n),
      trade(B, A, 40n, 4n),
      trade(B, C, 60n, 50n),
      trade(C, A, 60n, 50n),
      trade(C, D, 500n),
    ])
    expect(found).toMatchObject({ volumeFiat: 260n, feesFiat: 204n, assets: [A, B, C] })
    expect(found.rules).not.toContain(`${C}-${D}`)
  })

  test("leaves out an order of unknown value", () => {
    expect(measureCirculation([trade(A, B, null), trade(B, A, 9n)]).feesFiat).toBe(0n)
  })
})

test("circulation is dear above a fifth of a percent of the treasury, and never without a fee", () => {
  const feesOf = (feesFiat: bigint) => ({ volumeFiat: 9n, feesFiat, assets: [], rules: [] })
  expect(isCirculationDear(feesOf(200n), 100_000n)).toBe(false)
  expect(isCirculationDear(feesOf(201n), 100_000n)).toBe(true)
  expect(isCirculationDear(feesOf(0n), 0n)).toBe(false)
})

test("a part of each fee goes round with its part of the value, and a longer way counts each step", () => {
  const E = parseAssetId("e:usd")
  const longer = [trade(D, A, 90n, 30n), trade(C, D, 60n, 3n), trade(B, C, 60n), trade(A, B, 80n)]
  expect(measureCirculation([...longer, trade(A, E, 900n), trade(E, C, null)])).toEqual({
    volumeFiat: 240n,
    feesFiat: 20n + 3n + 10n + 7n,
    assets: [A, B, C, D],
    rules: longer.map(({ rule }) => rule).sort(),
  })
  expect(measureCirculation([trade(A, B, -5n), trade(B, A, 9n)]).volumeFiat).toBe(0n)
})

test("circulation is measured over two weeks, and dear above a five-hundredth", () => {
  expect(CIRCULATION_MS).toBe(14 * 86_400_000)
  const of = (feesFiat: bigint) => ({ volumeFiat: 1n, feesFiat, assets: [], rules: [] })
  const dear = (fees: bigint, treasury: bigint) => isCirculationDear(of(fees), treasury)
  expect([dear(2n, 1_000n), dear(3n, 1_000n), dear(2n, 999n)]).toEqual([false, true, true])
  expect([dear(0n, 0n), dear(0n, -5n), dear(1n, 0n)]).toEqual([false, false, true])
})
