import { formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { RuleVariant } from "../rule-kind.ts"
import type { BandRule } from "./band-rule.ts"

/** A minimum a fifth lower or higher, and one partner less. */
export function listVariants(
  rule: BandRule,
  decimalsOf: (asset: string) => number,
): readonly RuleVariant<BandRule>[] {
  const { minUnits, targetUnits, sources, sinks } = rule
  const show = (units: bigint): string => formatUnits(units, decimalsOf(rule.asset))
  const bounds = [80n, 120n].flatMap((percent): RuleVariant<BandRule>[] => {
    const units = (minUnits * percent) / 100n
    if (units === minUnits || units > targetUnits) return []
    const change = `min ${show(units)} instead of ${show(minUnits)}`
    return [{ rule: { ...rule, minUnits: units }, change }]
  })
  return [...bounds, ...partnersOf("sources", sources), ...partnersOf("sinks", sinks)]

  function partnersOf(
    key: "sources" | "sinks",
    partners: readonly AssetId[],
  ): RuleVariant<BandRule>[] {
    return partners.map((without) => {
      const others = partners.filter((asset) => asset !== without)
      return { rule: { ...rule, [key]: others }, change: `${key} without ${without}`, without }
    })
  }
}
