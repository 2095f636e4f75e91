import type { RouteKind } from "#domain/route/route-kind.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import { openBurnKey } from "../cctp/open-key.ts"
import type { OpenRouteKey, RouteKey, RoutePlace } from "./route-key.ts"

/** The rules of each kind of route for keys; `route-legs.ts` has the other part. */
const KEYS: Readonly<Record<RouteKind, OpenRouteKey>> = { cctp: openBurnKey }

export function openRouteKeys(
  rules: ReadonlyMap<RouteKind, RouteRules> | undefined,
  place: RoutePlace,
): readonly RouteKey[] {
  return [...(rules ?? [])].flatMap(([kind, own]) => KEYS[kind]?.(own, place) ?? [])
}
