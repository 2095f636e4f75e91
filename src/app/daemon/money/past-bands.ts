import type { Config } from "#config/config.ts"
import type { AssetId } from "#domain/asset.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { ruleKindOf } from "#policy/rules/registry.ts"
import type { BalanceBounds } from "#policy/rules/rule-kind.ts"
import type { FlagStore } from "#ports/journal/flags.ts"

type Band = Pick<BalanceBounds, "minUnits" | "targetUnits" | "maxUnits">
/** The band of an asset from a time on; `null` while no rule had one. */
export type PastBand = { readonly atMs: number; readonly band: Band | null }

/** A year of a change each week; the oldest goes first. */
const MOST = 52

const flagOf = (asset: AssetId): string => `bands/${asset}`

/** The band of the first enabled rule that keeps one for the asset. */
function findBand({ rules }: Pick<Config, "rules">, id: AssetId): Band | null {
  const found = rules
    .filter(({ enabled }) => enabled)
    .flatMap((rule) => ruleKindOf(rule).balanceBounds(rule))
    .find(({ asset }) => asset === id)
  if (found === undefined) return null
  const { minUnits, targetUnits, maxUnits } = found
  return { minUnits, targetUnits, maxUnits }
}

/** The bands that were seen in force, oldest first: each balance is judged by that of its time. */
export function readBands(journal: Pick<FlagStore, "readFlag">, id: AssetId): readonly PastBand[] {
  const stored = journal.readFlag(flagOf(id))
  // CAST: written by `noteBands`.
  return stored === null ? [] : (decodeJson(stored) as readonly PastBand[])
}

/** Notes each band that is another one than before. */
export function noteBands(
  journal: Pick<FlagStore, "readFlag" | "writeFlag">,
  config: Pick<Config, "assets" | "rules">,
  atMs: number,
): void {
  for (const { id } of config.assets) {
    const known = readBands(journal, id)
    const band = findBand(config, id)
    const last = known.at(-1)?.band ?? null
    if (encodeJson(last) === encodeJson(band)) continue
    journal.writeFlag(flagOf(id), encodeJson([...known, { atMs, band }].slice(-MOST)))
  }
}
