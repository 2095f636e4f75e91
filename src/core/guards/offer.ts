import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { CostLimit } from "#domain/order.ts"
import { extraCostFiat, type OrderRisk, type OwnFees } from "#domain/order-cost.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { kindOf } from "#domain/route/route-kind.ts"
import {
  type CostPolicy,
  findMissingReference,
  isDearer,
  judgePrice,
  judgeReference,
  type Reference,
} from "./price.ts"

/**
 * `refusals` end an order. `missing` names configured price sources that gave no price: a later try
 * may pass.
 */
export type OfferJudgement = {
  readonly refusals: readonly Reason[]
  readonly missing: readonly Reason[]
}

/**
 * The costs beside the quote, which the ceilings count too; `null` where the quote alone counts.
 */
export type OwnCost = { readonly fees: OwnFees; readonly risk: OrderRisk } | null

/**
 * Judges the cost of an offer by the quote's own values and by reference prices, where either asset
 * has a source: first the quote alone, then all costs of the order together.
 */
export function judgeOfferCost(
  quote: Quote,
  reference: Reference,
  policy: CostPolicy,
  basis: {
    readonly decimals: { readonly from: number; readonly to: number }
    readonly toleranceBps: bigint
    readonly own: OwnCost
  },
): OfferJudgement {
  const refusals = judgePrice(quote, policy)
  const extraFiat = extraOf(quote, basis.own)
  const hasReference = reference.from !== null || reference.to !== null
  const missing = hasReference ? findMissingReference(quote, reference) : []
  const judged =
    hasReference && missing.length === 0 ? [...refusals, ...judgeByReference(0n)] : refusals
  const total = judged.length > 0 || extraFiat === 0n ? judged : judgeTotal()
  return { refusals: [...total, ...judgeKind(quote, policy, extraFiat)], missing }

  function judgeTotal(): readonly Reason[] {
    const { sourceFiat, destinationFiat } = quote
    if (sourceFiat === null || destinationFiat === null) return []
    const broken = limitsOf(policy).find((limit) =>
      isDearer(sourceFiat, destinationFiat - extraFiat, limit),
    )
    const isOver =
      broken !== undefined ||
      (hasReference && missing.length === 0 && judgeByReference(extraFiat).length > 0)
    return isOver
      ? [
          totalTooDear(
            sourceFiat - destinationFiat,
            extraFiat,
            broken === undefined ? limitsOf(policy) : [broken],
          ),
        ]
      : []
  }

  /** The tighter of both limits decides, and one broken limit is reason enough. */
  function judgeByReference(beside: bigint): Reason[] {
    const judgements = limitsOf(policy).map((limit) =>
      judgeReference(quote, reference, basis.decimals, {
        maxCost: limit,
        toleranceBps: basis.toleranceBps,
        extraFiat: beside,
      }),
    )
    return judgements.find((reasons) => reasons.length > 0) ?? []
  }
}

/** A route that is planned and closed now never becomes a dearer one without a new plan. */
function judgeKind(quote: Quote, { planned }: CostPolicy, extraFiat: bigint): readonly Reason[] {
  const { sourceFiat, destinationFiat } = quote
  const kind = kindOf(quote)
  if (planned === undefined || kind === planned.kind) return []
  if (sourceFiat === null || destinationFiat === null) return []
  const costFiat = sourceFiat - destinationFiat + extraFiat
  if (costFiat <= planned.costFiat) return []
  const cost = formatUnits(costFiat, FIAT_DECIMALS)
  const most = formatUnits(planned.costFiat, FIAT_DECIMALS)
  const message =
    `The plan counts with the route ${planned.kind} for ${most}, and this offer over ${kind} ` +
    `costs ${cost}: only a new plan may take it`
  return [{ code: "price.other_kind", message, planned: planned.kind, kind, cost, most }]
}

function limitsOf({
  maxCost,
  ruleMaxCost = null,
  alsoMaxCosts = [],
}: CostPolicy): readonly CostLimit[] {
  return [maxCost, ...(ruleMaxCost === null ? [] : [ruleMaxCost]), ...alsoMaxCosts]
}

/**
 * The network fees, a refund by its probability and the locked money; zero where the value of the
 * quote is unknown.
 */
function extraOf({ sourceFiat }: Quote, own: OwnCost): bigint {
  return own === null || sourceFiat === null ? 0n : extraCostFiat(own.fees, sourceFiat, own.risk)
}

function totalTooDear(lostFiat: bigint, extraFiat: bigint, limits: readonly CostLimit[]): Reason {
  const quoted = formatUnits(lostFiat, FIAT_DECIMALS)
  const extra = formatUnits(extraFiat, FIAT_DECIMALS)
  const max = limits.map((limit) =>
    limit.kind === "share" ? `${limit.bps} bps` : formatUnits(limit.fiat, FIAT_DECIMALS),
  )
  const message =
    `The quote costs ${quoted}, and network fees, a possible refund and the locked money cost ` +
    `${extra} more: together more than the allowed ${max.join(", ")}`
  return { code: "price.total_cost", message, quoted, extra, max: max.join(", ") }
}
