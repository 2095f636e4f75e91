import { parseAssetId } from "#domain/asset.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { LocalSwap } from "#sandbox/local-chain.ts"

/** The question of an observer about a leg of the sandbox, without hints of the service. */
export function legQueryOf(swap: LocalSwap, change: Partial<LegQuery> = {}): LegQuery {
  return {
    side: swap.side,
    asset: parseAssetId(swap.asset),
    htlc: null,
    secretHash: swap.secretHash,
    units: BigInt(swap.units),
    owner: swap.owner,
    initiator: swap.initiator,
    redeemer: swap.redeemer,
    timelock: BigInt(swap.timelock),
    hints: { initiateTx: null, redeemTx: null, refundTx: null },
    fromHeight: 0n,
    ...change,
  }
}
