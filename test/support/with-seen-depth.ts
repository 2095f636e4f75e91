import type { OnChain } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"

/**
 * A port on whose chain an order goes on from `depth` confirmations, long before the ending's
 * finality.
 */
export function withSeenDepth(port: ChainPort, depth: number): ChainPort {
  const marked = <Part extends OnChain>(part: Part | null): Part | null =>
    part === null ? null : { ...part, seen: part.confirmations >= depth }
  return {
    ...port,
    observeTransaction: async (...asked) => {
      const seen = await port.observeTransaction(...asked)
      return seen.status === "mined" ? { ...seen, seen: seen.confirmations >= depth } : seen
    },
    observeLeg: async (query) => {
      const { initiated, redeemed, refunded, ...leg } = await port.observeLeg(query)
      return {
        ...leg,
        initiated: marked(initiated),
        redeemed: marked(redeemed),
        refunded: marked(refunded),
      }
    },
  }
}
