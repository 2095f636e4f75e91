import { ANYBODY_REDEEMS, NO_SECRET, type RedeemRecipe } from "#chains/family-definition.ts"
import type { Asset } from "#domain/asset.ts"
import type { Payout } from "#domain/payout.ts"
import { mustExist } from "#lib/assert.ts"
import type { StarknetChainConfig } from "../config.ts"
import { encodeShortString, formatFelt, readAddress } from "../felt.ts"
import { deriveOrderIds, encodeRedeem, HASH_LAYOUTS, SELECTORS } from "../htlc.ts"

/** The ids follow from the verified terms, never from the service. */
export function describeStarknetRedeem(
  payout: Payout,
  asset: Asset,
  { chainId }: StarknetChainConfig,
  secret: string | null,
): RedeemRecipe {
  const { timelock, units, secretHash } = payout
  const redeemer = mustExist(readAddress(payout.redeemer), "the redeemer")
  const initiator = mustExist(readAddress(payout.initiator), "the initiator")
  const terms = { redeemer, timelock, units, secretHash }
  const calls = asset.htlc.flatMap((text) => {
    const htlc = mustExist(readAddress(text), "the HTLC's address")
    const scope = { chainId: encodeShortString(chainId), initiator, htlc }
    return HASH_LAYOUTS.flatMap((layout) =>
      deriveOrderIds(scope, terms, layout).flatMap((orderId) =>
        secret === null
          ? [{ to: text, orderId: formatFelt(orderId), calldata: [formatFelt(orderId), NO_SECRET] }]
          : encodeRedeem(orderId, secret, layout).map((calldata) => {
              return { to: text, orderId: formatFelt(orderId), calldata: calldata.map(formatFelt) }
            }),
      ),
    )
  })
  return {
    who: ANYBODY_REDEEMS,
    when: `within ${timelock} blocks of the payout's initiation`,
    how: [
      "find the order id that the contract knows: `get_order` shows our terms, and " +
        "`fulfilled_at` is 0",
      "invoke `redeem` with one of the calldata of that id; the contracts take different " +
        "forms, and a wrong one reverts",
    ],
    entrypoint: "redeem",
    selector: formatFelt(SELECTORS.redeem),
    calls,
  }
}
