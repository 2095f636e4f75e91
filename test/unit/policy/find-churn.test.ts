import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { findChurn, type Trade } from "#policy/find-churn.ts"
import { A, B, C, D, type Id } from "./sample-plan.ts"

const trade = (from: Id, to: Id, feeFiat: bigint | null = 1n): Trade => ({
  rule: `${from}-${to}`,
  from,
  to,
  feeFiat,
})
const repeat = (times: number, ...trades: Trade[]): Trade[] =>
  Array.from({ length: times }, () => trades).flat()

describe("a circle of orders", () => {
  test("of two assets is found when it is completed often enough", () => {
    expect(findChurn(repeat(2, trade(A, B), trade(B, A)), 3)).toBeNull()
    expect(findChurn(repeat(3, trade(A, B), trade(B, A)), 3)).toEqual({
      assets: [A, B],
      rules: [`${A}-${B}`, `${B}-${A}`],
      times: 3,
      feesFiat: 6n,
    })
  })

  test("of three assets is found too", () => {
    const found = findChurn(repeat(3, trade(A, B), trade(B, C), trade(C, A)), 3)
    expect(found).toMatchObject({ times: 3, feesFiat: 9n })
    expect(found?.rules).toHaveLength(3)
  })

  test("of five assets is found among other trade, and its rules are named", () => {
    const E = parseAssetId("e:usd")
    const circle = [trade(A, B), trade(B, C), trade(C, D), trade(D, E), trade(E, A)]
    const found = findChurn(repeat(3, ...circle, trade(C, parseAssetId("f:usd"))), 3)
    expect(found).toMatchObject({ times: 3, feesFiat: 15n })
    expect(found?.rules).toEqual(circle.map(({ rule }) => rule).sort())
    expect(findChurn(repeat(2, ...circle), 3)).toBeNull()
  })

  test("is sought within bounds when every asset is traded for every other one", {
    timeout: 5_000,
  }, () => {
    const ids = Array.from({ length: 14 }, (_, at) => parseAssetId(`a${at}:usd`))
    const all = ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => trade(from, to)))
    expect(findChurn(repeat(3, ...all), 3)).toMatchObject({ times: 3 })
  })

  test("of eight assets is found among pairs that are traded half as often", () => {
    const ids = Array.from({ length: 14 }, (_, at) => parseAssetId(`a${at}:usd`))
    const all = ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => trade(from, to)))
    const circle = ids.slice(0, 8).map((from, at) => trade(from, ids[(at + 1) % 8] ?? A))
    const found = findChurn([...repeat(2, ...all), ...repeat(4, ...circle)], 4)
    expect(found?.assets).toHaveLength(8)
    expect(found).toMatchObject({ times: 6 })
  })

  test("is completed once by many orders that split one amount each way", () => {
    expect(findChurn([...repeat(9, trade(A, B)), ...repeat(9, trade(B, A))], 2)).toBeNull()
  })

  test("is none when money goes one way, through a hub, or at no cost", () => {
    expect(findChurn(repeat(9, trade(A, B), trade(B, C)), 1)).toBeNull()
    expect(findChurn(repeat(9, trade(A, B, 0n), trade(B, A, 0n)), 1)).toBeNull()
    expect(findChurn(repeat(9, trade(A, B, null), trade(B, A, 0n)), 9)).not.toBeNull()
  })
})
