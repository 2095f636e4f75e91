import type { RouteKind } from "#domain/route/route-kind.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RouteLeg } from "#ports/route.ts"

/** The chain with the legs of other route kinds: each query and request goes to its own kind. */
export function withRouteLegs(chain: ChainPort, legs: readonly RouteLeg[]): ChainPort {
  const routeLegs: ReadonlyMap<RouteKind, RouteLeg> = new Map(legs.map((leg) => [leg.kind, leg]))
  const legOf = (kind: RouteKind): RouteLeg => {
    const leg = routeLegs.get(kind)
    if (leg !== undefined) return leg
    throw new AppError({
      code: "config.route_missing",
      disposition: "hold",
      message: `The route ${kind} is not configured on ${chain.chain} any more; add it again`,
      details: { kind, chain: chain.chain },
    })
  }
  return {
    ...chain,
    routeLegs,
    estimateFees: async (asset, kind) => {
      const leg = kind === undefined ? undefined : routeLegs.get(kind)
      if (leg === undefined) return chain.estimateFees(asset, kind)
      const depositUnits = await (leg.estimateDepositFee?.() ??
        chain.estimateFees(asset).then((fees) => fees.depositUnits))
      // Nothing returns a deposit of a route.
      return { depositUnits, refundUnits: 0n }
    },
    observeLeg: async (query) =>
      query.route === undefined
        ? chain.observeLeg(query)
        : legOf(query.route.kind).observeLeg(query),
    proveUnfunded: async (query) =>
      query.route === undefined
        ? chain.proveUnfunded(query)
        : legOf(query.route.kind).proveUnfunded(query),
    planTransaction: async (request, reserved, options) =>
      request.action === "initiate" && request.deposit.kind !== undefined
        ? legOf(request.deposit.kind).planDeposit(request, reserved, options)
        : chain.planTransaction(request, reserved, options),
  }
}
