import { max } from "#domain/amount.ts"
import type { ChainId, Family } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { FEE, MAX_FEE } from "../../../support/fake-fees.ts"
import type { LedgerTx } from "../../../support/fake-ledger.ts"
import { createFamilyOffers, type FakeOffers, type Rise } from "../../../support/fake-offers.ts"
import { CHAIN_FAMILIES } from "../infrastructure.ts"

/** The fees of all chains: the least one that the next block takes, and the estimates of nodes. */
export type FeeMarket = {
  /** The least fee with which the next block takes a transaction of ours. */
  readonly leastFee: (chain: ChainId, tx: LedgerTx) => bigint
  /** The fee that others pay on this chain, without the adversary; `null`: the usual one. */
  readonly setNatural: (chain: ChainId, fee: bigint | null) => void
  readonly natural: (chain: ChainId) => bigint
  /**
   * The adversary buys the space of the next block below this fee. On Solana only that of one
   * HTLC's account.
   */
  readonly outbid: (chain: ChainId, key: string, fee: bigint) => void
  /** A block was made: the next one is for sale. */
  readonly endBlock: (chain: ChainId) => void
  readonly setNodes: (chain: ChainId, nodes: NodeEstimate) => void
  readonly nodesOf: (chain: ChainId) => NodeEstimate
  readonly offersOn: (chain: ChainId) => FakeOffers
}

/**
 * `low` and `high`: the chain's node lies. `zero`: it lies about the fee of a redemption that is
 * not planned yet, and tells the truth afterwards.
 */
export type NodeEstimate = "true" | "none" | "low" | "high" | "zero"

/** Mistakes of a module about fees, for planted bugs. */
export type FeeMistakes = {
  readonly rise?: Rise
  /** A node without an estimate counts as one with this. */
  readonly noneCountsAs?: bigint
  /** The prices are those of accounts that the transaction does not write. */
  readonly asksElsewhere?: boolean
}

export function createFeeMarket({
  rise,
  noneCountsAs,
  asksElsewhere = false,
}: FeeMistakes = {}): FeeMarket {
  const naturals = new Map<ChainId, bigint | null>()
  const nodes = new Map<ChainId, NodeEstimate>()
  /** The bids for the next block, and the highest one of the newest. */
  const bids = new Map<ChainId, Map<string, bigint>>()
  const newest = new Map<ChainId, bigint>()

  const natural = (chain: ChainId): bigint => naturals.get(chain) ?? FEE
  const nodesOf = (chain: ChainId): NodeEstimate => nodes.get(chain) ?? "true"
  const highestBid = (chain: ChainId): bigint =>
    [...(bids.get(chain)?.values() ?? [])].reduce(max, 0n)
  /** The market as the newest block shows it. */
  const shown = (chain: ChainId): bigint =>
    max(natural(chain), asksElsewhere ? 0n : (newest.get(chain) ?? 0n))

  function leastFee(chain: ChainId, { action }: LedgerTx): bigint {
    const isLocal = familyOf(chain) === "solana"
    const key = action.kind === "redeem" || action.kind === "refund" ? action.key : null
    const bid = isLocal
      ? key === null
        ? 0n
        : (bids.get(chain)?.get(key) ?? 0n)
      : highestBid(chain)
    return max(natural(chain), bid)
  }

  function estimate(chain: ChainId): bigint | null {
    switch (nodesOf(chain)) {
      case "none":
        return noneCountsAs ?? null
      case "low":
        return max(1n, shown(chain) / LIE_FACTOR)
      case "high":
        return MAX_FEE
      default:
        return shown(chain)
    }
  }

  return {
    leastFee,
    natural,
    setNatural: (chain, fee) => void naturals.set(chain, fee),
    outbid: (chain, key, fee) => {
      const known = bids.get(chain) ?? new Map<string, bigint>()
      bids.set(chain, known.set(key, max(fee, known.get(key) ?? 0n)))
    },
    endBlock: (chain) => {
      newest.set(chain, highestBid(chain))
      bids.delete(chain)
    },
    setNodes: (chain, how) => void nodes.set(chain, how),
    nodesOf,
    offersOn: (chain) =>
      createFamilyOffers(familyOf(chain), {
        estimate: () => estimate(chain),
        base: () => shown(chain),
        ...(rise === undefined ? {} : { rise }),
      }),
  }
}

/** A false estimate names this part of the market. */
const LIE_FACTOR = 5n

export function familyOf(chain: ChainId): Family {
  return mustExist(CHAIN_FAMILIES.get(chain), "the family of each chain")
}
