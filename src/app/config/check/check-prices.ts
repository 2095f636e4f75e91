import { describeFound } from "#schema/describe-found.ts"
import type { Path } from "#schema/problem.ts"
import { itemsAt, readPath, textAt } from "#schema/read-path.ts"
import { checkAssetKnown, type ReferenceWorld, unknownName } from "#schema/reference-world.ts"
import { PRICE_KINDS } from "../schema/schema-prices.ts"
import { findForeignQuote } from "./quote-currency.ts"

type Kind = (typeof PRICE_KINDS)[number]

/** The keys that each kind needs and may have, beside those of every source. */
const KEYS: Readonly<
  Record<Kind, { readonly needs: readonly string[]; readonly takes: readonly string[] }>
> = {
  json: { needs: ["url", "path"], takes: ["time_path"] },
  coinbase: { needs: ["product"], takes: ["url"] },
  kraken: { needs: ["product"], takes: ["url"] },
  chainlink: { needs: ["chain", "address"], takes: ["sequencer"] },
  pyth: { needs: ["chain", "address", "feed"], takes: ["max_confidence"] },
}
const SHARED = ["asset", "kind", "max_age"]

/**
 * Checks that each source has the keys of its kind, and that sources and pegs name configured
 * assets, each asset in at most one peg.
 */
export function checkPrices(world: ReferenceWorld): void {
  itemsAt(world.root, ["prices", "sources"]).forEach((_source, index) => {
    checkSource(world, ["prices", "sources", index])
  })
  const seen = new Set<string>()
  itemsAt(world.root, ["prices", "pegs"]).forEach((_peg, index) => {
    const path = ["prices", "pegs", index, "assets"]
    const members = itemsAt(world.root, path).flatMap((_name, at) =>
      checkMember(world, [...path, at]),
    )
    for (const { asset, at } of members) {
      if (seen.has(asset)) world.report(at, `expected each asset in one peg, found ${asset} again`)
      seen.add(asset)
    }
    if (members.length === 1)
      world.report(path, "expected at least two configured assets with the same value")
  })
}

/** The configured assets that a member of a peg stands for. */
export function assetsOfMember(member: string, assets: Iterable<string>): readonly string[] {
  return [...assets].filter((id) =>
    member.includes(":") ? id === member : id.slice(id.indexOf(":") + 1) === member,
  )
}

function checkMember(world: ReferenceWorld, at: Path): { asset: string; at: Path }[] {
  const name = textAt(world.root, at)
  if (name === null) return []
  const found = assetsOfMember(name, world.decimals.keys())
  if (found.length === 0)
    world.report(at, unknownName("an asset of assets", name, [...world.decimals.keys()]))
  return found.map((asset) => ({ asset, at }))
}

function checkSource(world: ReferenceWorld, path: Path): void {
  checkAssetKnown(world, [...path, "asset"])
  const source = readPath(world.root, path)
  if (typeof source !== "object" || source === null) return
  const kind = textAt(source, ["kind"]) ?? "json"
  const known = PRICE_KINDS.find((one) => one === kind)
  if (known === undefined) return
  const { needs, takes } = KEYS[known]
  const has = (key: string): boolean => (readPath(source, [key]) ?? null) !== null
  for (const key of needs.filter((one) => !has(one))) {
    world.report(path, `expected the key ${key}, which a source of kind ${kind} needs`)
  }
  const all = Object.values(KEYS).flatMap((each) => [...each.needs, ...each.takes])
  const strange = [...new Set(all)].filter(
    (key) => ![...needs, ...takes, ...SHARED].includes(key) && has(key),
  )
  for (const key of strange)
    world.report([...path, key], `a source of kind ${kind} does not take ${key}`, "key")
  const foreign = findForeignQuote(source)
  if (foreign !== null) {
    const found = describeFound(foreign.found)
    const expected = "expected a price in dollars, such as BTC-USD or XBTUSD"
    world.report([...path, foreign.key], `${expected}, found ${found}`)
  }
  const chain = textAt(source, ["chain"])
  if (chain !== null && needs.includes("chain") && !world.chains.has(chain)) {
    world.report(
      [...path, "chain"],
      unknownName("a chain of chains", chain, [...world.chains.keys()]),
    )
  }
}
