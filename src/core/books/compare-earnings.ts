import type { AssetId } from "#domain/asset.ts"
import type { StatedEarnings } from "#domain/route/affiliate-fee.ts"
import type { AffiliateWeek } from "./accrue-affiliate.ts"

/**
 * `same`; `service_less`, `service_more`: the service states less or more than our orders earned;
 * `paid_unknown`: it states less, and not what was claimed before, which may explain it;
 * `incomplete`: an order has no amount, or a service gave no list.
 */
type EarningsVerdict = "same" | "service_less" | "service_more" | "paid_unknown" | "incomplete"

type ComparedEarnings = {
  readonly asset: AssetId
  /** By the records of our own orders, of all time. */
  readonly ownUnits: bigint
  /** Claimable and claimed, by the services. */
  readonly statedUnits: bigint
  readonly verdict: EarningsVerdict
}

/** `isWhole`: every service gave its list. */
export function compareEarnings(
  weeks: readonly Pick<AffiliateWeek, "asset" | "units" | "unknownOrders">[],
  stated: readonly StatedEarnings[],
  isWhole: boolean,
): readonly ComparedEarnings[] {
  const assets = [...new Set([...weeks, ...stated].map(({ asset }) => asset))].toSorted()
  return assets.map((asset) => {
    const own = weeks.filter((week) => week.asset === asset)
    const listed = stated.filter((one) => one.asset === asset)
    const ownUnits = own.reduce((sum, { units }) => sum + units, 0n)
    const statedUnits = listed.reduce(
      (sum, { owedUnits, paidUnits }) => sum + owedUnits + (paidUnits ?? 0n),
      0n,
    )
    const isKnown = isWhole && own.every(({ unknownOrders }) => unknownOrders === 0)
    const isSilent = listed.some(({ paidUnits }) => paidUnits === null)
    const verdict = isKnown ? judge(statedUnits - ownUnits, isSilent) : "incomplete"
    return { asset, ownUnits, statedUnits, verdict }
  })
}

function judge(moreUnits: bigint, isSilent: boolean): EarningsVerdict {
  if (moreUnits === 0n) return "same"
  if (moreUnits > 0n) return "service_more"
  return isSilent ? "paid_unknown" : "service_less"
}
