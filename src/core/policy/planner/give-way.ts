import type { Need } from "../need.ts"
import type { BlockedNeed } from "./find-routes.ts"

/** A need that stays without an order in this tick, so that `to` can have one. */
export type Yielded = { readonly to: Need; readonly need: Need }

/**
 * A change before the plan is made again: the needs that go without an order, and those that take
 * part again.
 */
type Step = {
  readonly idle: readonly Need[]
  readonly back: readonly Need[]
  readonly yielded: readonly Yielded[]
}

type Attempt = {
  /** The needs without an order, in order of their rules. */
  readonly undone: readonly Need[]
  readonly blocked: readonly BlockedNeed[]
  /** The needs for assets that an earlier need claims. */
  readonly refused: readonly { readonly need: Need }[]
  readonly yielded: readonly Yielded[]
  /** Whether the need alone could have an order beside those of the plan. */
  readonly hasRoute: (need: Need) => boolean
}

/**
 * What to change so that no need with a route waits for one that gets nothing; `null` for a plan
 * that stands.
 *
 * First go the needs that hinder others in vain. Then a need without an order gives way to an
 * earlier one that has a route and lists its asset: two such needs can wait for each other, or the
 * small amount of the one bounds the order of the other, and rules that could trade would stand
 * still for good. When rules then undo each other's work, the churn alarm says so. A need that gets
 * no order even so leaves the others their turn. Last, a need without an order leaves its asset to
 * the next rule.
 */
export function findStep({ undone, blocked, refused, yielded, hasRoute }: Attempt): Step | null {
  const hindering = undone.filter((need) => hinders(need, { undone, blocked, hasRoute }))
  if (hindering.length > 0) return { idle: hindering, back: [], yielded }
  const waits = findWaiting(undone, hasRoute)
  if (waits !== null) {
    const { to, needs } = waits
    return { idle: needs, back: [], yielded: [...yielded, ...needs.map((need) => ({ to, need }))] }
  }
  const vain = yielded.find(({ to }) => undone.includes(to))?.to
  if (vain !== undefined) {
    const back = yielded.filter(({ to }) => to === vain).map(({ need }) => need)
    return { idle: [vain], back, yielded: yielded.filter(({ to }) => to !== vain) }
  }
  const claiming = undone.filter(({ asset }) => refused.some(({ need }) => need.asset === asset))
  return claiming.length > 0 ? { idle: claiming, back: [], yielded } : null
}

/**
 * The first need without an order that has a route, and the needs without one for the assets that
 * it lists.
 */
function findWaiting(
  undone: readonly Need[],
  hasRoute: (need: Need) => boolean,
): { readonly to: Need; readonly needs: readonly Need[] } | null {
  for (const to of undone) {
    const listed = to.partners
      .filter(({ destination }) => destination === null)
      .map(({ asset }) => asset)
    const needs = undone.filter((need) => need !== to && listed.includes(need.asset))
    if (needs.length > 0 && hasRoute(to)) return { to, needs }
  }
  return null
}

/**
 * Whether another need without an order waits in vain for this one: one that waits for none itself,
 * or that has no route.
 */
function hinders(
  need: Need,
  { undone, blocked, hasRoute }: Pick<Attempt, "undone" | "blocked" | "hasRoute">,
): boolean {
  if (!blocked.some((one) => one.other === need && undone.includes(one.need))) return false
  return !blocked.some((one) => one.need === need && one.other !== undefined) || !hasRoute(need)
}
