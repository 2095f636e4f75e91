import { expect, test } from "vitest"
import { bitcoinTraits } from "#chains/bitcoin/traits.ts"
import { evmTraits } from "#chains/evm/traits.ts"
import { solanaTraits } from "#chains/solana/traits.ts"
import { starknetTraits } from "#chains/starknet/traits.ts"

test(
  "only an HTLC with an address of its own shares payouts, is redeemed early, and refunds less " +
    "its fee",
  () => {
    const shown = [bitcoinTraits, evmTraits, solanaTraits, starknetTraits].map((traits) => [
      traits.htlcPlace,
      traits.onePayoutMayServeSeveralOrders,
      traits.redemptionMayPrecedeFunding,
      traits.refundFeeTakenFromAmount,
    ])
    const contract = ["contract", false, false, false]
    expect(shown).toEqual([["address", true, true, true], contract, contract, contract])
  },
)
