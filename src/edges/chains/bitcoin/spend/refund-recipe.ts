import type { RefundRecipe } from "#chains/family-definition.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { mustExist } from "#lib/assert.ts"
import { networkOf } from "../address.ts"
import type { BitcoinChainConfig } from "../config.ts"
import { bitcoinExtras } from "../extras.ts"
import { deriveHtlc, LEAF_VERSION } from "../htlc.ts"

export function describeBitcoinRefund(
  deposit: VerifiedDeposit,
  { network }: BitcoinChainConfig,
): RefundRecipe {
  const terms = mustExist(bitcoinExtras.parse(deposit.extras).htlc, "the terms of the HTLC")
  const htlc = deriveHtlc(terms, networkOf(network))
  return {
    who: deposit.isRefundableByUs
      ? "the holder of our own key: it is the key of the refund leaf"
      : "the service only: the key of the refund leaf is not ours. Ask it to refund, with the " +
        "service's order id",
    when: `${terms.timelock} blocks after the deposit was mined (BIP 68)`,
    how: [
      "spend the deposit's output with a version 2 transaction whose input has nSequence = " +
        "timelock",
      "sign the refund leaf (BIP 342, leaf version 0xc0, SIGHASH_DEFAULT) with the refund key",
      "witness: signature, refund leaf, control block",
    ],
    address: htlc.address,
    ...terms,
    nSequence: terms.timelock,
    leafVersion: LEAF_VERSION,
    refundLeaf: Buffer.from(htlc.refundLeaf).toString("hex"),
    controlBlock: Buffer.from(htlc.refundControlBlock).toString("hex"),
    scriptPubKey: Buffer.from(htlc.script).toString("hex"),
  }
}
