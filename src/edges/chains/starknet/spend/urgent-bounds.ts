import { min } from "#domain/amount.ts"
import type { Reason } from "#domain/reason.ts"
import { mayAwaitEstimate } from "#domain/redeem-fee-cap.ts"
import { redeemOffer, rescueOffer } from "#domain/urgent-offer.ts"
import { AppError } from "#lib/app-error.ts"
import type { Call } from "../htlc.ts"
import type { Wallet } from "../wallet.ts"
import { estimateBounds } from "./estimate.ts"
import { type Bounds, boundsFor, maxFeeOf, raiseTo, scalePrices } from "./invoke.ts"

/**
 * Cautious, each about twice as much as measured: a refund, and a redemption, which hashes the
 * secret.
 */
export const REDEEM_GAS = { l2: 5_000_000n, l1Data: 1_000n }
export const REFUND_GAS = { l2: 4_000_000n, l1Data: 1_000n }

type Refused = { readonly refused: readonly Reason[] }
type Urgent = "redeem" | "refund"

/**
 * The bounds of a redemption or refund. A redemption's fee rises as its lock ends. Where no
 * endpoint has an estimate, a refund and a redemption that may not wait offer the fee of that time
 * for a cautious amount of gas: the network charges the used gas at its own prices. `strkUnits`:
 * the account's STRK, which bounds an offer by time.
 *
 * Throws the errors of the estimate, where the lock leaves time to wait for one.
 */
export async function urgentBounds(
  wallet: Wallet,
  action: Urgent,
  calls: readonly Call[],
  strkUnits: bigint,
): Promise<Bounds | Refused> {
  const estimated = await estimateOrNull(
    wallet,
    calls,
    () => action === "redeem" && mayAwaitEstimate(wallet.redeeming?.stake ?? null),
  )
  if (estimated !== null && "refused" in estimated) return estimated
  if (estimated === null) {
    const offered = action === "redeem" ? offerFor(wallet, null) : wallet.maxFeeUnits
    const feeUnits = strkUnits === 0n ? offered : min(offered, strkUnits)
    return boundsFor(action === "redeem" ? REDEEM_GAS : REFUND_GAS, feeUnits)
  }
  if (action === "refund") return estimated
  // The first offer goes to the configured cap at most; only the next ones go on to the payout's
  // worth.
  const usualUnits = wallet.redeeming?.usualUnits ?? wallet.maxFeeUnits
  return raiseTo(estimated, min(min(offerFor(wallet, maxFeeOf(estimated)), usualUnits), strkUnits))
}

/**
 * The bounds of a void: without an estimate those of the transaction that it outbids. Raised by its
 * caller.
 */
export async function voidBounds(wallet: Wallet, rival: Bounds): Promise<Bounds | Refused> {
  return (await estimateOrNull(wallet, [], () => false)) ?? rival
}

/**
 * The bounds of a higher fee for the same calls, at least `least`: the network's present prices
 * where those are higher, and what time asks for. An estimate that reverts decides nothing: an
 * endpoint may count the pending transaction already.
 */
export async function bumpBounds(
  wallet: Wallet,
  { action, attempt, calls, old }: BumpOf,
  strkUnits: bigint,
): Promise<Bounds> {
  const least = scalePrices(old, BUMP_PERCENT)
  const present = await estimateOrNull(wallet, calls, () => false)
  const current = present === null || "refused" in present ? least : highest(least, present)
  const bounds = maxFeeOf(current) <= wallet.maxFeeUnits ? current : least
  const feeUnits = maxFeeOf(bounds)
  const offered =
    action === "redeem"
      ? offerFor(wallet, feeUnits)
      : rescueOffer(feeUnits, wallet.maxFeeUnits, attempt)
  return raiseTo(bounds, min(offered, strkUnits))
}

type BumpOf = {
  readonly action: Urgent | "void"
  readonly attempt: number
  readonly calls: readonly Call[]
  readonly old: Bounds
}

/**
 * The sequencer's mempool replaces a waiting transaction when tip and L2 gas price rise by 10 %
 * (apollo mempool, `fee_escalation_percentage`; the refusal has code 64).
 */
export const BUMP_PERCENT = 115n

/** The amounts of the first bounds, with the higher of both prices and tips each. */
export function highest(own: Bounds, rival: Bounds): Bounds {
  const pick = (a: Bounds["l2Gas"], b: Bounds["l2Gas"]) =>
    BigInt(a.price) >= BigInt(b.price) ? a : { ...a, price: b.price }
  return {
    l1Gas: pick(own.l1Gas, rival.l1Gas),
    l2Gas: pick(own.l2Gas, rival.l2Gas),
    l1DataGas: pick(own.l1DataGas, rival.l1DataGas),
    tip: BigInt(own.tip) >= BigInt(rival.tip) ? own.tip : rival.tip,
  }
}

function offerFor(
  { redeeming, maxFeeUnits: capUnits }: Wallet,
  estimateUnits: bigint | null,
): bigint {
  if (redeeming === undefined) return estimateUnits ?? capUnits
  const { stake, usualUnits } = redeeming
  return redeemOffer(estimateUnits, { usualUnits, capUnits }, stake) ?? capUnits
}

async function estimateOrNull(
  wallet: Wallet,
  calls: readonly Call[],
  waits: () => boolean,
): Promise<Bounds | Refused | null> {
  try {
    return await estimateBounds(wallet, calls)
  } catch (error) {
    const isOfNodes = error instanceof AppError && ["transient", "hold"].includes(error.disposition)
    if (waits() || !isOfNodes) throw error
    return null
  }
}
