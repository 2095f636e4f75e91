import { describe, expect, test } from "vitest"
import { combinePrices, deviationBps } from "./combine-prices.ts"

describe("combined prices", () => {
  test.each<[bigint[], bigint, bigint[]]>([
    [[100_000n], 100_000n, []],
    [[100_000n, 101_000n], 100_500n, []],
    [[99_100n, 100_000n, 100_400n], 100_000n, []],
    [[100_000n, 50_000n, 100_200n], 100_100n, [50_000n]],
    [[100_000n, 900_000n, 100_200n, 100_100n], 100_100n, [900_000n]],
    [[1n, 100_000n, 100_000n, 100_000n, 10_000_000n], 100_000n, [1n, 10_000_000n]],
  ])("of %s are %s", (prices, fiat, dropped) => {
    expect(combinePrices(prices, 100n)).toEqual({
      ok: true,
      fiat,
      used: prices.length - dropped.length,
      dropped,
    })
  })

  test.each([
    [[100_000n, 101_001n]],
    [[100_000n, 100_000n, 200_000n, 200_000n]],
    [[1n, 10_000n, 100_000n]],
  ])("of %s are none, because no majority agrees", (prices) => {
    expect(combinePrices(prices, 100n)).toMatchObject({ ok: false })
  })

  test("do not depend on the order of the sources", () => {
    for (const prices of [
      [100_000n, 50_000n, 100_200n],
      [50_000n, 100_200n, 100_000n],
    ])
      expect(combinePrices(prices, 100n)).toMatchObject({ ok: true, fiat: 100_100n })
  })

  test("compare with a deviation that is rounded up", () => {
    expect(deviationBps(100_000n, 101_000n)).toBe(100n)
    expect(deviationBps(101_001n, 100_000n)).toBe(101n)
  })
})
