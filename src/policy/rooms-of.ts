import type { AssetId } from "#domain/asset.ts"
import type { Room, Rooms } from "./planner/route.ts"
import type { StandingRule } from "./policy-rule.ts"
import { positionUnits, readBalance, type TreasuryView } from "./treasury-view.ts"

/**
 * How far bands let their assets go as partners of other rules: down to `min`, up to `max`. Otherwise one rule's refill would be the next
 * rule's need, and money would go round in circles.
 */
export function roomsOf(rules: readonly StandingRule[], view: TreasuryView): Rooms {
  const rooms = new Map<AssetId, Room>()
  for (const rule of rules) {
    if (rule.kind !== "band") continue
    const read = readBalance(view, rule.asset)
    if (!read.ok) continue
    const haveUnits = positionUnits(read.balance)
    const known = rooms.get(rule.asset)
    rooms.set(rule.asset, {
      giveUnits: narrower(known?.giveUnits ?? null, haveUnits - rule.minUnits),
      takeUnits: narrower(known?.takeUnits ?? null, rule.maxUnits - haveUnits),
    })
  }
  return rooms
}

function narrower(known: bigint | null, units: bigint): bigint {
  const room = units > 0n ? units : 0n
  return known === null || room < known ? room : known
}
