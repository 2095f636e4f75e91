import type { AssetId } from "#domain/asset.ts"
import type { PairEndings } from "#ports/journal/order-sums.ts"
import type { Counted } from "./open-orders.ts"
import type { All } from "./row.ts"

type Pair = { readonly from: AssetId; readonly to: AssetId }
type Ending = { readonly outcome: string; readonly atMs: number }
type Known = { readonly most: number; endings: readonly Ending[] }

/**
 * The ends of each pair's latest deposits, as the table has them. Every admission asks for them, so
 * they are read once and followed.
 */
export type LatestEndings = {
  readonly count: (pair: Pair, most: number) => PairEndings
  /** The order's row is written. `before`: its columns until now, if it was under way. */
  readonly note: (order: Counted, before: Counted | null) => void
  /** The table may have changed in another way. */
  readonly forget: () => void
}

export function createLatestEndings(all: All): LatestEndings {
  const known = new Map<string, Known>()
  return {
    count: (pair, most) => {
      const key = keyOf(pair)
      const found = known.get(key)
      const { endings } = found?.most === most ? found : read(key, pair, most)
      const refunded = endings.filter(({ outcome }) => outcome === "refunded").length
      return { completed: endings.length - refunded, refunded }
    },
    note: (order, before) => {
      const { outcome, updatedAtMs: atMs } = order
      const found = known.get(keyOf(order))
      if (found === undefined || outcome === null || !OUTCOMES.includes(outcome)) return
      // The order had ended before, so it may be in the list already.
      if (before === null) known.delete(keyOf(order))
      else found.endings = latest([{ outcome, atMs }, ...found.endings], found.most)
    },
    forget: () => known.clear(),
  }

  function read(key: string, { from, to }: Pair, most: number): Known {
    const rows = OUTCOMES.flatMap((outcome) =>
      all(ENDED_LATEST, from, to, outcome, most).map((row) => ({
        outcome,
        atMs: Number(row["updated_at"]),
      })),
    )
    const fresh = { most, endings: latest(rows, most) }
    known.set(key, fresh)
    return fresh
  }
}

const OUTCOMES: readonly string[] = ["completed", "refunded"]
const ENDED_LATEST = `select updated_at from orders
  where from_asset = ? and to_asset = ? and outcome = ?
  order by updated_at desc limit ?`

function latest(endings: readonly Ending[], most: number): readonly Ending[] {
  return endings.toSorted((a, b) => b.atMs - a.atMs).slice(0, most)
}

function keyOf({ from, to }: Pair): string {
  return `${from} ${to}`
}
