import type { ChainTraits } from "#domain/chain-traits.ts"

export const solanaTraits: ChainTraits = {
  nativeCoin: { symbol: "SOL", decimals: 9, token: null },
  txidForm: "base58",
  htlcPlace: "contract",
  balanceChangesIn: "block",
  onePayoutMayServeSeveralOrders: false,
  redemptionMayPrecedeFunding: false,
  refundFeeTakenFromAmount: false,
  deadlineAsksFor: "mined",
  allowances: "none",
  refusalsOfLaggingNodes: ["solana.simulation"],
  refusalsOfExistingDeposit: [],
}
