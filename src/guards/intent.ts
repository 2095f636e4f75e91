import { createHash } from "node:crypto"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { OrderTerms } from "#domain/order.ts"

/** What an order is about to do with the money, field by field, and the hash that an approval is bound to (SHA-256, lower-case hex). */
export type Intent = { readonly hash: string; readonly fields: Readonly<Record<string, string>> }

/**
 * Everything that decides where the money goes and when it can come back. Two orders that differ in any of it have different hashes, so
 * that nothing can be signed on the strength of an approval of something else.
 */
export function decideIntent(terms: OrderTerms, deposit: DecodedDeposit, order: ServiceOrder): Intent {
  const fields = {
    chain: deposit.chain,
    htlc: deposit.htlc,
    asset: deposit.asset ?? "none of ours",
    units: deposit.units.toString(),
    redeemer: deposit.redeemer,
    refundTo: deposit.refundTo,
    secretHash: deposit.secretHash,
    timelock: deposit.timelock.toString(),
    destinationAsset: terms.to,
    destinationOwner: terms.destinationOwner,
    destinationUnits: terms.destinationUnits.toString(),
    destinationTimelock: order.destination.timelock.toString(),
  }
  // The order of the names is part of the hash: this is the only place that writes them.
  return {
    hash: createHash("sha256")
      .update(JSON.stringify(Object.entries(fields)))
      .digest("hex"),
    fields,
  }
}
