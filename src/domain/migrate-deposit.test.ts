import { expect, test } from "vitest"
import { migrateDeposit, type StoredDeposit } from "./migrate-deposit.ts"

test.each([
  {
    of: "an EVM deposit with typed data",
    extras: { typedData: { primaryType: "Initiate" } },
    facts: { htlcKind: "contract", isRefundableByUs: true, hasTypedData: true },
  },
  {
    of: "a Starknet deposit without typed data",
    extras: { orderId: "12", typedData: null },
    facts: { htlcKind: "contract", isRefundableByUs: true, hasTypedData: false },
  },
  {
    of: "a Solana deposit",
    extras: { swapAccount: "a", lookups: [] },
    facts: { htlcKind: "contract", isRefundableByUs: true, hasTypedData: false },
  },
  {
    of: "a Bitcoin deposit with our refund key",
    extras: { derivable: true, refundKeyOurs: true, htlc: {} },
    facts: { htlcKind: "derivable-address", isRefundableByUs: true, hasTypedData: false },
  },
  {
    of: "a Bitcoin deposit with the service's refund key",
    extras: { derivable: true, refundKeyOurs: false, htlc: {} },
    facts: { htlcKind: "derivable-address", isRefundableByUs: false, hasTypedData: false },
  },
])("fills in the facts that version 0.1 kept in the extras of $of", ({ extras, facts }) => {
  expect(migrateDeposit(stored({ extras }))).toMatchObject({ ...facts, extras })
})

test("leaves a deposit alone that has the facts", () => {
  const facts = { htlcKind: "underivable-address", isRefundableByUs: false, hasTypedData: true } as const
  expect(migrateDeposit(stored({ ...facts, extras: {} }))).toMatchObject(facts)
})

function stored(part: Partial<StoredDeposit>): StoredDeposit {
  // CAST: the migration reads no other field.
  return { units: 1n, ...part } as StoredDeposit
}
