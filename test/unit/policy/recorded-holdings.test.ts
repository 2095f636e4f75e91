import type { AssetId } from "#domain/asset.ts"
import { addHoldings } from "#policy/values/hold-values.ts"
import { drawFlows, drawTreasury } from "./draw-treasury.ts"
import { compareLines, digestOf } from "./recorded-plans.ts"

compareLines("holdings", 50, showHoldings)

/** The costs of holding each asset, as if every band moved by values. */
function showHoldings(seed: number): string {
  const { view, rules } = drawTreasury(seed, "any")
  const today = 20_000 + seed
  const valued = rules.map((rule) =>
    rule.kind === "band" ? { ...rule, move: "values" as const } : rule,
  )
  const flowsOf = (id: AssetId) => drawFlows(seed * 31 + id.length + id.charCodeAt(0), today)
  const { assets } = addHoldings(view, valued, today, { flowsOf, known: new Map() })
  return `${seed} ${digestOf(assets)}`
}
