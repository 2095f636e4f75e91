import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { RedeemStake } from "#domain/redeem-fee-cap.ts"
import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
} from "#domain/transaction.ts"
import type { ChainPort } from "#ports/chain.ts"

/**
 * The newest attempt of one transaction, in memory only: after a restart the chain tells what is
 * left to do.
 */
export type Attempt = { readonly transaction: SignedTransaction; readonly sentAtMs: number }

export type Sending = {
  readonly port: ChainPort
  readonly request: {
    readonly action: "redeem" | "refund"
    readonly asset: AssetId
    readonly stake?: RedeemStake | null
  }
  readonly plan: (reserved: ReadonlySet<string>) => ReturnType<ChainPort["planTransaction"]>
  readonly nowMs: number
  /** Nonces of the tower's transactions for other orders. */
  readonly reserved: ReadonlySet<string>
  /** Time after which an attempt that no block holds gets a higher fee. */
  readonly stuckAfterMs: number
}

/**
 * Plans, signs and sends one transaction, or sees an earlier attempt through. Safe to repeat:
 * planning runs the call on a node first, attempts share a nonce where the chain has nonces, and
 * the contract pays once. The worst that a repetition costs is a fee.
 *
 * Throws the errors of the port.
 */
export async function sendOnce(
  sending: Sending,
  earlier: Attempt | null,
): Promise<Attempt | { readonly refused: readonly Reason[] }> {
  if (earlier === null) return sendNew(sending)
  const status = await readStatus(sending, earlier)
  // A block holds it, and the leg is still open: it failed there, or the next observation of the
  // leg shows its success.
  if (status === "mined" || status === "excluded") return sendNew(sending)
  if (sending.nowMs - earlier.sentAtMs >= sending.stuckAfterMs) return sendHigher(sending, earlier)
  if (status === "unseen") await sending.port.broadcastTransaction(earlier.transaction)
  return earlier
}

/**
 * No node answers: a redemption, whose secret is told by then, goes on as one that is not seen. One
 * endpoint alone may invent the block of a transaction, which then waits on for its higher fee.
 */
async function readStatus(
  { port, request }: Sending,
  { transaction }: Attempt,
): Promise<TransactionObservation["status"]> {
  try {
    const seen = await port.observeTransaction(transaction)
    return seen.status === "mined" && seen.isAlone === true ? "pending" : seen.status
  } catch (error) {
    if (request.action === "redeem") return "unseen"
    throw error
  }
}

async function sendNew(
  sending: Sending,
): Promise<Attempt | { readonly refused: readonly Reason[] }> {
  const plan = await sending.plan(sending.reserved)
  return "refused" in plan ? plan : sendPlan(sending, plan)
}

/** Where no higher fee is possible, a plan from the present state of the chain takes its place. */
async function sendHigher(
  sending: Sending,
  { transaction }: Attempt,
): Promise<Attempt | { readonly refused: readonly Reason[] }> {
  const { port, request } = sending
  const { stake } = request
  const plan = await port.planBump(transaction.plan, stake)
  return plan === null ? sendNew(sending) : sendPlan(sending, plan)
}

async function sendPlan(
  { port, request, nowMs }: Sending,
  plan: TransactionPlan,
): Promise<Attempt> {
  const worthUnits = request.stake?.worthUnits
  const context = {
    order: plan.digest,
    deposit: null,
    ...(worthUnits == null ? {} : { worthUnits }),
  }
  const transaction = await port.signTransaction(plan, context)
  await port.broadcastTransaction(transaction)
  return { transaction, sentAtMs: nowMs }
}
