import { isDeepStrictEqual } from "node:util"
import { FAMILIES, findPreset } from "#chains/families.ts"
import { foreignName } from "#chains/foreign-families.ts"
import { nearestName } from "#lib/nearest-name.ts"
import { describeFound } from "#schema/describe-found.ts"
import { type Report, showKey } from "#schema/problem.ts"
import { entriesAt, isMap, readPath, textAt } from "#schema/read-path.ts"

/**
 * The plain data of a file with its presets filled in. `sound` leaves out the chains that already
 * have a reported problem here.
 */
type FilledFile = { readonly filled: unknown; readonly sound: unknown }

/**
 * Fills in the keys that presets set. A chain with neither `preset` nor `family` uses the preset of
 * its own name.
 *
 * Explicit keys win, except for those that say which chain it is: another value of those is a
 * mistake. It also reports unknown presets and chains of families that Ballast does not support.
 */
export function applyPresets(root: unknown, report: Report): FilledFile {
  const chains = entriesAt(root, ["chains"]).map(([name, chain]) => {
    const refused = refuseForeignChain(name, chain, report)
    const preset = isMap(chain) ? presetName(name, chain) : null
    const filled = preset === null ? chain : fill(name, chain, preset, report)
    return { name, filled: filled ?? chain, sound: !refused && filled !== null }
  })
  if (!isMap(root) || chains.length === 0) return { filled: root, sound: root }
  const toMap = (some: typeof chains) =>
    Object.fromEntries(some.map(({ name, filled }) => [name, filled]))
  return {
    filled: { ...root, chains: toMap(chains) },
    sound: { ...root, chains: toMap(chains.filter(({ sound }) => sound)) },
  }
}

const PRESET_NAMES = FAMILIES.flatMap(({ presets }) => presets.map(({ name }) => name))

function presetName(name: string, chain: unknown): string | null {
  const written = textAt(chain, ["preset"])
  if (written !== null) return written
  const isBare =
    (readPath(chain, ["family"]) ?? null) === null && (readPath(chain, ["preset"]) ?? null) === null
  return isBare && findPreset(name) !== null ? name : null
}

/** The chain with the preset's keys below its own; `null` after a report of an unknown preset. */
function fill(name: string, chain: unknown, preset: string, report: Report): unknown {
  const found = findPreset(preset)
  if (found === null) {
    report(["chains", name, "preset"], describeUnknown(preset))
    return null
  }
  checkName(name, preset, report)
  const identity = { family: found.family.name, ...found.preset.identity }
  for (const [key, value] of Object.entries(identity)) {
    const written = readPath(chain, [key]) ?? null
    if (written === null || written === value) continue
    const expected = `expected ${value} or no ${key}, because the preset ${preset} is that chain`
    report(["chains", name, key], `${expected}, found ${describeFound(written)}`)
  }
  const own = isMap(chain) ? chain : {}
  return { ...found.preset.defaults, ...own, ...identity, preset }
}

/**
 * A chain has the name by which services know it. With the preset of another chain, Ballast would
 * deposit for the chain of the name, and look for the payout on the chain of the preset.
 */
function checkName(name: string, preset: string, report: Report): void {
  const named = findPreset(name)
  const used = findPreset(preset)
  if (named === null || used === null || isSameChain(named, used)) return
  const expected = `expected ${name} or another name of the chain`
  const because = `because services call the chain of the preset ${name} so`
  report(["chains", name, "preset"], `${expected}, ${because}, found ${describeFound(preset)}`)
}

type FoundPreset = NonNullable<ReturnType<typeof findPreset>>

/** Two presets describe one chain under two names if they agree on everything but the name. */
function isSameChain(a: FoundPreset, b: FoundPreset): boolean {
  return isDeepStrictEqual({ ...a.preset, name: "" }, { ...b.preset, name: "" })
}

function describeUnknown(preset: string): string {
  const foreign = foreignName(preset)
  if (foreign !== null) return foreign
  const near = nearestName(preset, PRESET_NAMES)
  return (
    "expected the name of a preset, found " +
    `${showKey(preset)}${near === null ? "" : `; did you mean ${near}?`}`
  )
}

function refuseForeignChain(name: string, chain: unknown, report: Report): boolean {
  const family = textAt(chain, ["family"])
  const byFamily = family === null ? null : foreignName(family)
  if (byFamily !== null) report(["chains", name, "family"], byFamily)
  const byName = foreignName(name)
  if (byName !== null) report(["chains", name], byName, "key")
  return byFamily !== null || byName !== null
}
