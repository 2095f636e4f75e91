import type { RouteKind } from "#domain/route/route-kind.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import type { RouteLeg } from "#ports/route.ts"
import { openBurnLeg } from "../cctp/create-leg.ts"
import type { LegParts } from "./leg-parts.ts"
import type { RoutePlace } from "./route-key.ts"

/** `null`: the kind has no asset or no programs on this chain. */
type OpenLeg = (parts: LegParts, rules: RouteRules, place: RoutePlace) => RouteLeg | null

/** The leg of each kind of route; `route-keys.ts` has the rules for its key. */
const LEGS: Readonly<Record<RouteKind, OpenLeg>> = { cctp: openBurnLeg }

export function openRouteLegs(
  parts: LegParts,
  rules: ReadonlyMap<RouteKind, RouteRules> | undefined,
  place: RoutePlace,
): readonly RouteLeg[] {
  return [...(rules ?? [])].flatMap(([kind, own]) => LEGS[kind]?.(parts, own, place) ?? [])
}
