import { NO_SECRET, type RedeemRecipe } from "#chains/family-definition.ts"
import type { Payout } from "#domain/payout.ts"
import { networkOf } from "../address.ts"
import type { BitcoinChainConfig } from "../config.ts"
import { deriveHtlc, LEAF_VERSION } from "../htlc.ts"
import { termsOf } from "./plan-transactions.ts"

export function describeBitcoinRedeem(
  payout: Payout,
  { network }: BitcoinChainConfig,
  secret: string | null,
): RedeemRecipe {
  const when = `within ${payout.timelock} blocks of the payout's confirmation`
  const terms = termsOf(payout)
  if (terms === null)
    return {
      who: "the service only: the key of the redeem leaf is not ours",
      when,
      how: [],
      address: payout.swapId,
    }
  const htlc = deriveHtlc(terms, networkOf(network))
  return {
    who: "the holder of our own key: it is the key of the redeem leaf",
    when,
    how: [
      "spend the payout's output with a version 2 transaction to an address of our own",
      "sign the redeem leaf (BIP 342, leaf version 0xc0, SIGHASH_DEFAULT) with the redeem key",
      "witness: signature, secret, redeem leaf, control block",
    ],
    address: htlc.address,
    ...terms,
    secret: secret ?? NO_SECRET,
    leafVersion: LEAF_VERSION,
    redeemLeaf: Buffer.from(htlc.redeemLeaf).toString("hex"),
    controlBlock: Buffer.from(htlc.redeemControlBlock).toString("hex"),
    scriptPubKey: Buffer.from(htlc.script).toString("hex"),
  }
}
