import type { KnownSample, NewSample, SampleRow } from "#ports/journal/ledger.ts"
import { type All, insertRow, type Run, textOrNull, toText } from "./row.ts"

type Sql = { readonly run: Run; readonly all: All }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Samples of one step share a row. */
const STEP_MS = 5 * MINUTE_MS

/** An unchanged value is written again after an hour: a longer silence is a gap. */
const REPEAT_MS = HOUR_MS

/** After an age, the first sample of each span stays. */
const THINNING = [
  { afterMs: 14 * DAY_MS, spanMs: HOUR_MS },
  { afterMs: 365 * DAY_MS, spanMs: DAY_MS },
] as const

/** Within the caller's transaction. */
export function writeSample(sql: Sql, { series, atMs, value }: NewSample): void {
  const text = value?.toString() ?? null
  const last = readLast(sql, series, atMs)
  const isSame = last !== null && last.text === text
  if (isSame && atMs - last.atMs < REPEAT_MS) return
  if (last !== null && stepOf(last.atMs) === stepOf(atMs)) {
    // A failed reading does not undo a good one: it begins a gap with the next step.
    if (text === null) return
    sql.run("update samples set value = ? where series = ? and at = ?", text, series, last.atMs)
    return
  }
  insertRow(sql.run, "samples", { series, at: atMs, value: text }, "on conflict do nothing")
  if (last !== null && dayOf(last.atMs) !== dayOf(atMs)) thinOut(sql, series, atMs)
}

export function listSamples(sql: Sql, series: string, fromMs: number): readonly SampleRow[] {
  const before = sql.all(
    "select at, value from samples where series = ? and at < ? order by at desc limit 1",
    series,
    fromMs,
  )
  const since = sql.all(
    "select at, value from samples where series = ? and at >= ? order by at",
    series,
    fromMs,
  )
  return [...before, ...since].map((row) => {
    const value = textOrNull(row["value"])
    return { atMs: Number(row["at"]), value: value === null ? null : BigInt(value) }
  })
}

export function findLastSample(sql: Sql, series: string): KnownSample | null {
  const [row] = sql.all(
    "select at, value from samples where series = ? and value is not null order by at desc limit 1",
    series,
  )
  return row === undefined ? null : { atMs: Number(row["at"]), value: BigInt(toText(row["value"])) }
}

function readLast(
  sql: Sql,
  series: string,
  atMs: number,
): { readonly atMs: number; readonly text: string | null } | null {
  const [row] = sql.all(
    "select at, value from samples where series = ? and at <= ? order by at desc limit 1",
    series,
    atMs,
  )
  return row === undefined ? null : { atMs: Number(row["at"]), text: textOrNull(row["value"]) }
}

/** Once a day for each series. */
function thinOut(sql: Sql, series: string, nowMs: number): void {
  for (const { afterMs, spanMs } of THINNING)
    sql.run(
      `delete from samples where series = ?1 and at < ?2 and exists (
        select 1 from samples s
        where s.series = samples.series and s.at < samples.at
          and s.at >= samples.at - samples.at % ?3)`,
      series,
      nowMs - afterMs,
      spanMs,
    )
}

function stepOf(ms: number): number {
  return Math.floor(ms / STEP_MS)
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}
