import { max, min } from "#domain/amount.ts"
import type { Reason } from "#domain/reason.ts"
import { middle, urgentEstimate } from "#domain/urgent-offer.ts"
import { AppError } from "#lib/app-error.ts"
import { type NotedFee, noteFees } from "#nodes/quorum/fee-figures.ts"
import type { EvmClient } from "./nodes/endpoint.ts"
import type { Block } from "./nodes/read-block.ts"
import type { EvmRpc } from "./rpc.ts"
import { readTips, type Tips } from "./spend/tips.ts"

/** Fees per unit of gas, in wei (EIP-1559). */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

export type Market = { readonly baseFee: bigint; readonly priorityFee: bigint }

/** The highest fee and the highest tip that an action may offer, in wei per gas. */
export type FeeLimit = { readonly fee: bigint; readonly tip: bigint }

/**
 * Reads the base fee of an agreed block, and the tip that several estimates support, in wei per
 * gas. Throws `evm.no_base_fee` (hold), and `fees.unknown` (transient) where no endpoint answers
 * about tips.
 *
 * A chain takes the base fee of its own block, whatever an endpoint says; but it takes the whole
 * tip. So the tip is the middle of all endpoints' suggestions, and no more than the tips of recent
 * blocks explain; on a quiet chain no more than a part of `quietCap`.
 *
 * The base fee belongs to no decision about its block: it chooses an offer within the caps. So its
 * block is not read again afterwards.
 */
export async function readMarket(
  rpc: EvmRpc,
  tipCap: bigint,
  { feeCap, quietCap = tipCap, waits = true, urgentUpTo = null }: MarketOptions,
): Promise<Market> {
  const [blocks, answers] = await Promise.all([rpc.readBlocks(), rpc.askEach(askForTips)])
  const baseFees = blocks.flatMap((block) => (block.ok ? (block.value.baseFeePerGas ?? []) : []))
  const baseFee = urgentUpTo === null ? middle(baseFees) : urgentEstimate(baseFees, urgentUpTo.fee)
  const tips = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  noteFees(rpc.fees, answers, tipFigure(tipCap))
  noteFees(rpc.fees, blocks, baseFeeFigure(feeCap))
  if (tips.length === 0 && waits) throw feesUnknown(answers)
  const choose =
    urgentUpTo === null ? middle : (each: readonly bigint[]) => urgentEstimate(each, urgentUpTo.tip)
  if (baseFee !== null) return { baseFee, priorityFee: chooseTip(tips, tipCap, quietCap, choose) }
  throw noBaseFee()
}

/**
 * `feeCap`: the most that the action offers. `waits`: a transaction that can wait for an endpoint
 * with an estimate of the tip. `urgentUpTo`: of one that must not stay outside of the blocks, the
 * configured caps; up to them the highest answer counts in place of the middle (`urgentEstimate`).
 */
type MarketOptions = {
  readonly feeCap: bigint
  readonly quietCap?: bigint
  readonly waits?: boolean
  readonly urgentUpTo?: FeeLimit | null
}

export function noBaseFee(): AppError {
  return new AppError({
    code: "evm.no_base_fee",
    disposition: "hold",
    message:
      "The chain's blocks have no base fee (EIP-1559), so Ballast builds no transaction for it",
  })
}

function feesUnknown(answers: readonly { readonly endpoint: string }[]): AppError {
  const endpoints = answers.map(({ endpoint }) => endpoint).join(", ")
  return new AppError({
    code: "fees.unknown",
    disposition: "transient",
    message:
      `no EVM endpoint has an estimate of the tip (${endpoints}); Ballast waits for one; add ` +
      "an endpoint that answers eth_feeHistory",
    details: { endpoints },
  })
}

/**
 * A suggestion may exceed the tips that recent blocks show by this factor, and on a quiet chain it
 * may reach a tenth of `quietCap`.
 */
const TIP_FACTOR = 4n
const QUIET_PART = 10n

const ANY_TIP = 1n << 256n

export function baseFeeFigure(cap: bigint): NotedFee<Pick<Block, "baseFeePerGas">> {
  return {
    figureOf: ({ baseFeePerGas }) => baseFeePerGas,
    unit: "wei of base fee per gas",
    least: cap / 10n,
    cap: { most: cap, key: "max_fee_per_gas" },
  }
}

/** Suggestions differ more than the tips of blocks do: a tenth of the cap is no news. */
export function tipFigure(cap: bigint): NotedFee<Tips> {
  const figureOf = ({ suggested, paid }: Tips): bigint | null => suggested ?? paid
  // No tip of recent blocks explains more, so more would not be offered without a cap either.
  const wantedOf = (one: Tips): bigint => chooseTip([one], ANY_TIP, cap)
  return {
    figureOf,
    wantedOf,
    unit: "wei of tip per gas",
    least: cap / 10n,
    cap: { most: cap, key: "max_priority_fee_per_gas" },
  }
}

