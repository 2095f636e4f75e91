import type { ChainTrust } from "#chains/family-definition.ts"
import { neededAnswers } from "#nodes/quorum/agree-on.ts"
import type { EvmChainConfig } from "../config.ts"
import { describeDepth } from "../finality.ts"

/** How far the endpoints of one EVM chain are trusted. Pure. */
export function describeEvmTrust({
  rpc,
  agree,
  finality,
}: Pick<EvmChainConfig, "rpc" | "agree" | "finality">): ChainTrust {
  const endpoints = rpc.length
  const needed = neededAnswers(agree, endpoints)
  const { seen, reveal, ending } = finality
  return {
    endpoints,
    agree: needed,
    finality: {
      seen: describeDepth(seen),
      reveal: describeDepth(reveal),
      ending: describeDepth(ending),
    },
    worst: describeWorst(endpoints, needed),
  }
}

function describeWorst(endpoints: number, needed: number): string {
  if (needed > endpoints)
    return (
      `nothing ends and no deposit is made: agree asks for ${needed} endpoints, and ` +
      `${endpoints} are configured`
    )
  if (needed === 1) {
    const who = endpoints === 1 ? "the only endpoint" : `any one of the ${endpoints} endpoints`
    return (
      `${who} could end an order by a false payout, refund or empty HTLC while its money is ` +
      "elsewhere; it cannot move money or change what is signed, and a tip that it invents " +
      "stays within max_priority_fee_per_gas"
    )
  }
  if (needed === endpoints)
    return (
      `one lying or dead endpoint of ${endpoints} stops new deposits and endings until it is ` +
      "replaced; it cannot end an order or release money"
    )
  return (
    `one lying endpoint of ${endpoints} is outvoted and reported; it takes ${needed} that lie ` +
    "together to end an order falsely"
  )
}
