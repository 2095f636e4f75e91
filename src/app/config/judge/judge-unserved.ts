import { type AssetId, chainOf } from "#domain/asset.ts"
import { type ConfiguredRule, ruleKindOf } from "#policy/rules/registry.ts"
import type { Config } from "../config.ts"

/**
 * Why no swap fits a rule, however its balances are: an asset without a contract of swaps goes by
 * no service, and shares of one asset have nothing to sell to. `null` where some swap does. Pure.
 */
export function findUnserved(
  rule: ConfiguredRule,
  config: Config,
): { readonly sentence: string; readonly todo: string } | null {
  const kind = ruleKindOf(rule)
  const pairs = kind.wake === "schedule" ? [kind.pairOf(rule)] : kind.pairsOf?.(rule)
  if (pairs === undefined) return null
  const isBare = (asset: AssetId): boolean => !isServed(asset, config)
  if (pairs.some(({ from, to }) => !isBare(from) && !isBare(to))) return null
  const bare = pairs.flatMap(({ from, to }) => [from, to]).find(isBare)
  return bare === undefined
    ? {
        sentence: "it names no two assets to swap, so it never trades",
        todo: "add another asset to it",
      }
    : {
        sentence: `${bare} has no htlc, and no contract but those in htlc is paid: it never trades`,
        todo: `list the contracts of ${bare} in its htlc (\`ballast discover\`)`,
      }
}

/** On Bitcoin each order has an address of its own; a route has contracts of its own. */
function isServed(id: AssetId, { assets, chains, routes }: Config): boolean {
  const family = chains.find(({ chain }) => chain === chainOf(id))?.family
  const htlc = assets.find((one) => one.id === id)?.htlc ?? []
  return family === "bitcoin" || htlc.length > 0 || routes.some((one) => one.assets.includes(id))
}
