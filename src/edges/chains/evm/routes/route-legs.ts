import type { RouteKind } from "#domain/route/route-kind.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import type { RouteLeg } from "#ports/route.ts"
import { openBurnLeg } from "../cctp/create-leg.ts"
import type { Wallet } from "../wallet.ts"

/** `null`: the kind has no asset or no contracts on this chain. */
type OpenLeg = (wallet: Wallet, rules: RouteRules) => RouteLeg | null

/** What each kind of route does on a chain; `route-keys.ts` has what its key may sign. */
const LEGS: Readonly<Record<RouteKind, OpenLeg>> = { cctp: openBurnLeg }

export function openRouteLegs(
  wallet: Wallet,
  rules: ReadonlyMap<RouteKind, RouteRules> | undefined,
): readonly RouteLeg[] {
  return [...(rules ?? [])].flatMap(([kind, own]) => LEGS[kind]?.(wallet, own) ?? [])
}
