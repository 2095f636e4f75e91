import type { Config } from "#config/config.ts"
import { chainOf } from "#domain/asset.ts"
import { describeOffer } from "#health/describe-payout-deadline.ts"
import type { ChainNodes, OrderReading, UnapprovedReading } from "#health/readings.ts"
import type { Sample } from "#ops/metric-families.ts"
import { approvableUntil } from "#order/data.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { readPayoutDeadline } from "#order/payout-deadline.ts"
import type { Order } from "#order/step.ts"
import { viewOrder } from "#order/view.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { decimalsOf } from "../start/decimals-of.ts"
import { createHumaniser, humaniseReason } from "./human-units.ts"

const MOST_SHOWN = 200

/**
 * The orders in flight with their place, and the time left for the next thing that a deadline ends.
 * A damaged order is not among them.
 */
export function readFlight(
  journal: Pick<Journal, "listOrders">,
  config: Config | null,
  nodes: readonly ChainNodes[],
): readonly OrderReading[] {
  const decimals = config === null ? new Map() : decimalsOf(config)
  const humanise = createHumaniser(config)
  return journal.listOrders({ limit: MOST_SHOWN, open: true }).flatMap((row) => {
    const order = decodeOrNull(row.snapshot)
    if (order === null) return []
    const { id, rule, from, to, amount, destinationAmount, state, money, held, reasons } =
      viewOrder(...([order, decimals, row.updatedAtMs] as const))
    return [
      {
        id,
        rule,
        from,
        to,
        amount,
        destinationAmount,
        state,
        money,
        held,
        reasons: reasons.map((reason) => humaniseReason(humanise, reason, { from, to })),
        sinceMs: order.data.stateSince,
        deadline: deadlineOf(order, row, nodes),
      },
    ]
  })
}

const RECENT_MS = 3_600_000
const MOST_RECENT = 50

/** The orders of the last hour that ended because no person approved them. */
export function readUnapproved(
  journal: Pick<Journal, "listRejectedFor">,
  config: Config | null,
  nowMs: number,
): readonly UnapprovedReading[] {
  const decimals = config === null ? new Map() : decimalsOf(config)
  return journal
    .listRejectedFor("approval.expired", nowMs - RECENT_MS, MOST_RECENT)
    .flatMap((row) => {
      const order = decodeOrNull(row.snapshot)
      if (order === null || !order.data.reasons.some(({ code }) => code === "approval.expired"))
        return []
      const { id, amount, from } = viewOrder(order, decimals, row.updatedAtMs)
      return [{ id, amount, from, endedMs: row.updatedAtMs }]
    })
}

/** The height of the timelock becomes a time by the chain's block time, so it is an estimate. */
function deadlineOf(
  { state, data }: Order,
  { from }: OrderRow,
  nodes: readonly ChainNodes[],
): OrderReading["deadline"] {
  if (state === "awaiting-approval")
    return { atMs: approvableUntil(data), what: "the approval expires", kind: "approval" }
  const payout = readPayoutDeadline(data)
  // While our secret is told no refund is sent: the payout comes first.
  if (payout !== null) {
    const offer = describeOffer(payout)
    const what = `the payout must be redeemed before its lock ends (estimated; ${offer})`
    return payout.atMs === null ? null : { atMs: payout.atMs, what, kind: "payout" }
  }
  const { seen, sendUntilMs } = data
  if (seen.refundableAtHeight !== null) {
    const chain = nodes.find((one) => one.chain === chainOf(from))
    const newest = chain?.endpoints.toSorted((a, b) =>
      (a.height ?? 0n) < (b.height ?? 0n) ? 1 : -1,
    )[0]
    if (chain === undefined || newest?.height == null || newest.answeredMs === null) return null
    const blocks = Number(seen.refundableAtHeight - newest.height)
    const atMs = newest.answeredMs + blocks * chain.blockMs
    return { atMs, what: "a refund becomes possible (estimated)", kind: "refund" }
  }
  if (sendUntilMs === null || seen.sourceInitiated !== null) return null
  return { atMs: sendUntilMs, what: "the time for the deposit ends", kind: "deposit" }
}

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
