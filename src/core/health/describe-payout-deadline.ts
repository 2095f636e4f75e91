import { formatSpan, readableAt } from "./format-span.ts"

/**
 * The time that is left to redeem the payout of a told secret, and our offer, for a person; `null`
 * where nothing must be redeemed. Without `nowMs` it names only the time of the end.
 */
export function describePayoutDeadline(
  { payoutDeadline }: { readonly payoutDeadline?: ShownDeadline },
  nowMs: number | null,
): string | null {
  if (payoutDeadline === undefined) return null
  const { at, height } = payoutDeadline
  const offer = describeOffer(payoutDeadline)
  if (at === null) return `before its lock ends, at an unknown time; ${offer}`
  const leftMs = Date.parse(at) - (nowMs ?? 0)
  const left = leftMs > 0 ? `${formatSpan(leftMs)} left` : `over since ${formatSpan(-leftMs)}`
  const details = [`height ${height ?? "unknown"}`, ...(nowMs === null ? [] : [left]), "estimated"]
  return `before ${readableAt(Date.parse(at))} (${details.join(", ")}); ${offer}`
}

/** Offer and cap in the smallest units of the coin that pays the fee. */
export function describeOffer({ offerUnits, capUnits }: Offer): string {
  const cap = capUnits === null ? "" : `, and one may offer up to ${capUnits}`
  const units = cap === "" ? "" : " of the coin's smallest units"
  return offerUnits === null
    ? `no redemption of ours is signed yet${cap}${units}`
    : `our newest redemption offers at most ${offerUnits}${cap} of the coin's smallest units`
}

type Offer = {
  readonly offerUnits: string | bigint | null
  readonly capUnits: string | bigint | null
}

/** As in the view of an order. */
type ShownDeadline = Offer & { readonly at: string | null; readonly height: string | null }
