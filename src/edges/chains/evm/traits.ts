import type { ChainTraits } from "#domain/chain-traits.ts"

export const evmTraits: ChainTraits = {
  nativeCoin: { symbol: "ETH", decimals: 18, token: null },
  txidForm: "0x-hex",
  htlcPlace: "contract",
  balanceChangesIn: "block",
  onePayoutMayServeSeveralOrders: false,
  redemptionMayPrecedeFunding: false,
  refundFeeTakenFromAmount: false,
  deadlineAsksFor: "mined",
  allowances: "separate",
  refusalsOfLaggingNodes: ["evm.simulation_reverted"],
  refusalsOfExistingDeposit: ["evm.order_exists"],
}
