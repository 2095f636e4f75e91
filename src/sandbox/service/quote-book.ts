import { createHash } from "node:crypto"
import { parseUnits } from "#domain/amount.ts"
import type { LocalAsset, LocalChain } from "../local-chain.ts"
import { rejectRequest } from "./reject-request.ts"

/**
 * Prices swaps between the assets of the local chains.
 *
 * The destination amount is the value of the source − `feeBps` − fixed fee − affiliate fee, converted to the destination asset and rounded
 * down. Every fee is rounded up. The texts of rejections are those of live deployments (field notes, Wire).
 */
export function createQuoteBook(options: QuoteBookOptions): QuoteBook {
  const markets = new Map<string, Market>()
  for (const chain of options.chains) {
    for (const asset of chain.assets) {
      const price = options.prices[symbolOf(asset.id)]
      if (price !== undefined) markets.set(asset.id, { chain, asset, price, scaledPrice: parseUnits(price, SCALE) })
    }
  }
  const fees: Fees = {
    baseBps: BigInt(options.feeBps),
    fixed: parseUnits(options.fixedFeeUsd, SCALE),
    min: parseUnits(options.minUsd, SCALE),
    max: parseUnits(options.maxUsd, SCALE),
  }
  const solvers = solversOf(options.name ?? "")
  const findPair = (from: string, to: string): Pair => {
    const [source, destination] = [markets.get(from), markets.get(to)]
    // The service swaps only between chains (service interface §1), so there is no pair within one chain.
    if (!source || !destination || source.chain === destination.chain) return rejectRequest(400, "No order pair found")
    return { source, destination }
  }
  return {
    findPair,
    quote: (request) => quotePair(findPair(request.from, request.to), request, fees, solvers),
    payoutUnits: (payout, request) => {
      const { source } = findPair(request.from, request.to)
      const price = options.prices[payout.symbol] ?? options.prices[PAYOUT_PRICE_SYMBOL[payout.symbol] ?? ""]
      if (price === undefined) return rejectRequest(400, `no price for affiliate payouts in ${payout.symbol}`)
      const share = (usdOf(request.units, source) * BigInt(payout.feeBps)) / FULL_BPS
      return (share * 10n ** BigInt(payout.decimals)) / parseUnits(price, SCALE)
    },
  }
}

export type QuoteBookOptions = {
  /** Gives each of several services solvers of its own. */
  readonly name?: string
  readonly chains: readonly LocalChain[]
  /** Fiat price per whole unit by asset symbol (`btc`), decimal text. */
  readonly prices: Readonly<Record<string, string>>
  readonly feeBps: number
  readonly fixedFeeUsd: string
  readonly minUsd: string
  readonly maxUsd: string
}

export type QuoteBook = {
  /** Rejects with "No order pair found". */
  findPair(from: string, to: string): Pair
  /** At least two offers, the best one last, so that tests notice a client that takes the first offer. */
  quote(request: PairRequest & { readonly affiliateBps: number }): readonly BookQuote[]
  /** An affiliate's share of the source value in smallest units of the payout asset, rounded down. */
  payoutUnits(payout: { symbol: string; decimals: number; feeBps: number }, request: PairRequest): bigint
}

export type PairRequest = { readonly from: string; readonly to: string; readonly units: bigint }

export type Market = {
  readonly chain: LocalChain
  readonly asset: LocalAsset
  readonly price: string
  readonly scaledPrice: bigint
}

export type Pair = { readonly source: Market; readonly destination: Market }

/** The offer of one solver. Fiat values count 10^-12 of a dollar (`USD_SCALE`). */
export type BookQuote = {
  readonly solverId: string
  readonly pair: Pair
  readonly sourceUnits: bigint
  readonly destinationUnits: bigint
  readonly sourceUsd: bigint
  readonly destinationUsd: bigint
  readonly feeBps: number
}

export function symbolOf(assetId: string): string {
  return assetId.slice(assetId.indexOf(":") + 1)
}

/** Decimals of fiat values in this room. */
export const USD_SCALE = 12

const SCALE = USD_SCALE
const FULL_BPS = 10_000n
const PAYOUT_PRICE_SYMBOL: Readonly<Record<string, string>> = { cbbtc: "btc" }
type Solver = { readonly id: string; readonly spreadBps: bigint }

function solversOf(service: string): readonly Solver[] {
  return [
    { id: solverId(`${service}slow`), spreadBps: 6n },
    { id: solverId(`${service}keen`), spreadBps: 0n },
  ]
}

type Fees = { readonly baseBps: bigint; readonly fixed: bigint; readonly min: bigint; readonly max: bigint }

function quotePair(
  pair: Pair,
  request: { readonly units: bigint; readonly affiliateBps: number },
  fees: Fees,
  solvers: readonly Solver[],
): readonly BookQuote[] {
  rejectOutOfBounds(pair.source, request.units, fees)
  const sourceUsd = usdOf(request.units, pair.source)
  return solvers.map((solver) => {
    const feeBps = fees.baseBps + solver.spreadBps
    const affiliate = shareUp(sourceUsd, BigInt(request.affiliateBps))
    const netUsd = sourceUsd - shareUp(sourceUsd, feeBps) - fees.fixed - affiliate
    const destinationUnits = netUsd > 0n ? unitsOf(netUsd, pair.destination) : 0n
    if (destinationUnits === 0n) return rejectRequest(400, "insufficient amount: nothing is left after fees")
    return {
      solverId: solver.id,
      pair,
      sourceUnits: request.units,
      destinationUnits,
      sourceUsd,
      destinationUsd: usdOf(destinationUnits, pair.destination),
      feeBps: Number(feeBps),
    }
  })
}

function rejectOutOfBounds(source: Market, units: bigint, fees: Fees): void {
  const min = unitsOf(fees.min, source) + 1n
  const max = unitsOf(fees.max, source)
  if (units >= min && units <= max) return
  rejectRequest(400, `expected amount to be within the range of ${min} to ${max}`)
}

function usdOf(units: bigint, market: Market): bigint {
  return (units * market.scaledPrice) / 10n ** BigInt(market.asset.decimals)
}

function unitsOf(usd: bigint, market: Market): bigint {
  return (usd * 10n ** BigInt(market.asset.decimals)) / market.scaledPrice
}

function shareUp(usd: bigint, bps: bigint): bigint {
  return (usd * bps + FULL_BPS - 1n) / FULL_BPS
}

function solverId(name: string): string {
  return createHash("sha256").update(`ballast sandbox solver ${name}`).digest("hex")
}
