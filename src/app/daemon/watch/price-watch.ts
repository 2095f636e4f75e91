import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { ReferencePrice } from "#domain/price.ts"
import type { Reason } from "#domain/reason.ts"
import { describePriceOutlier, viewPriceOutlier } from "#guards/price-outlier.ts"
import { findBreaks, followBreaks } from "#health/judge-nodes.ts"
import type { BreaksReading, PriceReading } from "#health/readings.ts"
import { toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { PricePort } from "#ports/prices.ts"

/**
 * Sources of prices count their callers, so the watch asks them less often than the nodes. A failed
 * read is repeated once, at the next check; an asset counts as unpriced after the second failure,
 * and since its last price. With a check every 10 s that takes at most 30 s + 2 × 10 s and the time
 * of two reads: less than the minute in which each fault must be known.
 */
const PRICES_EVERY_MS = 30_000

/** The assets without a price now, with the time since which they have none. */
type PriceWatch = {
  readonly check: (assets: readonly AssetId[]) => Promise<readonly PriceReading[]>
}

/**
 * `sinceMs`: the last price, or the first attempt. `fiat`: the last number, and since when.
 * `breaks`: the failures that each follow a price, and one another within minutes.
 */
type Track = {
  readonly sinceMs: number
  readonly failures: number
  readonly reason: Reason | null
  readonly fiat: bigint | null
  readonly fiatSinceMs: number
  readonly breaks: BreaksReading<Reason> | null
}

/** A market moves in this time, and nothing else shows the age of a price without its time. */
const FROZEN_AFTER_MS = 6 * 3_600_000
/** The last digits of a coin that is pegged to the currency stand still for days. */
const PEGGED = { from: 980_000n, to: 1_020_000n }

export function createPriceWatch(clock: Pick<Clock, "now">, prices: () => PricePort): PriceWatch {
  let tracks = new Map<AssetId, Track>()
  let askedMs = Number.NEGATIVE_INFINITY
  return {
    check: async (assets) => {
      const nowMs = clock.now()
      const isRound = nowMs - askedMs >= PRICES_EVERY_MS || nowMs < askedMs
      if (isRound) askedMs = nowMs
      const asked = await Promise.all(
        assets.map(async (asset): Promise<readonly [AssetId, Track]> => {
          const known = tracks.get(asset)
          if (known !== undefined && !isRound && known.failures !== 1) return [asset, known]
          return [asset, follow(asset, known, await readPrice(prices(), asset), nowMs)]
        }),
      )
      tracks = new Map(asked)
      return asked.flatMap(([asset, track]) => readingOf(asset, track, nowMs))
    },
  }
}

function readingOf(asset: AssetId, track: Track, nowMs: number): readonly PriceReading[] {
  const { sinceMs, failures, reason } = track
  if (reason !== null && failures >= 2) return [{ asset, sinceMs, reason }]
  const breaks = findBreaks(track, nowMs)
  if (breaks === null) return []
  return [{ asset, sinceMs: breaks.sinceMs, reason: breaks.fault, breaks: breaks.times }]
}

type Read = { readonly price: ReferencePrice | null; readonly failure: Reason | null }

function follow(
  asset: AssetId,
  known: Track | undefined,
  { price, failure }: Read,
  nowMs: number,
): Track {
  const fiat = price?.fiat ?? known?.fiat ?? null
  const fiatSinceMs = known?.fiat === fiat ? known.fiatSinceMs : nowMs
  const failed = price === null ? failure : judgeSources(asset, price)
  const wasGood = known !== undefined && known.failures === 0
  const breaks = followBreaks(known?.breaks ?? null, wasGood, failed, nowMs)
  const last = { fiat, fiatSinceMs, breaks }
  if (failed === null && price?.isUndated && nowMs - fiatSinceMs >= FROZEN_AFTER_MS) {
    const reason = frozen(asset, price.fiat)
    if (reason !== null) return { sinceMs: fiatSinceMs, failures: 2, reason, ...last }
  }
  if (failed === null) return { sinceMs: nowMs, failures: 0, reason: null, ...last }
  const { sinceMs = nowMs, failures = 0 } = known ?? {}
  return { sinceMs, failures: failures + 1, reason: failed, ...last }
}

function frozen(asset: AssetId, fiat: bigint): Reason | null {
  if (fiat >= PEGGED.from && fiat <= PEGGED.to) return null
  const message =
    `The price of ${asset} stands at ${formatUnits(fiat, FIAT_DECIMALS)}, and its source tells ` +
    "no time of it"
  return { code: "prices.frozen", message, asset }
}

/** The price is sound, and one source less guards it. */
export function judgeSources(
  asset: AssetId,
  { fiat, outliers = [], failed = [] }: ReferencePrice,
): Reason | null {
  const [far] = outliers
  if (far !== undefined) {
    const message = describePriceOutlier(viewPriceOutlier(asset, fiat, far))
    return { code: "prices.outlier", message, asset, source: far.source }
  }
  if (failed.length === 0) return null
  const source = failed.join("; ")
  const message = `Not all price sources of ${asset} give a price: ${source}`
  return { code: "prices.source_down", message, asset, source: withoutTime(source) }
}

/** An age grows from one look to the next, and is no other cause. */
function withoutTime(words: string): string {
  return words.replace(/\d+ s\b/g, "some time")
}

/** A broken peg has an alarm of its own. */
async function readPrice(prices: PricePort, asset: AssetId): Promise<Read> {
  try {
    return { price: await prices.fetchPrice(asset), failure: null }
  } catch (error) {
    const { code, message, details } = toAppError(error, {
      code: "prices.unavailable",
      disposition: "transient",
    })
    if (code === "prices.peg_broken") return { price: null, failure: null }
    const { source } = details
    const named = typeof source === "string" ? { source: withoutTime(source) } : {}
    return { price: null, failure: { code, message, asset, ...named } }
  }
}
