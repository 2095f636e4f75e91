import type { DecodedDeposit, VerifiedDeposit } from "./deposit.ts"

/**
 * A verified deposit as an order's snapshot holds it. Version 0.1 kept three of its fields in
 * `extras` alone.
 */
export type StoredDeposit = Omit<VerifiedDeposit, keyof KeptInExtras> & Partial<KeptInExtras>

type KeptInExtras = Pick<DecodedDeposit, "htlcKind" | "isRefundableByUs" | "hasTypedData">

/**
 * Fills in the fields that version 0.1 kept in `extras`: `derivable` and `refundKeyOurs` (both
 * written for deposits to an address only) and `typedData`. A deposit that has the fields stays as
 * it is.
 */
export function migrateDeposit(stored: StoredDeposit): VerifiedDeposit {
  const { extras } = stored
  const { derivable, refundKeyOurs, typedData } = extras
  const kept: KeptInExtras = {
    htlcKind:
      derivable === undefined
        ? "contract"
        : derivable === true
          ? "derivable-address"
          : "underivable-address",
    isRefundableByUs: derivable === undefined || refundKeyOurs === true,
    hasTypedData: typedData !== undefined && typedData !== null,
  }
  // CAST: the snapshot's deposit was verified before it was stored; only fields that it states
  // elsewhere are added.
  return { ...kept, ...stored } as VerifiedDeposit
}
