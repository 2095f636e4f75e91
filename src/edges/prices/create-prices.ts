import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { FeedPrice, Peg, PriceFeed, ReferencePrice } from "#domain/price.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { type Address, hideSecrets, hostOf } from "#nodes/address.ts"
import { createAsk } from "#nodes/create-ask.ts"
import { type Dispatcher, describeFailure } from "#nodes/exchange.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import type { PricePort } from "#ports/prices.ts"
import { combinePrices, deviationBps } from "./combine-prices.ts"
import { checkAge, MissingPrice, parsePriceAnswer } from "./parse-price-answer.ts"
import { parseTicker, type TickerKind, tickerAt } from "./parse-ticker.ts"

/**
 * A source of one asset's price. Paths are keys and list positions with dots between them, such as
 * `data.0.price`.
 */
export type PriceSource = { readonly asset: AssetId; readonly maxAgeMs: number } & (
  | {
      readonly kind: "json"
      readonly url: Address
      readonly path: string
      readonly timePath: string | null
    }
  | { readonly kind: TickerKind; readonly product: string; readonly url: Address | null }
  | { readonly kind: "feed"; readonly chain: string; readonly feed: PriceFeed }
)

type Asking = PricesOptions & Required<Pick<PricesOptions, "paces">>

/** Assets of the same value. */
type PeggedAssets = Peg & { readonly assets: readonly AssetId[] }

export type PricesOptions = {
  readonly sources: readonly PriceSource[]
  readonly pegs?: readonly PeggedAssets[]
  /** A source whose price is further from the middle one does not count. */
  readonly maxSpreadBps: bigint
  /** An asset without a source is an error, so that nothing uses the service's values instead. */
  readonly required?: boolean
  /** Reads a feed on a chain. Throws AppError. */
  readonly readFeed?: (chain: string, feed: PriceFeed) => Promise<FeedPrice>
  readonly timeoutMs: number
  readonly clock: Clock
  readonly paces?: Paces
  readonly dispatcher?: Dispatcher
}

/**
 * Asks all sources of an asset in parallel and combines the fresh prices. A failed source is left
 * out, never counted as zero.
 */
export function createPrices(given: PricesOptions): PricePort {
  const options = { ...given, paces: given.paces ?? createPaces(given.clock) }
  const pegs = options.pegs ?? []
  const pegOf = (asset: AssetId): PeggedAssets | null =>
    pegs.find(({ assets }) => assets.includes(asset)) ?? null
  const hasSource = (asset: AssetId): boolean =>
    options.sources.some((source) => source.asset === asset)

  return {
    fetchPrice: async (asset) => {
      const peg = pegOf(asset)
      if (peg === null) return hasSource(asset) ? readAsset(asset, options) : withoutSource(asset)
      return fetchPegged(asset, peg)
    },
    findPeg: (a, b) => {
      const peg = pegOf(a)
      return peg?.assets.includes(b) === true && peg.assets.some(hasSource)
        ? { toleranceBps: peg.toleranceBps }
        : null
    },
    checkPegs: async () => (await Promise.all(pegs.map(checkPeg))).flat(),
  }

  /** The asset's own price, or else that of the pegged assets, while the peg holds. */
  async function fetchPegged(asset: AssetId, peg: PeggedAssets): Promise<ReferencePrice | null> {
    const priced = peg.assets.filter(hasSource)
    if (priced.length === 0) return withoutSource(asset)
    const members = await readMembers(priced, options)
    const broken = judgePeg(peg, members)
    if (broken !== null)
      throw new AppError({
        code: "prices.peg_broken",
        disposition: "transient",
        message: broken.message,
      })
    const own = members.find((member) => member.asset === asset)
    if (own?.error) throw own.error
    const known = own ?? members.find(({ price }) => price !== null)
    if (known?.price) return known.price
    throw members[0]?.error ?? missing(asset)
  }

  async function checkPeg(peg: PeggedAssets): Promise<Reason[]> {
    const members = await readMembers(peg.assets.filter(hasSource), options)
    const broken = judgePeg(peg, members)
    return [
      ...(broken === null ? [] : [broken]),
      ...members.flatMap(({ asset, error }) =>
        error === null
          ? []
          : [
              {
                code: "prices.peg_unwatched",
                message: `A peg cannot be watched: ${error.message}`,
                asset,
              },
            ],
      ),
    ]
  }

  function withoutSource(asset: AssetId): null {
    if (options.required !== true) return null
    throw missing(asset)
  }
}

type Member = { readonly asset: AssetId } & (
  | { readonly price: ReferencePrice; readonly error: null }
  | { readonly price: null; readonly error: AppError }
)

function readMembers(assets: readonly AssetId[], options: Asking): Promise<readonly Member[]> {
  return Promise.all(
    assets.map(async (asset): Promise<Member> => {
      try {
        return { asset, price: await readAsset(asset, options), error: null }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { asset, price: null, error }
      }
    }),
  )
}

