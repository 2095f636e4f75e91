import type { Config } from "#config/config.ts"
import { configHash } from "#config/hash.ts"
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

/** A configuration in force from a time on. */
type PastConfig = { readonly atMs: number; readonly hash: string }

const CONFIGS_FLAG = "configurations"

/** Those that were in force, oldest first. */
function readConfigs(journal: Pick<FlagStore, "readFlag">): readonly PastConfig[] {
  const stored = journal.readFlag(CONFIGS_FLAG)
  // CAST: written by `noteConfig`.
  return stored === null ? [] : (decodeJson(stored) as readonly PastConfig[])
}

/** When another configuration came in force; the first one changed nothing. */
export function listConfigChanges(journal: Pick<FlagStore, "readFlag">): readonly number[] {
  return readConfigs(journal)
    .slice(1)
    .map(({ atMs }) => atMs)
}

/**
 * Notes a configuration that is another one than before, with its bands. A note that a death takes
 * is made again at the next start.
 */
export function noteConfig(
  journal: Pick<FlagStore, "readFlag" | "noteFlag">,
  config: Config,
  atMs: number,
): void {
  const known = readConfigs(journal)
  const hash = configHash(config)
  if (known.at(-1)?.hash === hash) return
  noteBands(journal, config, atMs)
  journal.noteFlag(CONFIGS_FLAG, encodeJson([...known, { atMs, hash }].slice(-MOST)))
}

/** Notes each band that is another one than before. */
function noteBands(
  journal: Pick<FlagStore, "readFlag" | "noteFlag">,
  config: Pick<Config, "assets" | "rules">,
  atMs: number,
): void {
  for (const { id } of config.assets) {
    const known = readBands(journal, id)
    const band = findBand(config, id)
    const last = known.at(-1)?.band ?? null
    if (encodeJson(last) === encodeJson(band)) continue
    journal.noteFlag(flagOf(id), encodeJson([...known, { atMs, band }].slice(-MOST)))
  }
}
