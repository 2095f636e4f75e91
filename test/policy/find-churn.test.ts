import { describe, expect, test } from "vitest"
import { findChurn, type Trade } from "#policy/find-churn.ts"
import { A, B, C, type Id } from "./sample-plan.ts"

const trade = (from: Id, to: Id, feeFiat: bigint | null = 1n): Trade => ({ rule: `${from}-${to}`, from, to, feeFiat })
const repeat = (times: number, ...trades: Trade[]): Trade[] => Array.from({ length: times }, () => trades).flat()

describe("a circle of orders", () => {
  test("of two assets is found when it is completed often enough", () => {
    expect(findChurn(repeat(2, trade(A, B), trade(B, A)), 3)).toBeNull()
    expect(findChurn(repeat(3, trade(A, B), trade(B, A)), 3)).toEqual({
      ...{ assets: [A, B], rules: [`${A}-${B}`, `${B}-${A}`], times: 3, feesFiat: 6n },
    })
  })

  test("of three assets is found too", () => {
    const found = findChurn(repeat(3, trade(A, B), trade(B, C), trade(C, A)), 3)
    expect(found).toMatchObject({ times: 3, feesFiat: 9n })
    expect(found?.rules).toHaveLength(3)
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
