import type { AssetId } from "#domain/asset.ts"
import type { PolicyRule } from "./policy-rule.ts"

/** Whose balances a rule looks at to know whether it wants anything. */
export function watchedAssets(rule: PolicyRule): readonly AssetId[] {
  switch (rule.kind) {
    case "band":
      return [rule.asset]
    case "weights":
      return rule.weights.map(({ asset }) => asset)
    case "sweep":
    case "recurring":
      return [rule.from]
  }
}

/** Without prices of these a rule cannot even say how much it wants. */
export function pricedAssets(rule: PolicyRule): readonly AssetId[] {
  if (rule.kind === "weights") return watchedAssets(rule)
  return rule.kind === "recurring" && rule.amount.kind === "fiat" ? [rule.from] : []
}

/** Every asset that a rule names. */
export function namedAssets(rule: PolicyRule): readonly AssetId[] {
  switch (rule.kind) {
    case "band":
      return [rule.asset, ...rule.sources, ...rule.sinks]
    case "weights":
      return watchedAssets(rule)
    case "sweep":
    case "recurring":
      return [rule.from, rule.to]
  }
}
