import type { AssetId } from "#domain/asset.ts"
import type { Headroom } from "./planner/route.ts"
import { ruleKindOf } from "./rules/registry.ts"
import type { Rule } from "./rules/rule-kind.ts"
import { findBalance, positionUnits, type TreasuryView } from "./treasury-view.ts"

/**
 * How far each asset may go down or up as the partner of another rule: the balance bounds of all rules set it. Without it, one rule's refill
 * would become the next rule's need, and funds would move in circles.
 */
export function headroomOf(rules: readonly Rule[], view: TreasuryView): ReadonlyMap<AssetId, Headroom> {
  const headroom = new Map<AssetId, Headroom>()
  for (const { asset, minUnits, maxUnits } of rules.flatMap((rule) => ruleKindOf(rule).balanceBounds(rule))) {
    const read = findBalance(view, asset)
    if (!read.ok) continue
    const haveUnits = positionUnits(read.balance)
    const known = headroom.get(asset) ?? { giveUnits: null, takeUnits: null }
    headroom.set(asset, {
      giveUnits: narrower(known.giveUnits, haveUnits - minUnits),
      takeUnits: maxUnits === null ? known.takeUnits : narrower(known.takeUnits, maxUnits - haveUnits),
    })
  }
  return headroom
}

function narrower(known: bigint | null, units: bigint): bigint {
  const headroom = units > 0n ? units : 0n
  return known === null || headroom < known ? headroom : known
}
