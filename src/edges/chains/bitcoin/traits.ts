import type { ChainTraits } from "#domain/chain-traits.ts"

export const bitcoinTraits: ChainTraits = {
  nativeCoin: { symbol: "BTC", decimals: 8, token: null },
  txidForm: "hex",
  htlcPlace: "address",
  balanceChangesIn: "mempool",
  onePayoutMayServeSeveralOrders: true,
  redemptionMayPrecedeFunding: true,
  refundFeeTakenFromAmount: true,
  deadlineAsksFor: "seen",
  allowances: "none",
  refusalsOfLaggingNodes: [],
  refusalsOfExistingDeposit: [],
}