/**
 * Pure. Never above `cap`. Without any estimate it offers a tip that needs no explanation, not 0.
 */
export function chooseTip(
  tips: readonly Tips[],
  cap: bigint,
  quietCap = cap,
  choose = middle,
): bigint {
  const suggested = choose(tips.flatMap((each) => each.suggested ?? []))
  const paid = choose(tips.flatMap((each) => each.paid ?? []))
  const explained = max((paid ?? 0n) * TIP_FACTOR, quietCap / QUIET_PART)
  return min(min(suggested ?? paid ?? explained, explained), cap)
}

/**
 * Offers twice the base fee, which suffices for six full blocks (it rises by at most 12.5 % per
 * block). `null` if the base fee is above the limit.
 */
export function suggestFees({ baseFee, priorityFee }: Market, { fee, tip }: FeeLimit): Fees | null {
  if (baseFee > fee) return null
  const offered = min(priorityFee, tip)
  const maxFeePerGas = min(baseFee * 2n + offered, fee)
  return { maxFeePerGas, maxPriorityFeePerGas: min(offered, maxFeePerGas) }
}

/**
 * Returns fees that replace a pending transaction and fit the market; `null` above the limit. Nodes
 * require 10 % more of both fees (geth `--txpool.pricebump`), some nodes 12.5 %.
 */
export function outbid(old: Fees, market: Market, limit: FeeLimit): Fees | null {
  const least = {
    maxFeePerGas: raise(old.maxFeePerGas),
    maxPriorityFeePerGas: raise(old.maxPriorityFeePerGas),
  }
  const current = suggestFees(market, limit)
  if (current === null || least.maxFeePerGas > limit.fee || least.maxPriorityFeePerGas > limit.tip)
    return null
  const maxFeePerGas = max(least.maxFeePerGas, current.maxFeePerGas)
  const wanted = max(least.maxPriorityFeePerGas, current.maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas: min(wanted, maxFeePerGas) }
}

/**
 * The fees `own` for a transaction that replaces one with `old`; `null` where they are not enough
 * higher. Only the tip is raised for it.
 */
export function replaceFees(own: Fees, old: Fees): Fees | null {
  const tip = max(own.maxPriorityFeePerGas, raise(old.maxPriorityFeePerGas))
  if (own.maxFeePerGas < max(raise(old.maxFeePerGas), tip)) return null
  return { maxFeePerGas: own.maxFeePerGas, maxPriorityFeePerGas: tip }
}

/**
 * Raises both fees by `offer`, within the limit and within `mostPerGas`, the wallet's own coin for
 * each gas. Never below `fees`. Pure.
 */
export function raiseFees(
  fees: Fees,
  offer: (perGas: bigint, part: "fee" | "tip") => bigint,
  limit: FeeLimit & { readonly mostPerGas: bigint },
): Fees {
  const most = min(limit.fee, limit.mostPerGas)
  const maxFeePerGas = max(fees.maxFeePerGas, min(offer(fees.maxFeePerGas, "fee"), most))
  const tip = max(
    fees.maxPriorityFeePerGas,
    min(offer(fees.maxPriorityFeePerGas, "tip"), limit.tip),
  )
  return { maxFeePerGas, maxPriorityFeePerGas: min(tip, maxFeePerGas) }
}

/**
 * A deposit stays a ninth below both caps; otherwise its void could not outbid it within the same
 * caps.
 */
export function depositLimit({ fee, tip }: FeeLimit): FeeLimit {
  return { fee: (fee * 8n) / 9n, tip: (tip * 8n) / 9n }
}

export function feesAboveCap(market: Market, { fee, tip }: FeeLimit): Reason {
  return {
    code: "fees.above_cap",
    message:
      "The network's fee is above a configured cap (max_fee_per_gas, " +
      "max_priority_fee_per_gas); Ballast retries when fees fall",
    baseFeePerGas: market.baseFee.toString(),
    limitPerGas: fee.toString(),
    tipLimitPerGas: tip.toString(),
  }
}

/** viem's type lists the methods and their parameters; `readTips` parses the answers. */
function askForTips(client: EvmClient): Promise<Tips> {
  // CAST: the methods and parameters are those of the Ethereum JSON-RPC specification.
  return readTips((method, params) => client.request({ method, params } as never))
}

/**
 * Raises a fee by 12.5 %, rounded up, and by at least one wei, because a replacement must outbid a
 * tip of 0 too.
 */
function raise(fee: bigint): bigint {
  return max((fee * 9n + 7n) / 8n, fee + 1n)
}
