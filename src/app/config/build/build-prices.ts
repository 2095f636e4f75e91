import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { PriceFeed } from "#domain/price.ts"
import { assert, mustExist } from "#lib/assert.ts"
import type { Secret } from "#lib/secret.ts"
import { parseLimitAmount } from "#schema/limit-amount.ts"
import { assetsOfMember } from "../check/check-prices.ts"
import type { PriceSourceConfig, PricesConfig } from "../config.ts"
import type { PricesFile } from "../schema/schema-prices.ts"
import { buildAddress } from "./build-address.ts"

const MINUTE_MS = 60_000
/** The heartbeat of most feeds in dollars is an hour, and a round takes a while to land. */
const FEED_AGE_MS = 65 * MINUTE_MS
const USUAL_AGE_MS = 5 * MINUTE_MS

export function buildPrices(
  file: PricesFile,
  assets: readonly string[],
  secrets: ReadonlyMap<string, Secret>,
): PricesConfig {
  return {
    sources: file.sources.map((source) => buildSource(source, secrets)),
    pegs: file.pegs.map(({ assets: members, tolerance }) => ({
      assets: [...new Set(members.flatMap((member) => assetsOfMember(member, assets)))].map(
        parseAssetId,
      ),
      toleranceBps: bpsOf(tolerance),
    })),
    maxSpreadBps: bpsOf(file.max_spread),
    toleranceBps: bpsOf(file.tolerance),
    trustService: file.trust_service,
  }
}

/** A share such as `"60bps"` or `"0.6%"`; the form is already checked. */
export function bpsOf(written: string): bigint {
  const limit = mustExist(parseLimitAmount(written), `the amount ${written}`)
  assert(limit.kind === "share", "the amount is a share")
  return limit.bps
}

type SourceFile = PricesFile["sources"][number]

/** `check-prices.ts` has checked that the keys of the kind are there. */
function buildSource(source: SourceFile, secrets: ReadonlyMap<string, Secret>): PriceSourceConfig {
  const { kind, max_age: written } = source
  const url = source.url === null ? null : buildAddress(source.url, secrets)
  const shared = { asset: parseAssetId(source.asset), maxAgeMs: written ?? USUAL_AGE_MS }
  switch (kind) {
    case "json":
      return {
        ...shared,
        kind,
        url: mustExist(url, "url"),
        path: mustExist(source.path, "path"),
        timePath: source.time_path,
      }
    case "coinbase":
    case "kraken":
      return { ...shared, kind, product: mustExist(source.product, "product"), url }
    case "chainlink":
    case "pyth": {
      const maxAgeMs = written ?? (kind === "chainlink" ? FEED_AGE_MS : USUAL_AGE_MS)
      const chain = toChainId(mustExist(source.chain, "chain"))
      return { ...shared, maxAgeMs, kind: "feed", chain, feed: buildFeed(source, kind) }
    }
  }
}

function buildFeed(
  { address: written, feed, sequencer, max_confidence }: SourceFile,
  kind: PriceFeed["kind"],
): PriceFeed {
  const address = mustExist(written, "address")
  if (kind === "chainlink") return { kind, address, sequencer }
  const feedId = mustExist(feed, "feed").toLowerCase().replace(/^0x/, "")
  return { kind, address, feedId, maxConfidenceBps: bpsOf(max_confidence) }
}
