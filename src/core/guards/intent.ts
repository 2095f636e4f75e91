import { createHash } from "node:crypto"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { OrderTerms } from "#domain/order.ts"
import { kindOf } from "#domain/route/route-kind.ts"

/**
 * The effect of an order on the money, field by field, and the hash that an approval is bound to
 * (SHA-256, lower-case hex).
 */
export type Intent = { readonly hash: string; readonly fields: Readonly<Record<string, string>> }

/**
 * Collects every field that decides where the money goes and when it can come back. Orders that
 * differ in any field have different hashes, so an approval of one deposit never covers another.
 * `order`: `null` for a route without a service that reports.
 */
export function decideIntent(
  terms: OrderTerms,
  deposit: DecodedDeposit,
  order: ServiceOrder | null,
  payoutFeeUnits = 0n,
): Intent {
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
    ...(order === null
      ? { kind: kindOf(deposit) }
      : { destinationTimelock: order.destination.timelock.toString() }),
    ...(payoutFeeUnits === 0n ? {} : { payoutFeeUnits: payoutFeeUnits.toString() }),
  }
  // The order of the names is part of the hash, so this is the only place that writes them.
  return {
    hash: createHash("sha256")
      .update(JSON.stringify(Object.entries(fields)))
      .digest("hex"),
    fields,
  }
}
