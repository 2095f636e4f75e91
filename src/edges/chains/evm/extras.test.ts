import { expect, test } from "vitest"
import type { DecodedDeposit } from "#domain/deposit.ts"
import { readEvmExtras } from "./extras.ts"

test("reads a stored deposit without typed data and gas limit", () => {
  expect(readEvmExtras(stored({}))).toEqual({
    typedData: null,
    gasLimitClaim: null,
    destinationData: null,
  })
})

test("reads all parts", () => {
  const parts = { typedData: { primaryType: "Initiate" }, destinationData: "0x0102" }
  expect(readEvmExtras(stored({ ...parts, gasLimitClaim: "5" }))).toEqual({
    ...parts,
    gasLimitClaim: 5n,
  })
})

function stored(extras: DecodedDeposit["extras"]): DecodedDeposit {
  // CAST: the reader uses no other field.
  return { extras } as DecodedDeposit
}
