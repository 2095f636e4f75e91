import { redeemFeeCap } from "#domain/redeem-fee-cap.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Attempt, Sending } from "./send-once.ts"

/**
 * Sends one of several signed redemptions with rising fees: first the cheapest that pays the
 * present estimate, and the next one each time an attempt has waited for `stuckAfterMs`. The fee
 * cap is that of `redeemFeeCap`, with some doublings of the estimate as the usual one. Safe to
 * repeat: they spend the same coin.
 *
 * Throws the errors of the port. A node that refuses a replacement has another attempt already, so
 * the wait for the next one goes on.
 */
export async function sendSigned(
  { port, request, nowMs, stuckAfterMs }: Sending,
  redemptions: readonly SignedTransaction[],
  earlier: Attempt | null,
): Promise<Attempt> {
  const attempt =
    earlier !== null && nowMs - earlier.sentAtMs < stuckAfterMs
      ? earlier
      : { transaction: chooseNext(redemptions, earlier, await readNeed()), sentAtMs: nowMs }
  try {
    await port.broadcastTransaction(attempt.transaction)
  } catch (error) {
    if (!(error instanceof AppError) || error.disposition !== "uncertain") throw error
  }
  return attempt

  async function readNeed(): Promise<Need> {
    if (request.action !== "redeem") return { estimateUnits: 0n, capUnits: 0n }
    const estimateUnits = (await port.estimateRedeemFee(request.asset)) ?? 0n
    return {
      estimateUnits,
      capUnits: redeemFeeCap(MOST_RISE * estimateUnits, request.stake ?? null),
    }
  }
}

/** Three doublings: an estimate may lag behind the blocks. */
const MOST_RISE = 8n

type Need = { readonly estimateUnits: bigint; readonly capUnits: bigint }

/**
 * The dearest one within the cap where none pays enough; the earlier one where no dearer one is
 * within it. Pure.
 */
function chooseNext(
  redemptions: readonly SignedTransaction[],
  earlier: Attempt | null,
  { estimateUnits, capUnits }: Need,
): SignedTransaction {
  const paidUnits = earlier?.transaction.plan.maxFeeUnits ?? -1n
  const dearer = redemptions.filter(
    ({ plan }) => plan.maxFeeUnits > paidUnits && plan.maxFeeUnits <= capUnits,
  )
  const fitting = dearer.find(({ plan }) => plan.maxFeeUnits >= estimateUnits)
  return mustExist(
    fitting ?? dearer.at(-1) ?? earlier?.transaction ?? redemptions[0],
    "a signed redemption",
  )
}
