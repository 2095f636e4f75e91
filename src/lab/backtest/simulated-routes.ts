import type { AssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import { coinOf, depositFeeAt, type RunContext } from "./run-context.ts"
import { quoteOf } from "./simulated-service.ts"
import type { PairModel } from "./world/scenario.ts"

/**
 * An issuer takes a basis point or two of a fast burn, and is done in minutes. The scenario may
 * say otherwise for a kind.
 */
const ROUTE: PairModel = {
  available: true,
  fixedFiat: 0n,
  bps: 2n,
  leastFiat: null,
  mostFiat: null,
  duration: { least: 30_000, typical: 120_000, most: 1_200_000 },
}

/**
 * The kinds of routes that join the pair, where deposits may be transactions. Their issuers are
 * never down, and pay every deposit.
 */
export function kindsOf(
  { subject }: Pick<RunContext, "subject">,
  from: AssetId,
  to: AssetId,
): readonly RouteKind[] {
  const joins = ({ assets }: { readonly assets: readonly AssetId[] }): boolean =>
    from !== to && assets.includes(from) && assets.includes(to)
  if (from !== to && subject.settings.policyFor(from, to).way === "gasless") return []
  return (subject.routes ?? []).filter(joins).map(({ kind }) => kind)
}

/** The pair as its kind has it; without a kind, as the service has it. */
export function pairOf(
  { treasury, scenario }: Pick<RunContext, "treasury" | "scenario">,
  { from, to, kind }: Pick<Quote, "from" | "to" | "kind">,
): PairModel {
  return kind === undefined ? treasury.pair(from, to) : { ...ROUTE, ...scenario.routes?.get(kind) }
}

export function quoteRoute(
  context: Pick<RunContext, "treasury" | "scenario">,
  kind: RouteKind,
  sale: { readonly from: AssetId; readonly to: AssetId; readonly units: bigint },
): Quote {
  const model = pairOf(context, { ...sale, kind })
  return {
    ...quoteOf(context.treasury, sale, model),
    solverId: kind,
    kind,
    guarantee: "contract",
    estimatedSeconds: Math.ceil(model.duration.typical / 1_000),
  }
}

/** The fee of our own redemption on the other chain; a service redeems its payouts itself. */
export function redeemFeeOf(
  { scenario }: Pick<RunContext, "scenario">,
  { kind, to }: { readonly kind?: RouteKind; readonly to: AssetId },
  nowMs: number,
): { readonly coin: AssetId; readonly units: bigint } {
  const units = kind === undefined ? 0n : depositFeeAt(scenario, to, nowMs)
  return { coin: coinOf({ scenario }, to), units }
}