/** A reason when two members differ by more than the tolerance. */
function judgePeg({ toleranceBps }: Peg, members: readonly Member[]): Reason | null {
  const known = members.flatMap(({ asset, price }) =>
    price === null ? [] : [{ asset, fiat: price.fiat }],
  )
  const sorted = known.toSorted((a, b) => (a.fiat < b.fiat ? -1 : 1))
  const low = sorted[0]
  const high = sorted.at(-1)
  if (low === undefined || high === undefined) return null
  const bps = deviationBps(low.fiat, high.fiat)
  if (bps <= toleranceBps) return null
  const lowest = `${low.asset} at ${show(low.fiat)}`
  const highest = `${high.asset} at ${show(high.fiat)}`
  const message =
    `A peg does not hold: ${lowest} and ${highest} are ${bps} bps apart, more than ` +
    `${toleranceBps}; see prices.pegs`
  return {
    code: "prices.peg_broken",
    message,
    lowest,
    highest,
    deviation: `${bps} bps`,
    tolerance: `${toleranceBps} bps`,
  }
}

function missing(asset: AssetId): AppError {
  return new AppError({
    code: "prices.missing",
    disposition: "transient",
    message:
      `No price of our own for ${asset}: add a source of it to prices.sources, or put it into ` +
      "a peg of prices.pegs with a priced asset; prices.trust_service: true believes the " +
      "service, on test networks only",
    details: { asset },
  })
}

async function readAsset(asset: AssetId, options: Asking): Promise<ReferencePrice> {
  const sources = options.sources.filter((source) => source.asset === asset)
  const answers = await Promise.all(sources.map((source) => readSource(source, options)))
  const prices = answers.filter((answer) => typeof answer === "bigint")
  const failed = answers.flatMap((answer) => (typeof answer === "bigint" ? [] : [answer.message]))
  if (prices.length === 0) {
    throw new AppError({
      code: "prices.unavailable",
      disposition: "transient",
      message: `No fresh reference price of ${asset}: ${failed.join("; ")}; check prices.sources`,
      details: { asset, source: failed.join("; ") },
    })
  }
  const combined = combinePrices(prices, options.maxSpreadBps)
  if (combined.ok) {
    const outliers = sources.flatMap((source, at) => {
      const fiat = answers[at]
      return typeof fiat === "bigint" && combined.dropped.includes(fiat)
        ? [{ source: nameOf(source), fiat }]
        : []
    })
    return {
      fiat: combined.fiat,
      sources: combined.used,
      ...(outliers.length === 0 ? {} : { outliers }),
      ...(failed.length === 0 ? {} : { failed }),
      ...(sources.every(isUndated) ? { isUndated: true } : {}),
    }
  }
  throw new AppError({
    code: "prices.disagree",
    disposition: "transient",
    message:
      `The price sources of ${asset} contradict each other: from ${show(combined.lowest)} to ` +
      `${show(combined.highest)}, and not more than half of them are within ` +
      `${options.maxSpreadBps} bps of the middle one; check prices.sources`,
    details: { asset },
  })
}

function isUndated(source: PriceSource): boolean {
  return source.kind === "json" && source.timePath === null
}

/** Returns the error as a value, because one bad source must not hide the others. */
async function readSource(source: PriceSource, options: Asking): Promise<bigint | AppError> {
  const host = nameOf(source)
  try {
    return await readFrom(source, options)
  } catch (error) {
    const why = describeFailure(error)
    return new AppError({
      code: "prices.source",
      disposition: "transient",
      message: `${host}: ${why}`,
      details: { host },
      cause: error,
    })
  }
}

async function readFrom(source: PriceSource, options: Asking): Promise<bigint> {
  const { maxAgeMs } = source
  const nowMs = (): number => options.clock.now()
  if (source.kind === "feed") {
    if (options.readFeed === undefined) throw new Error("the chain of this feed is not open")
    const { fiat, atMs } = await options.readFeed(source.chain, source.feed)
    checkAge(atMs, maxAgeMs, nowMs())
    return fiat
  }
  const { kind } = source
  if (kind === "json")
    return readBody(source.url, options, (text) => parsePriceAnswer(text, source, nowMs()))
  const address = tickerAt(kind, source.product, source.url)
  return readBody(address, options, (text) => parseTicker(kind, text, maxAgeMs, nowMs()))
}

/** An answer without a price is told in its own words, which may repeat the address's secrets. */
async function readBody(
  address: Address,
  options: Asking,
  parse: (text: string) => bigint,
): Promise<bigint> {
  const text = await fetchText(address, options)
  try {
    return parse(text)
  } catch (error) {
    throw error instanceof MissingPrice ? error.tell((said) => hideSecrets(address, said)) : error
  }
}

/** A price is a few bytes; some endpoints list all their markets. */
export const MAX_PRICE_BYTES = 1024 * 1024

const MOST_PRICE_VALUES = 32_768

/** All prices of one address share its limit of requests. */
function fetchText(address: Address, { paces, clock, timeoutMs, dispatcher }: Asking) {
  const headers = { accept: "application/json", "user-agent": "ballast" }
  const bounds = { mostBytes: MAX_PRICE_BYTES, mostValues: MOST_PRICE_VALUES }
  const more = { clock, headers, ...bounds, ...(dispatcher ? { dispatcher } : {}) }
  return createAsk(timeoutMs, clock, paces, more)(address)
}

/** The path and query of a URL may contain a secret of the operator. */
function nameOf(source: PriceSource): string {
  if (source.kind === "feed") return `${source.feed.kind} feed on ${source.chain}`
  return hostOf(
    source.kind === "json" ? source.url : tickerAt(source.kind, source.product, source.url),
  )
}

function show(fiat: bigint): string {
  return formatUnits(fiat, FIAT_DECIMALS)
}
