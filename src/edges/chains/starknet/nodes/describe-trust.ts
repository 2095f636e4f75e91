import type { ChainTrust } from "#chains/family-definition.ts"
import { neededAnswers } from "#nodes/quorum/agree-on.ts"
import type { StarknetChainConfig } from "../config.ts"
import { deriveStarknetFinality, SMALL_STAKE_FIAT, type StarknetDepth } from "../finality.ts"

/** Pure. */
export function describeStarknetTrust(chain: StarknetChainConfig): ChainTrust {
  const endpoints = chain.rpc.length
  const agree = neededAnswers(chain.agree, chain.rpc.length)
  const { seen, reveal, ending, smallEnding } = deriveStarknetFinality(chain)
  const small = `up to a stake of ${SMALL_STAKE_FIAT / 1_000_000n}: ${describeDepth(smallEnding)}`
  return {
    endpoints,
    agree,
    finality: {
      seen: describeDepth(seen),
      reveal: describeDepth(reveal),
      ending: ending === smallEnding ? describeDepth(ending) : `${describeDepth(ending)}; ${small}`,
    },
    worst: agree > 1 ? describeAgreed(agree, endpoints) : WORST_ALONE,
  }
}

function describeDepth(depth: StarknetDepth): string {
  if (depth === "l1") return "accepted on L1"
  return depth === 1 ? "1 block" : `${depth} blocks`
}

const WORST_ALONE =
  "one lying endpoint can end an order by an invented payout, refund or rival transaction " +
  "while its deposit stays locked or is lost; it cannot sign, change an amount, or raise a " +
  "fee above max_fee"

function describeAgreed(agree: number, endpoints: number): string {
  const stop =
    endpoints === agree
      ? "can stop new deposits and endings, with an alarm"
      : "is outvoted, with an alarm"
  return (
    `one lying endpoint ${stop}; it cannot end an order or release money, because ${agree} of ` +
    `${endpoints} must agree about the same block`
  )
}
