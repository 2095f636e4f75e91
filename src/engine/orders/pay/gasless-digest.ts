import type { VerifiedDeposit } from "#domain/deposit.ts"

/** The name under which the signing record holds the gasless signature of this deposit. */
export function gaslessDigest({ chain, htlc, secretHash }: VerifiedDeposit): string {
  return `${chain}/${htlc}/${secretHash}`
}
