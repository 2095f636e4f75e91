import { nearestName } from "#lib/nearest-name.ts"
import { describeFound } from "./describe-found.ts"
import { fractionDigits, OWN_PATTERN } from "./limit-amount.ts"
import { type Path, type Report, showKey } from "./problem.ts"
import { entriesAt, readPath, textAt } from "./read-path.ts"

/**
 * The input of checks between keys: the file as read, the configured names, and a function that
 * takes each problem.
 */
export type ReferenceWorld = {
  readonly root: unknown
  readonly report: Report
  /** Chain name to family, `null` where the family is not readable. */
  readonly chains: ReadonlyMap<string, string | null>
  /** Asset id to decimals, `null` where they are not readable. */
  readonly decimals: ReadonlyMap<string, number | null>
  /**
   * The form of addresses on the chain of an asset; `null` when the chain or its family is unknown.
   */
  readonly addressFormFor: (asset: string) => AddressForm | null
  /**
   * The sentence that refuses an asset of an unsupported chain family; `null` for any other asset.
   */
  readonly unsupported: (asset: string) => string | null
  /** Whether the asset is its chain's own coin; absent or `null` where that is not known. */
  readonly isCoin?: (asset: string) => boolean | null
}

export type AddressForm = { readonly pattern: RegExp; readonly expected: string }

/**
 * `addressForm` knows the form of addresses of each chain family, `unsupported` the families that
 * Ballast lacks.
 */
export function createReferenceWorld(
  root: unknown,
  report: Report,
  {
    addressForm,
    unsupported,
    isCoin = () => null,
  }: { readonly addressForm: (family: string | null) => AddressForm | null } & Pick<
    ReferenceWorld,
    "unsupported" | "isCoin"
  >,
): ReferenceWorld {
  const chains = new Map(
    entriesAt(root, ["chains"]).map(([name, chain]) => [name, textAt(chain, ["family"])]),
  )
  const decimals = new Map(
    entriesAt(root, ["assets"]).map(([id, asset]) => [id, decimalsOf(asset)]),
  )
  const addressFormFor = (asset: string): AddressForm | null =>
    addressForm(chains.get(asset.slice(0, Math.max(0, asset.indexOf(":")))) ?? null)
  return { root, report, chains, decimals, addressFormFor, unsupported, isCoin }
}

/**
 * Returns the asset id at `path` when it is configured, and reports it otherwise. The form check
 * reports a value that is no text.
 */
export function checkAssetKnown(
  world: ReferenceWorld,
  path: Path,
  at: "key" | "value" = "value",
): string | null {
  const last = path.at(-1)
  const id = at === "key" && typeof last === "string" ? last : textAt(world.root, path)
  if (id === null) return null
  if (world.decimals.has(id)) return id
  world.report(
    path,
    world.unsupported(id) ?? unknownName("an asset of assets", id, [...world.decimals.keys()]),
    at,
  )
  return null
}

/** Reports a decimal with more digits after the point than `decimals` allows. */
export function checkDigits(world: ReferenceWorld, path: Path, decimals: number | null): void {
  const text = textAt(world.root, path)
  if (
    text === null ||
    decimals === null ||
    !OWN_PATTERN.test(text) ||
    fractionDigits(text) <= decimals
  )
    return
  world.report(
    path,
    `expected at most ${decimals} digits after the point, found ${describeFound(text)}`,
  )
}

/** The decimals of the asset with the id at `path`; `null` when they are unknown. */
export function decimalsAt(world: ReferenceWorld, path: Path): number | null {
  return world.decimals.get(textAt(world.root, path) ?? "") ?? null
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
