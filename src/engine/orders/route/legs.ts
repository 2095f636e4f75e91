import { type AssetId, chainOf } from "#domain/asset.ts"
import { kindOf, type RouteKind } from "#domain/route/route-kind.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import type { RouteLeg, RoutePort } from "#ports/route.ts"
import { chainFor, type HasChains, type HasServices } from "../../context.ts"

/** The parts of the order's route on its two chains. Throws `config.route_missing` (hold). */
export function legsFor(
  context: HasChains,
  { quote, request }: Pick<OrderData, "quote" | "request">,
): { readonly source: RouteLeg; readonly destination: RouteLeg } {
  const legOf = (asset: AssetId): RouteLeg =>
    chainFor(context, asset).routeLegs?.get(kindOf(quote)) ?? missing(kindOf(quote), asset)
  return { source: legOf(request.from), destination: legOf(request.to) }
}

/** The route that the order took. Throws `config.route_missing` (hold). */
export function routeFor(
  { routes }: HasServices,
  { quote, request }: Pick<OrderData, "quote" | "request">,
): RoutePort {
  return routes?.get(kindOf(quote)) ?? missing(kindOf(quote), request.from)
}

function missing(kind: RouteKind, asset: AssetId): never {
  const chain = chainOf(asset)
  throw new AppError({
    code: "config.route_missing",
    disposition: "hold",
    message: `The route ${kind} is not configured for ${asset} any more; add it again`,
    details: { kind, chain },
  })
}
