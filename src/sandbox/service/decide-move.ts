import type { SwapOnChain } from "../local-chain.ts"
import type { SolverFault } from "./faults.ts"
import type { OrderPhase, SolverMove, StoredLeg, StoredOrder } from "./stored-order.ts"

/**
 * What an honest solver does next with one order, from what both chains show. Pure; the chain is the truth, the record only adds time.
 *
 * Deposit exactly right, in time and deep enough → fund → redeem the destination with the secret → redeem the source. Everything else
 * waits for the timelock of the leg in question and is refunded then.
 */
export function decideMove(order: StoredOrder, sight: Sight, faults: ReadonlySet<SolverFault>): Decision {
  const { source, destination } = sight
  if (destination.redeemed) return decidePaid(sight)
  if (source.redeemed) return decideTaken(order, sight)
  if (destination.initiated && !destination.refunded) return decideFunded(order, sight, faults)
  if (source.refunded) return isMined(source.refunded) ? { finish: "refunded", note: "refunded" } : inBlocks
  if (source.initiated) return decideDeposited(order, sight, faults)
  const forgotten = sight.nowMs > order.deadlineMs + FORGET_AFTER_MS
  return forgotten ? { finish: "expired", note: "never funded" } : { wait: "waits for the deposit" }
}

/** What the chains show. `destination` is all null while nothing was funded. */
export type Sight = {
  readonly source: SwapOnChain
  readonly destination: SwapOnChain
  readonly sourceHeight: bigint
  readonly destinationHeight: bigint
  readonly nowMs: number
}

export type Decision =
  | { readonly move: SolverMove }
  | { readonly wait: string }
  | { readonly finish: Exclude<OrderPhase, "open">; readonly note: string }

/** An order that nobody funded is watched for late deposits for a day beyond its deadline. */
const FORGET_AFTER_MS = 24 * 3600 * 1000

const inBlocks: Decision = { wait: "waits for its last transaction to be mined" }

function decidePaid({ source, destination }: Sight): Decision {
  if (!isMined(destination.redeemed)) return source.redeemed || source.refunded ? inBlocks : { move: "redeemSource" }
  if (source.redeemed) return isMined(source.redeemed) ? { finish: "complete", note: "complete" } : inBlocks
  if (source.refunded) return { finish: "complete", note: "paid out, and the source was refunded: the solver's loss" }
  return { move: "redeemSource" }
}

/** A redemption that was sent but is not shown at this moment is no theft. */
function decideTaken(order: StoredOrder, { source }: Sight): Decision {
  if (order.destination.seen.redeemed || !isMined(source.redeemed)) return inBlocks
  return { finish: "stolen", note: "source redeemed, destination never paid" }
}

function decideFunded(order: StoredOrder, sight: Sight, faults: ReadonlySet<SolverFault>): Decision {
  const { source, destination } = sight
  if (isLapsed(order.destination, destination, sight.destinationHeight)) return { move: "refundDestination" }
  if (faults.has("neverRedeem")) return { wait: "fault neverRedeem: waits for the destination timelock" }
  if (source.refunded || isLapsed(order.source, source, sight.sourceHeight)) {
    return { wait: "the source lapsed: waits for the destination timelock" }
  }
  const confirmations = destination.initiated?.confirmations ?? 0
  if (confirmations < order.destination.requiredConfirmations) return { wait: "waits for the destination to confirm" }
  return { move: "redeemDestination" }
}

function decideDeposited(order: StoredOrder, sight: Sight, faults: ReadonlySet<SolverFault>): Decision {
  const { source, destination } = sight
  if (isLapsed(order.source, source, sight.sourceHeight)) {
    return faults.has("lapse") ? { wait: "fault lapse: relays no refund" } : { move: "refundSource" }
  }
  const problem = findDepositProblem(order, sight)
  if (problem !== null) return { wait: `${problem}: waits for the source timelock` }
  const confirmations = source.initiated?.confirmations ?? 0
  if (confirmations < order.source.requiredConfirmations) return { wait: "waits for the deposit to confirm" }
  if (faults.has("redeemSourceOnly")) return { move: "redeemSource" }
  if (faults.has("solverSilent") || faults.has("lapse")) return { wait: "fault: the solver is silent" }
  if (destination.refunded) return { wait: "destination refunded: waits for the source timelock" }
  // The node acknowledged our funding: sending it again could pay twice on Bitcoin.
  if (order.destination.seen.initiated) return { wait: "waits for the destination to be seen" }
  return { move: "fund" }
}

/** Why the solver does not fund this deposit; `null` for a good one. */
function findDepositProblem(order: StoredOrder, { source }: Sight): string | null {
  const { swap } = order.source
  const filled = source.initiated?.filledUnits
  if (filled !== BigInt(swap.units)) return `deposit of ${filled} instead of ${swap.units}`
  if (source.initiated?.txHash.includes(",")) return "more than one deposit"
  if ((order.depositSeenAtMs ?? 0) > order.deadlineMs) return "deposit after the deadline"
  return null
}

/** Strictly after the timelock, as the EVM contract demands (`initiatedAt + timelock < block.number`). */
function isLapsed(leg: StoredLeg, seen: SwapOnChain, height: bigint): boolean {
  const { initiated } = seen
  if (!initiated || !isMined(initiated)) return false
  return height > initiated.blockNumber + BigInt(leg.swap.timelock)
}

function isMined(event: { readonly confirmations: number } | null): boolean {
  return event !== null && event.confirmations > 0
}
