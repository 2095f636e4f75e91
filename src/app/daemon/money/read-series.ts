import { formatUnits } from "#domain/amount.ts"
import type { SampleRow } from "#ports/journal/ledger.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { type PastBand, readBands } from "./past-bands.ts"
import { type SeriesSources, showSeries, startOf, timeOf } from "./series-span.ts"

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const MOST_POINTS = 200

/** The journal repeats an unchanged value each hour. */
const SILENCE_MS = 2 * HOUR_MS
/** Old samples are up to a day apart, and then a silence proves nothing. */
const THINNED_AFTER_MS = 14 * 24 * HOUR_MS

/** The balance of an asset by the readings of our own nodes; `null` for an unknown asset. */
export function readSeries(
  { journal, config, nowMs }: SeriesSources,
  id: string,
  since: string | null,
): AnswerOf<"Series"> | null {
  const asset = config.assets.find((one) => one.id === id)
  if (asset === undefined) return null
  const fromMs = startOf(nowMs, since, WEEK_MS)
  const rows = journal
    .listSamples(`balance/${asset.id}`, fromMs)
    .map((row) => ({ ...row, atMs: Math.max(row.atMs, fromMs) }))
  const points = thinOut(markGaps(rows, nowMs)).map(({ atMs, value }) => ({
    atMs,
    amount: value === null ? null : formatUnits(value, asset.decimals),
  }))
  const bands = bandsOf(readBands(journal, asset.id), fromMs, asset.decimals)
  return showSeries(asset.id, { fromMs, nowMs }, points, { bands })
}

/** Those in force since `fromMs`, the first from then on. */
function bandsOf(
  known: readonly PastBand[],
  fromMs: number,
  decimals: number,
): AnswerOf<"Series">["bands"] {
  const show = (units: bigint): string => formatUnits(units, decimals)
  return known
    .filter((_, index) => (known[index + 1]?.atMs ?? Number.POSITIVE_INFINITY) > fromMs)
    .map(({ atMs, band }) => ({
      from: timeOf(Math.max(atMs, fromMs)),
      bound:
        band === null
          ? null
          : {
              min: show(band.minUnits),
              target: show(band.targetUnits),
              max: band.maxUnits === null ? null : show(band.maxUnits),
            },
    }))
}

/** A point without a reading where readings stopped. */
function markGaps(rows: readonly SampleRow[], nowMs: number): readonly SampleRow[] {
  return rows.flatMap((row, index) => {
    const nextMs = rows[index + 1]?.atMs ?? nowMs
    const isSilent = nextMs - row.atMs > SILENCE_MS && nowMs - nextMs < THINNED_AFTER_MS
    return isSilent && row.value !== null
      ? [row, { atMs: row.atMs + SILENCE_MS, value: null }]
      : [row]
  })
}

/** Each span keeps its lowest and highest point and its gap, so that a short fall stays. */
export function thinOut(
  rows: readonly SampleRow[],
  most: number = MOST_POINTS,
): readonly SampleRow[] {
  if (rows.length <= most) return rows
  const size = Math.ceil((3 * rows.length) / most)
  const spans = Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  )
  return spans.flatMap((span) => {
    const known = span.filter(({ value }) => value !== null)
    const sorted = known.toSorted((a, b) => Number((a.value ?? 0n) > (b.value ?? 0n)) * 2 - 1)
    const kept = new Set([sorted[0], sorted.at(-1), span.find(({ value }) => value === null)])
    return span.filter((row) => kept.has(row))
  })
}
