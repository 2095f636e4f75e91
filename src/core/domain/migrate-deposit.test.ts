import { expect, test } from "vitest"
import { migrateDeposit, type StoredDeposit } from "./migrate-deposit.ts"

test.each([
  {
    of: "an EVM deposit with typed data",
    extras: { typedData: { primaryType: "Initiate" } },
    fields: { htlcKind: "contract", isRefundableByUs: true, hasTypedData: true },
  },
  {
    of: "a Starknet deposit without typed data",
    extras: { orderId: "12", typedData: null },
    fields: { htlcKind: "contract", isRefundableByUs: true, hasTypedData: false },
  },
  {
    of: "a Solana deposit",
    extras: { swapAccount: "a", lookups: [] },
    fields: { htlcKind: "contract", isRefundableByUs: true, hasTypedData: false },
  },
  {
    of: "a Bitcoin deposit with our refund key",
    extras: { derivable: true, refundKeyOurs: true, htlc: {} },
    fields: { htlcKind: "derivable-address", isRefundableByUs: true, hasTypedData: false },
  },
  {
    of: "a Bitcoin deposit with the service's refund key",
    extras: { derivable: true, refundKeyOurs: false, htlc: {} },
    fields: { htlcKind: "derivable-address", isRefundableByUs: false, hasTypedData: false },
  },
])("fills in the fields that version 0.1 kept in the extras of $of", ({ extras, fields }) => {
  expect(migrateDeposit(stored({ extras }))).toMatchObject({ ...fields, extras })
})

test("leaves a deposit alone that has the fields", () => {
  const fields = {
    htlcKind: "underivable-address",
    isRefundableByUs: false,
    hasTypedData: true,
  } as const
  expect(migrateDeposit(stored({ ...fields, extras: {} }))).toMatchObject(fields)
})

function stored(part: Partial<StoredDeposit>): StoredDeposit {
  // CAST: the migration reads no other field.
  return { units: 1n, ...part } as StoredDeposit
}
