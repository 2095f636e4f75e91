import type { ObservedTransaction, SwapObservation } from "../local-chain.ts"
import type { OrderObservation } from "./solver/decide-solver-action.ts"
import type { LegEvent, StoredLeg, StoredOrder } from "./stored-order.ts"

/**
 * Updates the stored order from an observation. A transaction that the solver has sent but that is
 * not yet visible stays recorded.
 */
export function mergeObservation(order: StoredOrder, observation: OrderObservation): StoredOrder {
  return {
    ...order,
    source: mergeLeg(order.source, observation.source),
    destination: mergeLeg(order.destination, observation.destination),
    secret: order.secret === "" ? revealedSecret(observation) : order.secret,
    depositSeenAtMs: order.depositSeenAtMs ?? depositTime(observation),
  }
}

/** The secret that a client chose itself: its redemption shows it on chain. Empty until then. */
function revealedSecret({ source, destination }: OrderObservation): string {
  return (destination.redeemed ?? source.redeemed)?.secret.replace(/^0x/, "").toLowerCase() ?? ""
}

/**
 * The earlier of block time and now. A deposit that was made in time while the service was down
 * therefore still counts as in time.
 */
function depositTime({ source, nowMs }: OrderObservation): number | null {
  return source.initiated && Math.min(nowMs, source.initiated.timestampMs)
}

function mergeLeg(leg: StoredLeg, observed: SwapObservation): StoredLeg {
  const { initiated, redeemed, refunded } = observed
  return {
    ...leg,
    seen: {
      initiated: initiated
        ? {
            ...eventOf(initiated),
            filledUnits: initiated.filledUnits.toString(),
            // The count stops at the required number; otherwise every block would change and
            // rewrite a waiting order.
            confirmations: Math.min(initiated.confirmations, leg.requiredConfirmations),
          }
        : leg.seen.initiated,
      redeemed: redeemed ? eventOf(redeemed) : leg.seen.redeemed,
      refunded: refunded ? eventOf(refunded) : leg.seen.refunded,
    },
  }
}

/** An unmined transaction has no block and no time yet, so a recorded time never changes. */
function eventOf(seen: ObservedTransaction): LegEvent {
  const mined = seen.confirmations > 0
  return {
    tx: seen.txHash,
    block: mined ? seen.blockNumber.toString() : "0",
    atMs: mined ? seen.timestampMs : null,
  }
}
