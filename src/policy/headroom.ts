import type { AssetId } from "#domain/asset.ts"
import type { PlanLimits } from "./planner/limits.ts"
import type { Headroom } from "./planner/route.ts"
import { ruleKindOf } from "./rules/registry.ts"
import type { Rule } from "./rules/rule-kind.ts"
import { type BalanceView, findBalance, positionUnits, type TreasuryView } from "./treasury-view.ts"

/**
 * How far each asset may go down or up as the partner of another rule: the balance bounds of all rules set it. Without it, one rule's refill
 * would become the next rule's need, and funds would move in circles.
 *
 * A partner keeps a margin above its own `min`: a tenth of the way to its target, and the fees of an order where it pays them. At `min` itself, the
 * fees of its own order or the next small payment would make it a need, and it would take back what it gave.
 */
export function headroomOf(
  rules: readonly Rule[],
  view: TreasuryView,
  { gas = [] }: Pick<PlanLimits, "gas"> = {},
): ReadonlyMap<AssetId, Headroom> {
  const headroom = new Map<AssetId, Headroom>()
  const feesOf = (asset: AssetId, { floorUnits }: BalanceView): bigint =>
    gas.find(({ coin }) => coin === asset)?.perOrderUnits ?? floorUnits
  for (const { asset, minUnits, targetUnits, maxUnits } of rules.flatMap((rule) =>
    ruleKindOf(rule).balanceBounds(rule),
  )) {
    const read = findBalance(view, asset)
    if (!read.ok) continue
    const haveUnits = positionUnits(read.balance)
    const known = headroom.get(asset) ?? { giveUnits: null, takeUnits: null }
    headroom.set(asset, {
      giveUnits: narrower(
        known.giveUnits,
        haveUnits - minUnits - (targetUnits - minUnits) / MARGIN_PART - feesOf(asset, read.balance),
      ),
      takeUnits: maxUnits === null ? known.takeUnits : narrower(known.takeUnits, maxUnits - haveUnits),
    })
  }
  return headroom
}

const MARGIN_PART = 10n

function narrower(known: bigint | null, units: bigint): bigint {
  const headroom = units > 0n ? units : 0n
  return known === null || headroom < known ? headroom : known
}
