import { expect, test } from "vitest"
import type { DecodedDeposit } from "#domain/deposit.ts"
import { readEvmExtras } from "./extras.ts"

test("reads a stored deposit without typed data and gas limit", () => {
  expect(readEvmExtras(stored({}))).toEqual({ typedData: null, gasLimitClaim: null })
})

test("reads both parts", () => {
  const typedData = { primaryType: "Initiate" }
  expect(readEvmExtras(stored({ typedData, gasLimitClaim: "5" }))).toEqual({ typedData, gasLimitClaim: 5n })
})

function stored(extras: DecodedDeposit["extras"]): DecodedDeposit {
  // CAST: the reader uses no other field.
  return { extras } as DecodedDeposit
}
