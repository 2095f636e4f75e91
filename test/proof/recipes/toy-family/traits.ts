import type { ChainTraits } from "#domain/chain-traits.ts"

export const toyTraits: ChainTraits = {
  nativeCoin: { symbol: "TOY", decimals: 6, token: null },
  txidForm: "0x-hex",
  htlcPlace: "contract",
  balanceChangesIn: "block",
  onePayoutMayServeSeveralOrders: false,
  redemptionMayPrecedeFunding: false,
  refundFeeTakenFromAmount: false,
  deadlineAsksFor: "mined",
  allowances: "none",
  refusalsOfLaggingNodes: [],
  refusalsOfExistingDeposit: [],
}
