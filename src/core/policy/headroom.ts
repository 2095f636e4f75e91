import type { AssetId } from "#domain/asset.ts"
import type { PlanLimits } from "./planner/limits.ts"
import { type Headroom, MARGIN_PART } from "./planner/route.ts"
import { ruleKindOf } from "./rules/registry.ts"
import type { Rule } from "./rules/rule-kind.ts"
import { type BalanceView, findBalance, positionUnits, type TreasuryView } from "./treasury-view.ts"

/**
 * How far each asset may go down or up as the partner of another rule: the balance bounds of all
 * rules set it. Without it, one rule's refill would become the next rule's need, and funds would
 * move in circles.
 *
 * A partner keeps a margin above its own `min`: a tenth of the way to its target, and the fees of
 * an order where it pays them. At `min` itself, the fees of its own order or the next small payment
 * would make it a need, and it would take back what it gave. `takeUnits` goes up to `max`, because
 * the asset's own rule may fill it; partners keep a margin there too (`order-route.ts`).
 */
export function headroomOf(
  rules: readonly Rule[],
  view: TreasuryView,
  { gas = [] }: Pick<PlanLimits, "gas"> = {},
): ReadonlyMap<AssetId, Headroom> {
  const headroom = new Map<AssetId, Headroom>()
  const feesOf = (asset: AssetId, { floorUnits }: BalanceView): bigint =>
    gas.find(({ coin }) => coin === asset)?.perOrderUnits ?? floorUnits
  const bounds = rules.flatMap((rule) =>
    ruleKindOf(rule)
      .balanceBounds(rule)
      .map((one) => ({ ...one, rule: rule.id })),
  )
  for (const { rule, asset, minUnits, targetUnits, maxUnits } of bounds) {
    const read = findBalance(view, asset)
    if (!read.ok) continue
    const haveUnits = positionUnits(read.balance)
    const giveWayUnits = targetUnits - minUnits
    const giveUnits =
      haveUnits - minUnits - giveWayUnits / MARGIN_PART - feesOf(asset, read.balance)
    const known = narrowGive(headroom.get(asset) ?? NO_BOUNDS, {
      giveUnits: atLeastNone(giveUnits),
      giveWayUnits,
    })
    if (maxUnits === null) headroom.set(asset, known)
    else {
      const takeUnits = atLeastNone(maxUnits - haveUnits)
      const takeWayUnits = maxUnits - targetUnits
      headroom.set(asset, narrowTake(known, { takeUnits, takeWayUnits, takeRule: rule }))
    }
  }
  return headroom
}

const NO_BOUNDS: Headroom = {
  giveUnits: null,
  takeUnits: null,
  giveWayUnits: 0n,
  takeWayUnits: 0n,
  takeRule: null,
}

function narrowGive(
  known: Headroom,
  bound: Pick<Headroom, "giveWayUnits"> & { readonly giveUnits: bigint },
): Headroom {
  return known.giveUnits === null || bound.giveUnits < known.giveUnits
    ? { ...known, ...bound }
    : known
}

function narrowTake(
  known: Headroom,
  bound: Pick<Headroom, "takeWayUnits" | "takeRule"> & { readonly takeUnits: bigint },
): Headroom {
  return known.takeUnits === null || bound.takeUnits < known.takeUnits
    ? { ...known, ...bound }
    : known
}

function atLeastNone(units: bigint): bigint {
  return units > 0n ? units : 0n
}
