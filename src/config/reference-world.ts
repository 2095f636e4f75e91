import { describeFound } from "./describe-found.ts"
import { fractionDigits, OWN_PATTERN } from "./limit-amount.ts"
import { nearestName } from "./nearest-name.ts"
import { type Path, type Report, showKey } from "./problem.ts"
import { entriesAt, readPath, textAt } from "./read-path.ts"

/** What the checks between keys need: the file as read, where to report, and what is configured. */
export type ReferenceWorld = {
  readonly root: unknown
  readonly report: Report
  /** Chain name to family, `null` where the family is not readable. */
  readonly chains: ReadonlyMap<string, string | null>
  /** Asset id to decimals, `null` where they are not readable. */
  readonly decimals: ReadonlyMap<string, number | null>
}

export function createReferenceWorld(root: unknown, report: Report): ReferenceWorld {
  const chains = new Map(entriesAt(root, ["chains"]).map(([name, chain]) => [name, textAt(chain, ["family"])]))
  const decimals = new Map(entriesAt(root, ["assets"]).map(([id, asset]) => [id, decimalsOf(asset)]))
  return { root, report, chains, decimals }
}

/** Reports an asset that is not configured; what is no text was reported by its form. Answers the id when it is known. */
export function checkAssetKnown(world: ReferenceWorld, path: Path, at: "key" | "value" = "value"): string | null {
  const last = path.at(-1)
  const id = at === "key" && typeof last === "string" ? last : textAt(world.root, path)
  if (id === null) return null
  if (world.decimals.has(id)) return id
  world.report(path, unknownName("an asset of assets", id, [...world.decimals.keys()]), at)
  return null
}

/** Reports a decimal with more digits after the point than `decimals` allows. */
export function checkDigits(world: ReferenceWorld, path: Path, decimals: number | null): void {
  const text = textAt(world.root, path)
  if (text === null || decimals === null || !OWN_PATTERN.test(text) || fractionDigits(text) <= decimals) return
  world.report(path, `expected at most ${decimals} digits after the point, found ${describeFound(text)}`)
}

export function unknownName(expected: string, name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  const hint = near === null ? "" : `; did you mean ${near}?`
  return `expected ${expected}, found ${showKey(name)}${hint}`
}

function decimalsOf(asset: unknown): number | null {
  const decimals = readPath(asset, ["decimals"])
  return typeof decimals === "number" && Number.isInteger(decimals) ? decimals : null
}
