import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { FeeWait, TreasuryView } from "../treasury-view.ts"
import { isFeeDue, rankToAccept } from "./fee-timing.ts"

/** Why a sale of this asset waits for a lower network fee; `null` for a sale that goes now. */
export function findFeeWait(
  { fees = [] }: TreasuryView,
  sale: { readonly rule: string; readonly occurrence: string | null; readonly asset: AssetId },
): Reason | null {
  const wait = fees.find(
    ({ rule, occurrence, asset }) =>
      rule === sale.rule && occurrence === sale.occurrence && asset === sale.asset,
  )
  return wait === undefined || isFeeDue(wait) ? null : waitReason(wait)
}

function waitReason({ asset, below, of, chances, untilMs }: FeeWait): Reason {
  const chain = chainOf(asset)
  const rank = showShare(below / Math.max(1, of - 1))
  const accepts = showShare(rankToAccept(chances))
  const until = new Date(untilMs).toISOString()
  const message =
    `The network fee of ${chain} is higher than ${rank} of the last week's fees; until ${until} ` +
    `the order waits for one that is higher than at most ${accepts} of them`
  return { code: "policy.fee_wait", message, asset, chain, rank, accepts, until }
}

function showShare(share: number): string {
  return `${Math.floor(share * 100)}%`
}
