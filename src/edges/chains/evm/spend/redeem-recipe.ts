import { ANYBODY_REDEEMS, NO_SECRET, type RedeemRecipe } from "#chains/family-definition.ts"
import type { Asset } from "#domain/asset.ts"
import type { Payout } from "#domain/payout.ts"
import { mustExist } from "#lib/assert.ts"
import type { EvmChainConfig } from "../config.ts"
import { deriveOrderIds, encodeRedeem, readAddress, sameAddress } from "../htlc.ts"

/** The ids follow from the verified terms, never from the service. */
export function describeEvmRedeem(
  payout: Payout,
  asset: Asset,
  { chainId }: EvmChainConfig,
  secret: string | null,
): RedeemRecipe {
  const { units, timelock, secretHash } = payout
  const redeemer = mustExist(readAddress(payout.redeemer), "the redeemer")
  const initiator = mustExist(readAddress(payout.initiator), "the initiator")
  const contracts = asset.htlc.filter(
    (htlc) => payout.htlc === null || sameAddress(htlc, payout.htlc),
  )
  const calls = contracts.flatMap((text) => {
    const to = mustExist(readAddress(text), "the HTLC's address")
    const ids = deriveOrderIds(
      { initiator, redeemer, units, timelock, secretHash },
      { chainId, htlc: to },
    )
    return Object.entries(ids).map(([version, orderId]) => ({
      to,
      version,
      orderId,
      data: secret === null ? NO_SECRET : encodeRedeem(orderId, secret),
    }))
  })
  return {
    who: ANYBODY_REDEEMS,
    when: `within ${timelock} blocks of the payout's initiation`,
    how: [
      "send a transaction with no value to the contract: redeem(bytes32 orderId, bytes secret)",
      "the payout is in one of these contracts, and its order id depends on the contract's " +
        "version: a wrong call reverts",
    ],
    chainId,
    value: "0",
    calls,
  }
}
