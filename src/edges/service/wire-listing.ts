import { z } from "zod"
import { parseAssetId } from "#domain/asset.ts"
import { allowsRoute } from "#domain/route/route-policy.ts"
import type {
  ListedAsset,
  ListedChain,
  Listing,
  RoutePolicy,
} from "#domain/route/service-listing.ts"
import { textOrNumber, wireUnits } from "#lib/wire-integer.ts"
import { expectShape, type Read, reading } from "./to-domain.ts"

/**
 * The lists that live deployments serve at `/assets`, `/chains` and `/policy`. They name chains of
 * every family, so only the forms are read here, and one entry of an unknown form does not hide the
 * others.
 *
 * People copy these texts into a configuration, so a text with spaces or control characters is
 * unreadable.
 */
const plain = z.string().regex(/^[\x21-\x7e]{1,200}$/, { error: "not a plain text" })
const label = z
  .string()
  .max(200)
  .nullish()
  .transform((text) => text?.replace(/[^\x20-\x7e]/g, "?") ?? null)
const orNull = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? null)

const wireContract = z
  .object({ address: plain, schema: orNull(plain) })
  .nullish()
  .transform((contract) => contract ?? null)

const wireListedAsset = z.object({
  id: plain.transform((id) => id.toLowerCase()),
  name: label,
  decimals: z.int().min(0).max(77),
  htlc: wireContract,
  token: wireContract,
  min_amount: orNull(wireUnits),
  max_amount: orNull(wireUnits),
  price: orNull(textOrNumber),
  solver: orNull(plain).catch(null),
  is_active: orNull(z.boolean()).catch(null),
})

const wireListedChain = z.object({
  chain: z.string().regex(/^[a-z0-9_-]{1,60}$/, { error: "not a chain name" }),
  id: orNull(plain),
  name: label,
  assets: z.array(z.unknown()).nullish(),
})

const wirePolicy = z.object({
  default: z.enum(["open", "closed"]).nullish(),
  isolation_groups: z.array(z.string().max(500)).nullish(),
  blacklist_pairs: z.array(z.string().max(500)).nullish(),
  whitelist_overrides: z.array(z.string().max(500)).nullish(),
})

/** The `result` of `/assets`. */
export function parseAssetList(value: readonly unknown[]): Listing<ListedAsset> {
  return readAll(value, parseListedAsset)
}

/** The `result` of `/chains`. */
export function parseChainList(value: readonly unknown[]): Listing<ListedChain> {
  return readAll(value, parseListedChain)
}

/** The `result` of `/policy`. A policy without a default is open. */
export function parsePolicy(value: unknown): Read<RoutePolicy> {
  return reading(() => {
    const policy = expectShape(wirePolicy, value, "the policy")
    const rules = {
      openByDefault: policy.default !== "closed",
      isolationGroups: policy.isolation_groups ?? [],
      blacklistPairs: policy.blacklist_pairs ?? [],
      whitelistOverrides: policy.whitelist_overrides ?? [],
    }
    return { ...rules, allows: (from, to) => allowsRoute(rules, from, to) }
  })
}

function parseListedAsset(value: unknown): ListedAsset {
  const { min_amount, max_amount, is_active, ...asset } = expectShape(
    wireListedAsset,
    value,
    "a listed asset",
  )
  const id = parseAssetId(asset.id)
  return { ...asset, id, minUnits: min_amount, maxUnits: max_amount, isActive: is_active }
}

function parseListedChain(value: unknown): ListedChain {
  const chain = expectShape(wireListedChain, value, "a listed chain")
  const { items: assets, unreadable } = readAll(chain.assets ?? [], parseListedAsset)
  return {
    chain: chain.chain,
    id: chain.id,
    name: chain.name,
    assets,
    unreadable,
  }
}

function readAll<T>(values: readonly unknown[], parse: (value: unknown) => T): Listing<T> {
  const read = values.map((value) => reading(() => parse(value)))
  return {
    items: read.flatMap((one) => (one.ok ? [one.value] : [])),
    unreadable: read.flatMap((one) => (one.ok ? [] : [one.why])),
  }
}
