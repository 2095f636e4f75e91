import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { Asset, AssetId } from "#domain/asset.ts"
import type { SampleRow } from "#ports/journal/ledger.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { followPrice, readNewestPrice } from "./newest-price.ts"
import { type SeriesSources, showSeries, startOf, timeOf } from "./series-span.ts"

const MONTH_MS = 30 * 24 * 3_600_000
const POINTS = 120
/** Samples are so far apart: the assets of one start join it together. */
const STEP_MS = 5 * 60_000

/**
 * The value of the treasury over time, in the reference currency: the assets that have a reading
 * and a price now, with their deposits on their way. So a price that becomes known moves no line:
 * the earlier readings count at it too. `null` while a reading or a price is missing.
 */
export function readTotal(sources: SeriesSources, since: string | null): AnswerOf<"Series"> {
  const { config, nowMs } = sources
  const fromMs = startOf(nowMs, since, MONTH_MS)
  const all = config.assets.map((asset) => readHeld(sources, asset, fromMs))
  const counted = all.filter(({ isCounted }) => isCounted)
  const startMs = startOfLine(fromMs, nowMs, counted)
  const held = counted.map((one) => ({
    scale: one.scale,
    balance: follow(one.balances),
    transit: follow(one.transits),
    price: followPrice(one.prices),
  }))
  const points = Array.from({ length: POINTS + 1 }, (_, index) => {
    const atMs = startMs + ((nowMs - startMs) * index) / POINTS
    const values = held.flatMap(({ scale, balance, transit, price }) => {
      const units = balance(atMs)
      return units === undefined ? [] : [fiatOf({ units, scale }, transit(atMs), price(atMs))]
    })
    return { atMs, amount: sumOf(values) }
  })
  const first = points.findIndex(({ amount }) => amount !== null)
  return showSeries("total", { fromMs, nowMs }, first === -1 ? [] : points.slice(first), {
    without: all.filter((one) => !one.isCounted && one.isHeld).map(({ asset }) => asset),
    joined: counted.flatMap((one) => listJoined(one, startMs)),
  })
}

/**
 * A young treasury has no empty weeks before its first reading, and no steps while its assets are
 * read for the first time.
 */
function startOfLine(fromMs: number, nowMs: number, counted: readonly Held[]): number {
  const firstMs = Math.min(nowMs, ...counted.map(({ readMs }) => readMs))
  const together = counted.filter(({ readMs }) => readMs - firstMs <= STEP_MS)
  return Math.max(fromMs, firstMs, ...together.map(({ readMs }) => readMs))
}

type Held = {
  readonly asset: AssetId
  readonly scale: bigint
  readonly balances: readonly SampleRow[]
  readonly transits: readonly SampleRow[]
  readonly prices: readonly SampleRow[]
  readonly isCounted: boolean
  /** Was there anything in this time? */
  readonly isHeld: boolean
  /** The first reading of this time. */
  readonly readMs: number
}

function readHeld(
  { journal, nowMs }: SeriesSources,
  { id, decimals }: Asset,
  fromMs: number,
): Held {
  const balances = journal.listSamples(`balance/${id}`, fromMs)
  const transits = journal.listSamples(`transit/${id}`, fromMs)
  const [first] = balances
  const { price } = readNewestPrice(journal, id, nowMs)
  return {
    asset: id,
    scale: 10n ** BigInt(decimals),
    balances,
    transits,
    prices: journal.listSamples(`price/${id}`, fromMs),
    isCounted: first !== undefined && price !== null,
    isHeld: [...balances, ...transits].some(({ value }) => value !== null && value !== 0n),
    readMs: first?.atMs ?? nowMs,
  }
}

/** An empty wallet has no value at any price. */
function fiatOf(
  { units, scale }: { readonly units: bigint | null; readonly scale: bigint },
  transit: bigint | null | undefined,
  price: bigint | null,
): bigint | null {
  if (units === null) return null
  const whole = units + (transit ?? 0n)
  if (whole === 0n) return 0n
  return price === null ? null : (whole * price) / scale
}

function sumOf(values: readonly (bigint | null)[]): string | null {
  let total = 0n
  for (const value of values) {
    if (value === null) return null
    total += value
  }
  return values.length === 0 ? null : formatUnits(total, FIAT_DECIMALS)
}

/** Of an asset that was not there from the start. An empty wallet moves no line. */
function listJoined(
  { asset, balances, prices, readMs }: Held,
  startMs: number,
): AnswerOf<"Series">["joined"] {
  const pricedMs = prices.find(({ value }) => value !== null)?.atMs ?? startMs
  const isHeldBefore = (atMs: number): boolean =>
    balances.some((row) => row.atMs < atMs && row.value !== null && row.value !== 0n)
  return [
    ...(readMs > startMs && isHeldBefore(Number.POSITIVE_INFINITY)
      ? [{ at: timeOf(readMs), asset, by: "reading" as const }]
      : []),
    ...(pricedMs > startMs + STEP_MS && isHeldBefore(pricedMs)
      ? [{ at: timeOf(pricedMs), asset, by: "price" as const }]
      : []),
  ]
}

/** The sample that held at each time; the times must ascend. `undefined` before the first. */
function follow(rows: readonly SampleRow[]): (atMs: number) => bigint | null | undefined {
  let next = 0
  return (atMs) => {
    while ((rows[next]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) next++
    return rows[next - 1]?.value
  }
}
