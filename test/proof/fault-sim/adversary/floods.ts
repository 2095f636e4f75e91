import type { ChainId } from "#domain/asset.ts"
import { hashOf } from "../../../support/fake-chain.ts"
import type { Random } from "../random.ts"
import type { ChosenMeans } from "./chosen-means.ts"
import { familyOf } from "./fee-market.ts"
import type { Means } from "./prices.ts"
import type { Purse, PursedOrder } from "./purse.ts"

/**
 * The floods of strangers beside the legs of orders: transactions in a history, dust, initiations,
 * giant receipts.
 */
export type Floods = {
  /** Fills the place of a leg once, as much as the draw and the purse say. */
  readonly fill: (order: FloodedOrder, side: Side, chain: ChainId) => void
  /** How many foreign entries stand beside the leg; 0 without a flood. */
  readonly countOn: (leg: LegName) => number
}

export type Side = "source" | "destination"
/** One leg of one order, in all processes. */
export type LegName = string

type FloodedOrder = PursedOrder & { readonly secretHash: string }

export function legName(chain: ChainId, side: Side, secretHash: string): LegName {
  return `${chain}/${side}/${secretHash}`
}

/** By family: the means, and the amounts of which one is drawn. */
const FLOODS: Readonly<
  Record<string, { readonly means: Means; readonly counts: readonly [bigint, ...bigint[]] }>
> = {
  solana: {
    means: "Solana: a failed transaction that names the swap account",
    counts: [3_000n, 3_000n, 250_000n, 2_000_000n],
  },
  bitcoin: { means: "Bitcoin: dust on the HTLC's address", counts: [200n, 600n, 6_000n] },
  evm: { means: "EVM: a receipt of megabytes that the service names", counts: [1n, 8n] },
  starknet: { means: "Starknet: an initiation under the secret hash", counts: [1_000n, 100_000n] },
}

/** Of the orders, so many parts of eight are flooded on this side. */
const FLOODED = { source: 3, destination: 5 } as const

export function createFloods({
  purse,
  random,
  means,
}: {
  readonly purse: Purse
  readonly random: Random
  readonly means: ChosenMeans
}): Floods {
  const counts = new Map<LegName, number>()
  return {
    countOn: (leg) => counts.get(leg) ?? 0,
    fill: (order, side, chain) => {
      const leg = legName(chain, side, order.secretHash)
      const flood = FLOODS[familyOf(chain)]
      if (counts.has(leg) || flood === undefined) return
      const draw = Number.parseInt(hashOf(`flood ${side} ${order.secretHash}`).slice(0, 4), 16) % 8
      const count = means.has(flood.means, draw < FLOODED[side]) ? random.pick(flood.counts) : 0n
      // Half of the purse stays for the price of block space.
      const isPaid =
        count > 0n &&
        count * 2n <= purse.afford(order, flood.means) &&
        purse.pay(order, flood.means, count)
      counts.set(leg, isPaid ? Number(count) : 0)
    },
  }
}
