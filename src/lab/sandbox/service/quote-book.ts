import { createHash } from "node:crypto"
import { parseUnits } from "#domain/amount.ts"
import type { LocalAsset, LocalChain } from "../local-chain.ts"
import { NO_PAIR, rejectRequest } from "./reject-request.ts"

/**
 * Prices swaps between the assets of the local chains.
 *
 * The destination amount is the value of the source − `feeBps` − fixed fee − affiliate fee,
 * converted to the destination asset and rounded down. Every fee is rounded up. The texts of
 * rejections are those of live deployments (field notes, Wire).
 */
export function createQuoteBook(options: QuoteBookOptions): QuoteBook {
  const markets = new Map<string, Market>()
  for (const chain of options.chains) {
    for (const asset of chain.assets) {
      const price = options.prices[symbolOf(asset.id)]
      if (price !== undefined)
        markets.set(asset.id, { chain, asset, price, scaledPrice: parseUnits(price, SCALE) })
    }
  }
  const fees: Fees = {
    baseBps: BigInt(options.feeBps),
    fixed: parseUnits(options.fixedFeeUsd, SCALE),
    min: parseUnits(options.minUsd, SCALE),
    max: parseUnits(options.maxUsd, SCALE),
    solvers: createSolvers(options.name ?? ""),
  }
  const findPair = (from: string, to: string): Pair => {
    const source = markets.get(from)
    const destination = markets.get(to)
    // The service swaps only between chains (service interface §1), so there is no pair within one
    // chain.
    if (!source || !destination || source.chain === destination.chain)
      return rejectRequest(400, NO_PAIR)
    return { source, destination }
  }
  return {
    findPair,
    markets: () => [...markets.values()],
    boundsOf: (market) => boundsOf(market, fees),
    quote: (request) => quotePair(findPair(request.from, request.to), request, fees),
    quoteExactOut: (request) => quoteExactOut(findPair(request.from, request.to), request, fees),
    payoutUnits: (payout, request) => {
      const { source } = findPair(request.from, request.to)
      const price =
        options.prices[payout.symbol] ?? options.prices[PAYOUT_PRICE_SYMBOL[payout.symbol] ?? ""]
      if (price === undefined)
        return rejectRequest(400, `no price for affiliate payouts in ${payout.symbol}`)
      const share = (usdOf(request.units, source) * BigInt(payout.feeBps)) / FULL_BPS
      return (share * 10n ** BigInt(payout.decimals)) / parseUnits(price, SCALE)
    },
  }
}

type QuoteBookOptions = {
  /** Gives the solvers of this service ids of their own. */
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
  /** Every asset that the service swaps. */
  markets(): readonly Market[]
  /** The smallest and largest source amount, in smallest units. */
  boundsOf(market: Market): { readonly min: bigint; readonly max: bigint }
  /**
   * At least two offers, the best one last, so that tests notice a client that takes the first
   * offer.
   */
  quote(request: PairRequest & { readonly affiliateBps: number }): readonly BookQuote[]
  /**
   * The offers that pay out exactly `units` of the destination asset, for the smallest source
   * amount; the best one last.
   */
  quoteExactOut(request: PairRequest & { readonly affiliateBps: number }): readonly BookQuote[]
  /**
   * An affiliate's share of the source value in smallest units of the payout asset, rounded down.
   */
  payoutUnits(
    payout: { symbol: string; decimals: number; feeBps: number },
    request: PairRequest,
  ): bigint
}

type PairRequest = { readonly from: string; readonly to: string; readonly units: bigint }

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

type Fees = {
  readonly baseBps: bigint
  readonly fixed: bigint
  readonly min: bigint
  readonly max: bigint
  readonly solvers: readonly Solver[]
}

function createSolvers(name: string): readonly Solver[] {
  return [
    { id: solverId(`${name}slow`), spreadBps: 6n },
    { id: solverId(`${name}keen`), spreadBps: 0n },
  ]
}

function quotePair(
  pair: Pair,
  request: { readonly units: bigint; readonly affiliateBps: number },
  fees: Fees,
): readonly BookQuote[] {
  rejectOutOfBounds(pair.source, request.units, fees)
  return fees.solvers.map((solver) => {
    const quote = payoutOf(pair, request, { solver, fees })
    if (quote.destinationUnits === 0n)
      return rejectRequest(400, "insufficient amount: nothing is left after fees")
    return quote
  })
}

/**
 * One solver's offer for a source amount. The destination amount is zero where the fees use up the
 * value.
 */
function payoutOf(
  pair: Pair,
  request: { readonly units: bigint; readonly affiliateBps: number },
  { solver, fees }: { readonly solver: Solver; readonly fees: Fees },
): BookQuote {
  const sourceUsd = usdOf(request.units, pair.source)
  const feeBps = fees.baseBps + solver.spreadBps
  const affiliate = shareUp(sourceUsd, BigInt(request.affiliateBps))
  const netUsd = sourceUsd - shareUp(sourceUsd, feeBps) - fees.fixed - affiliate
  const destinationUnits = netUsd > 0n ? unitsOf(netUsd, pair.destination) : 0n
  return {
    solverId: solver.id,
    pair,
    sourceUnits: request.units,
    destinationUnits,
    sourceUsd,
    destinationUsd: usdOf(destinationUnits, pair.destination),
    feeBps: Number(feeBps),
  }
}

/**
 * Searches the smallest source amount: a larger one never pays out less. A solver's quote for it
 * may round up past the wanted amount.
 */
function quoteExactOut(
  pair: Pair,
  request: { readonly units: bigint; readonly affiliateBps: number },
  fees: Fees,
): readonly BookQuote[] {
  const { min, max } = boundsOf(pair.source, fees)
  return fees.solvers.map((solver) => {
    const payout = (units: bigint): bigint =>
      payoutOf(pair, { ...request, units }, { solver, fees }).destinationUnits
    if (payout(max) < request.units || payout(min) > request.units) {
      return rejectRequest(
        400,
        `expected amount to be within the range of ${payout(min)} to ${payout(max)}`,
      )
    }
    let low = min
    let high = max
    while (low < high) {
      const middle = (low + high) / 2n
      if (payout(middle) >= request.units) high = middle
      else low = middle + 1n
    }
    const quote = payoutOf(pair, { ...request, units: low }, { solver, fees })
    return {
      ...quote,
      destinationUnits: request.units,
      destinationUsd: usdOf(request.units, pair.destination),
    }
  })
}

function boundsOf(source: Market, fees: Fees): { min: bigint; max: bigint } {
  return { min: unitsOf(fees.min, source) + 1n, max: unitsOf(fees.max, source) }
}

function rejectOutOfBounds(source: Market, units: bigint, fees: Fees): void {
  const { min, max } = boundsOf(source, fees)
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
