import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { EvmClient } from "./rpc.ts"

/** Fees per unit of gas, in wei (EIP-1559). */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

export type Market = { readonly baseFee: bigint; readonly priorityFee: bigint }

/** Reads the latest base fee and the node's suggested tip, in wei per gas. Throws `evm.no_base_fee` (hold). */
export async function readMarket(client: EvmClient): Promise<Market> {
  const [block, priorityFee] = await Promise.all([client.getBlock(), readPriorityFee(client)])
  if (block.baseFeePerGas !== null) return { baseFee: block.baseFeePerGas, priorityFee }
  throw new AppError({
    code: "evm.no_base_fee",
    disposition: "hold",
    message: "The chain's blocks have no base fee (EIP-1559), so Ballast builds no transaction for it",
  })
}

/**
 * Offers twice the base fee, which suffices for six full blocks (it rises by at most 12.5 % per block). `null` if the
 * base fee is above `limit`.
 */
export function suggestFees({ baseFee, priorityFee }: Market, limit: bigint): Fees | null {
  if (baseFee > limit) return null
  const maxFeePerGas = min(baseFee * 2n + priorityFee, limit)
  return { maxFeePerGas, maxPriorityFeePerGas: min(priorityFee, maxFeePerGas) }
}

/**
 * Returns fees that replace a pending transaction and fit the market; `null` above `limit`. Nodes require 10 % more of
 * both fees (geth `--txpool.pricebump`), some nodes 12.5 %.
 */
export function outbid(old: Fees, market: Market, limit: bigint): Fees | null {
  const least = { maxFeePerGas: raise(old.maxFeePerGas), maxPriorityFeePerGas: raise(old.maxPriorityFeePerGas) }
  const current = suggestFees(market, limit)
  if (current === null || least.maxFeePerGas > limit) return null
  const maxFeePerGas = max(least.maxFeePerGas, current.maxFeePerGas)
  const wanted = max(least.maxPriorityFeePerGas, current.maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas: min(wanted, maxFeePerGas) }
}

/** A deposit stays a ninth below the cap; otherwise its void could not outbid it within the same cap. */
export function depositFeeLimit(cap: bigint): bigint {
  return (cap * 8n) / 9n
}

export function feesAboveCap(market: Market, limit: bigint): Reason {
  return {
    code: "fees.above_cap",
    message: "The network's fee is above the configured cap (max_fee_per_gas); Ballast retries when fees fall",
    baseFeePerGas: market.baseFee.toString(),
    limitPerGas: limit.toString(),
  }
}

/** Some nodes lack `eth_maxPriorityFeePerGas`; the median tip of the last blocks replaces it. */
async function readPriorityFee(client: EvmClient): Promise<bigint> {
  try {
    return BigInt(await client.request({ method: "eth_maxPriorityFeePerGas" }))
  } catch {
    const { reward } = await client.getFeeHistory({ blockCount: 10, rewardPercentiles: [50] })
    const tips = (reward ?? []).map(([tip]) => tip ?? 0n).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    // No tip in ten blocks is a valid answer: an idle chain accepts transactions without a tip.
    return tips[Math.floor(tips.length / 2)] ?? 0n
  }
}

/** Raises a fee by 12.5 %, rounded up, and by at least one wei, because a replacement must outbid a tip of 0 too. */
function raise(fee: bigint): bigint {
  return max((fee * 9n + 7n) / 8n, fee + 1n)
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
