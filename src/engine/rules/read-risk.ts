import type { AssetId } from "#domain/asset.ts"
import type { FeeBudget, OrderPolicy } from "#domain/order.ts"
import { deriveRisk, type OrderRisk, type OwnFees } from "#domain/order-cost.ts"
import { fiatOfUnits } from "#guards/order-value.ts"
import type { Journal } from "#ports/journal.ts"

/** The deposits of a pair that the probability of a refund is taken from. */
const LATEST_DEPOSITS = 200

/** The parts of the context that the risk needs. A backtest counts its own orders. */
export type RiskContext = { readonly journal: Pick<Journal, "countEndings"> }

/**
 * The risk of an order on the pair now, from the ends of its latest deposits and the cost of
 * capital in the configuration.
 */
export function readRisk(
  { journal }: RiskContext,
  pair: { readonly from: AssetId; readonly to: AssetId },
  { timelocks, capitalBps = 0n }: Pick<OrderPolicy, "timelocks" | "capitalBps">,
): OrderRisk {
  const { max, secondsPerUnit } = timelocks.source
  const lockSeconds = BigInt(Math.ceil(Number(max) * secondsPerUnit))
  return deriveRisk(journal.countEndings(pair, LATEST_DEPOSITS), { capitalBps, lockSeconds })
}

/**
 * The network fees of an order in fiat. A relay may pay them, and a coin without a price has no
 * value: then they count as zero, as in the plan.
 */
export function ownFeesOf(
  { way }: Pick<OrderPolicy, "way">,
  budget: FeeBudget | null,
  price: { readonly fiat: bigint; readonly decimals: number } | null,
): OwnFees {
  if (way !== "onchain" || budget === null || price === null)
    return { depositFiat: 0n, refundFiat: 0n }
  return {
    depositFiat: fiatOfUnits(budget.depositUnits, price),
    refundFiat: fiatOfUnits(budget.refundUnits, price),
  }
}
