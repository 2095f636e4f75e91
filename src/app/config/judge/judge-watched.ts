import { findWatched } from "#chains/watch-only.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import { ruleKindOf } from "#policy/rules/registry.ts"
import type { Path } from "#schema/problem.ts"
import type { Config } from "../config.ts"
import { type ConfigFinding, findingOf, type Judged } from "./finding.ts"

/** What would have to pay from a wallet whose key is elsewhere. */
export function judgeWatchOnly({ config }: Judged): ConfigFinding[] {
  const watched = config.chains.flatMap(({ chain, key }) =>
    findWatched(key) === null ? [] : [chain],
  )
  return listSellers(config).flatMap(({ path, name, sold }) => {
    const subjects = [...new Set(sold)].filter((asset) => watched.includes(chainOf(asset)))
    if (subjects.length === 0) return []
    const message = `${name} would sell ${subjects.join(", ")}, of a wallet without a key here`
    const todo = "take the asset out, or name the wallet's key"
    return [findingOf("watchOnly", { severity: "refuse", path, subjects, message, todo })]
  })
}

type Seller = { readonly path: Path; readonly name: string; readonly sold: readonly AssetId[] }

function listSellers({ rules, routes }: Config): readonly Seller[] {
  return [
    ...rules.map((rule, index) => {
      const kind = ruleKindOf(rule)
      const pairs = kind.wake === "schedule" ? [kind.pairOf(rule)] : (kind.pairsOf?.(rule) ?? [])
      const sold = pairs.map(({ from }) => from)
      return { path: ["rules", index], name: `rule ${rule.id}`, sold }
    }),
    ...routes.map(({ kind, assets }) => ({
      path: ["routes", kind, "assets"],
      name: `route ${kind}`,
      sold: assets,
    })),
  ]
}
