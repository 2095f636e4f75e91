import type { ChainTraits } from "#domain/chain-traits.ts"

export const starknetTraits: ChainTraits = {
  // STRK is both the native coin and a token (docs.starknet.io, token contracts).
  nativeCoin: {
    symbol: "STRK",
    decimals: 18,
    token: "0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d",
  },
  txidForm: "felt",
  htlcPlace: "contract",
  balanceChangesIn: "block",
  onePayoutMayServeSeveralOrders: false,
  redemptionMayPrecedeFunding: false,
  refundFeeTakenFromAmount: false,
  deadlineAsksFor: "mined",
  allowances: "carried",
  refusalsOfLaggingNodes: ["starknet.would_revert", "starknet.swap_id"],
  refusalsOfExistingDeposit: ["starknet.order_exists"],
}
