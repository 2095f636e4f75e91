import type { ChainTrust } from "#chains/family-definition.ts"
import { neededAnswers } from "#nodes/quorum/agree-on.ts"
import type { SolanaChainConfig } from "../config.ts"
import { decideFinality, describeDepth } from "../finality.ts"

/**
 * Solana gives a client no proof without trust in a node, so everything rests on the agreement of
 * endpoints.
 */
export function describeSolanaTrust(chain: SolanaChainConfig): ChainTrust {
  const endpoints = chain.rpc.length
  const agree = neededAnswers(chain.agree, endpoints)
  const { seen, reveal, ending } = decideFinality(chain)
  return {
    endpoints,
    agree,
    finality: {
      seen: describeDepth(seen),
      reveal: describeDepth(reveal),
      ending: describeDepth(ending),
    },
    worst: describeWorst(endpoints, agree),
  }
}

function describeWorst(endpoints: number, agree: number): string {
  if (agree <= 1) {
    return (
      "one lying endpoint can end an order whose money is still in its HTLC, can show a false " +
      "balance to the rules, and together with the service a payout that never came; it cannot " +
      "move money elsewhere"
    )
  }
  if (agree >= endpoints) {
    return (
      "one lying or dead endpoint stops new deposits and endings until it is replaced; refunds " +
      "and watching go on"
    )
  }
  return (
    "one lying endpoint can at most delay: the others outvote it, and the contradiction is an " +
    "alarm"
  )
}
