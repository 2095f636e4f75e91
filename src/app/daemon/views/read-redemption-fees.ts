import { chainOf } from "#domain/asset.ts"
import type { Sample } from "#ops/metric-families.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { readPayoutDeadline } from "#order/payout-deadline.ts"
import type { Journal } from "#ports/journal.ts"
import { MOST_SHOWN } from "./read-flight.ts"

/**
 * Offer and cap of a redemption on each chain, as samples of a metric. The told secret with the
 * least time counts; one of an unknown time comes last.
 */
export function readRedemptionFees(journal: Pick<Journal, "listOrders">): readonly Sample[] {
  const told = journal.listOrders({ limit: MOST_SHOWN, open: true }).flatMap((row) => {
    const order = decodeOrNull(row.snapshot)
    const deadline = order === null ? null : readPayoutDeadline(order.data)
    return deadline === null ? [] : [{ ...deadline, chain: chainOf(row.to) }]
  })
  const endOf = ({ atMs }: { atMs: number | null }): number => atMs ?? Number.POSITIVE_INFINITY
  const first = [...Map.groupBy(told, ({ chain }) => chain).values()].flatMap((all) =>
    all.toSorted((a, b) => Number(endOf(a) > endOf(b)) - Number(endOf(a) < endOf(b))).slice(0, 1),
  )
  return first.flatMap(({ chain, offerUnits, capUnits }) => [
    ...(offerUnits === null ? [] : [sample(chain, "offer", offerUnits)]),
    ...(capUnits === null ? [] : [sample(chain, "cap", capUnits)]),
  ])
}

function sample(chain: string, bound: "offer" | "cap", units: bigint): Sample {
  return { labels: { chain, bound }, value: Number(units) }
}
