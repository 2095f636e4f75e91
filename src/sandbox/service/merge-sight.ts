import type { Seen, SwapOnChain } from "../local-chain.ts"
import type { Sight } from "./decide-move.ts"
import type { LegEvent, StoredLeg, StoredOrder } from "./stored-order.ts"

/** Takes what the chains show into the record. What was sent and is not yet shown stays as it is. */
export function mergeSight(order: StoredOrder, sight: Sight): StoredOrder {
  return {
    ...order,
    source: mergeLeg(order.source, sight.source),
    destination: mergeLeg(order.destination, sight.destination),
    depositSeenAtMs: order.depositSeenAtMs ?? depositTime(sight),
  }
}

/** The earlier of block time and now: a deposit made in time while the service was down is in time, whatever the chain's clock says. */
function depositTime({ source, nowMs }: Sight): number | null {
  return source.initiated && Math.min(nowMs, source.initiated.timestampMs)
}

function mergeLeg(leg: StoredLeg, shown: SwapOnChain): StoredLeg {
  const { initiated, redeemed, refunded } = shown
  return {
    ...leg,
    seen: {
      initiated: initiated
        ? {
            ...eventOf(initiated),
            filledUnits: initiated.filledUnits.toString(),
            // Not counted beyond what is required, or a waiting order would change with every block.
            confirmations: Math.min(initiated.confirmations, leg.requiredConfirmations),
          }
        : leg.seen.initiated,
      redeemed: redeemed ? eventOf(redeemed) : leg.seen.redeemed,
      refunded: refunded ? eventOf(refunded) : leg.seen.refunded,
    },
  }
}

/** An unmined event has no block and no time yet, so that a time, once given, never changes. */
function eventOf(seen: Seen): LegEvent {
  const mined = seen.confirmations > 0
  return { tx: seen.txHash, block: mined ? seen.blockNumber.toString() : "0", atMs: mined ? seen.timestampMs : null }
}
