import { ANYBODY_REFUNDS, type RefundRecipe } from "#chains/family-definition.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { mustExist } from "#lib/assert.ts"
import type { EvmChainConfig } from "../config.ts"
import { deriveOrderIds, encodeRefund, readAddress } from "../htlc.ts"

export function describeEvmRefund(
  deposit: VerifiedDeposit,
  { chainId }: EvmChainConfig,
): RefundRecipe {
  const contract = mustExist(readAddress(deposit.htlc), "the HTLC's address")
  const { units, timelock, secretHash } = deposit
  const redeemer = mustExist(readAddress(deposit.redeemer), "the redeemer")
  const initiator = mustExist(readAddress(deposit.refundTo), "the initiator")
  const ids = deriveOrderIds(
    { initiator, redeemer, units, timelock, secretHash },
    { chainId, htlc: contract },
  )
  const calls = Object.entries(ids).map(([version, orderId]) => ({
    version,
    orderId,
    data: encodeRefund(orderId),
  }))
  return {
    who: ANYBODY_REFUNDS,
    when: `more than ${timelock} blocks after the initiation`,
    how: [
      "send a transaction with no value to the contract: refund(bytes32 orderId)",
      "the order id depends on the contract's version; the initiation's log `Initiated` has " +
        "it as its first indexed value (topics[1]). A wrong one reverts",
    ],
    chainId,
    to: contract,
    value: "0",
    calls,
  }
}
