import type { RouteKind } from "#domain/route/route-kind.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import type { RouteLeg } from "#ports/route.ts"
import { openBurnLeg } from "../cctp/create-leg.ts"
import type { LegParts } from "./leg-parts.ts"
import type { RoutePlace } from "./route-key.ts"

/** `null`: the kind has no asset or no programs on this chain. */
type OpenLeg = (parts: LegParts, rules: RouteRules, place: RoutePlace) => RouteLeg | null

/** What each kind of route does on a chain; `route-keys.ts` has what its key may sign. */
const LEGS: Readonly<Record<RouteKind, OpenLeg>> = { cctp: openBurnLeg }

export function openRouteLegs(
  parts: LegParts,
  rules: ReadonlyMap<RouteKind, RouteRules> | undefined,
  place: RoutePlace,
): readonly RouteLeg[] {
  return [...(rules ?? [])].flatMap(([kind, own]) => LEGS[kind]?.(parts, own, place) ?? [])
}
