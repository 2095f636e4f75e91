import type { SwapObservation } from "../../local-chain.ts"
import type { OrderPhase, SolverAction, StoredLeg, StoredOrder } from "../stored-order.ts"
import type { SolverFault } from "./solver-fault.ts"

/**
 * The next action of an honest solver for one order, from an observation of both chains.
 *
 * The chains decide the state of the order; the stored record adds only times and transactions that
 * were sent but are not yet visible. A deposit of the exact amount, in time and with enough
 * confirmations → fund the destination → redeem the destination with the secret → redeem the
 * source. In every other case the solver waits for the timelock of the leg and then refunds it.
 */
export function decideSolverAction(
  order: StoredOrder,
  observation: OrderObservation,
  faults: ReadonlySet<SolverFault>,
): Decision {
  const { source, destination } = observation
  if (destination.redeemed) return decidePaid(order, observation)
  if (source.redeemed) return decideSourceRedeemed(order, observation)
  if (destination.initiated && !destination.refunded)
    return decideFunded(order, observation, faults)
  if (source.refunded)
    return isMined(source.refunded) ? { finish: "refunded", note: "refunded" } : waitForBlock
  if (source.initiated) return decideDeposited(order, observation, faults)
  const expired = observation.nowMs > order.deadlineMs + WATCH_LATE_DEPOSIT_MS
  return expired ? { finish: "expired", note: "never funded" } : { wait: "waits for the deposit" }
}

/**
 * One observation of both chains. All parts of `destination` are null until the solver has tried to
 * fund it.
 */
export type OrderObservation = {
  readonly source: SwapObservation
  readonly destination: SwapObservation
  readonly sourceHeight: bigint
  readonly destinationHeight: bigint
  readonly nowMs: number
}

type Decision =
  | { readonly action: SolverAction }
  | { readonly wait: string }
  | { readonly finish: Exclude<OrderPhase, "open">; readonly note: string }

/** The solver still watches an unfunded order for a late deposit for one day after its deadline. */
const WATCH_LATE_DEPOSIT_MS = 24 * 3600 * 1000

const waitForBlock: Decision = { wait: "waits for its last transaction to be mined" }

function decidePaid(order: StoredOrder, { source, destination }: OrderObservation): Decision {
  if (order.secret === "") return { wait: "waits for the chain to show the client's secret" }
  if (!isMined(destination.redeemed))
    return source.redeemed || source.refunded ? waitForBlock : { action: "redeemSource" }
  if (source.redeemed)
    return isMined(source.redeemed) ? { finish: "complete", note: "complete" } : waitForBlock
  if (source.refunded)
    return { finish: "complete", note: "paid out, and the source was refunded: the solver's loss" }
  return { action: "redeemSource" }
}

/**
 * The order counts as stolen only if the solver never sent a redemption of the destination; a sent
 * one can be invisible for a moment.
 */
function decideSourceRedeemed(order: StoredOrder, { source }: OrderObservation): Decision {
  if (order.destination.seen.redeemed || !isMined(source.redeemed)) return waitForBlock
  return { finish: "stolen", note: "source redeemed, destination never paid" }
}

function decideFunded(
  order: StoredOrder,
  observation: OrderObservation,
  faults: ReadonlySet<SolverFault>,
): Decision {
  const { source, destination } = observation
  if (isLapsed(order.destination, destination, observation.destinationHeight))
    return { action: "refundDestination" }
  if (faults.has("keepPayout"))
    return { wait: "fault keepPayout: waits for the destination timelock" }
  if (faults.has("neverRedeem"))
    return { wait: "fault neverRedeem: waits for the destination timelock" }
  if (source.refunded || isLapsed(order.source, source, observation.sourceHeight)) {
    return { wait: "the source lapsed: waits for the destination timelock" }
  }
  const confirmations = destination.initiated?.confirmations ?? 0
  if (confirmations < order.destination.requiredConfirmations)
    return { wait: "waits for the destination to confirm" }
  if (order.secret === "") return { wait: "waits for the client to reveal its secret" }
  return { action: "redeemDestination" }
}

function decideDeposited(
  order: StoredOrder,
  observation: OrderObservation,
  faults: ReadonlySet<SolverFault>,
): Decision {
  const { source, destination } = observation
  if (isLapsed(order.source, source, observation.sourceHeight)) {
    return faults.has("lapse")
      ? { wait: "fault lapse: relays no refund" }
      : { action: "refundSource" }
  }
  const problem = findDepositProblem(order, observation)
  if (problem !== null) return { wait: `${problem}: waits for the source timelock` }
  const confirmations = source.initiated?.confirmations ?? 0
  if (confirmations < order.source.requiredConfirmations)
    return { wait: "waits for the deposit to confirm" }
  if (faults.has("redeemSourceOnly")) {
    return order.secret === ""
      ? { wait: "fault: only the client knows the secret" }
      : { action: "redeemSource" }
  }
  if (faults.has("solverSilent") || faults.has("lapse"))
    return { wait: "fault: the solver is silent" }
  if (destination.refunded) return { wait: "destination refunded: waits for the source timelock" }
  // The node has accepted the funding transaction. On Bitcoin a second one could pay twice.
  if (order.destination.seen.initiated) return { wait: "waits for the destination to be seen" }
  return { action: "fund" }
}

/** The reason not to fund the destination after this deposit; `null` for a correct deposit. */
function findDepositProblem(order: StoredOrder, { source }: OrderObservation): string | null {
  const { swap } = order.source
  const filled = source.initiated?.filledUnits
  if (filled !== BigInt(swap.units)) return `deposit of ${filled} instead of ${swap.units}`
  if (source.initiated?.txHash.includes(",")) return "more than one deposit"
  if ((order.depositSeenAtMs ?? 0) > order.deadlineMs) return "deposit after the deadline"
  return null
}

/**
 * A leg lapses strictly after its timelock, as in the EVM contract
 * (`initiatedAt + timelock < block.number`).
 */
function isLapsed(leg: StoredLeg, seen: SwapObservation, height: bigint): boolean {
  const { initiated } = seen
  if (!initiated || !isMined(initiated)) return false
  return height > initiated.blockNumber + BigInt(leg.swap.timelock)
}

function isMined(event: { readonly confirmations: number } | null): boolean {
  return event !== null && event.confirmations > 0
}
