import type { AssetId } from "#domain/asset.ts"
import type { Ledger, SampleRow } from "#ports/journal/ledger.ts"

/** `atMs` without `price`: until then there was one. Both are `null` where there never was one. */
type NewestPrice = { readonly price: bigint | null; readonly atMs: number | null }

/**
 * A price is used for a day after its source failed or its quote was made. The sampler repeats an
 * unchanged one each hour, so its sample may be an hour older.
 */
const PRICE_LIFE_MS = 25 * 3_600_000

export function readNewestPrice(
  journal: Pick<Ledger, "findLastSample">,
  asset: AssetId,
  nowMs: number,
): NewestPrice {
  const last = journal.findLastSample(`price/${asset}`)
  if (last === null) return { price: null, atMs: null }
  const isUsed = nowMs - last.atMs <= PRICE_LIFE_MS
  return { price: isUsed ? last.value : null, atMs: last.atMs }
}

/**
 * The price that valued a wallet at each time; the times must ascend. Before the first price that
 * one, so that a new price moves no line; `null` where the last one was too old.
 */
export function followPrice(rows: readonly SampleRow[]): (atMs: number) => bigint | null {
  const known = rows.filter(({ value }) => value !== null)
  let next = 0
  return (atMs) => {
    while ((known[next]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) next++
    const last = known[next - 1]
    if (last === undefined) return known[0]?.value ?? null
    return atMs - last.atMs <= PRICE_LIFE_MS ? last.value : null
  }
}
