import { max, min } from "#domain/amount.ts"
import type { Family } from "#domain/asset.ts"
import {
  isNearLockEnd,
  mayAwaitEstimate,
  type RedeemStake,
  redeemFeeCap,
} from "#domain/redeem-fee-cap.ts"
import type { TransactionAction } from "#domain/transaction.ts"
import { redeemOffer, rescueOffer, riseOffer } from "#domain/urgent-offer.ts"
import { FEE, MAX_FEE } from "./fake-fees.ts"
import { failure } from "./faults.ts"

/** The fees that a fake chain offers for its transactions, in the units of its ledger. */
export type FakeOffers = {
  /**
   * The fee of a first attempt. The caller refuses one above the cap. `overdue`: since when a
   * refund is possible, in blocks. Throws `fees.unknown`.
   */
  readonly first: (action: TransactionAction, stake: RedeemStake | null, overdue?: bigint) => bigint
  /** The fee of the next attempt; `null` if there is none. */
  readonly raised: (old: OldOffer, stake: RedeemStake | null) => bigint | null
}

export type OldOffer = {
  readonly action: TransactionAction
  readonly fee: bigint
  readonly attempt: number
}

/** How a redemption rises above the estimate; `null` where nothing is known to start from. */
export type Rise = (
  estimate: bigint | null,
  caps: { readonly usual: bigint; readonly cap: bigint },
  stake: RedeemStake | null,
) => bigint | null

export type NodeFees = {
  /** The nodes' estimate; `null` where none has one. */
  readonly estimate: () => bigint | null
  /** The fee that the newest block asks for. Only blocks of EVM chains tell it. */
  readonly base: () => bigint
  /** A planted mistake has another one. */
  readonly rise?: Rise
}

/** Offers of a market that every node knows, doubled for each further attempt. */
export function createPlainOffers(family: Family, fee: () => bigint = () => FEE): FakeOffers {
  return {
    first: fee,
    raised: (old, stake) => {
      const isEnding = stake !== null && isNearLockEnd(stake)
      const market = isEnding ? fee() : 0n
      const bumped = market > old.fee * 2n ? market : old.fee * 2n
      const isLast = !isEnding && old.attempt >= MAX_ATTEMPT
      return family === "solana" || isLast || bumped > capOf(stake) ? null : bumped
    },
  }
}

const MAX_ATTEMPT = 3

/**
 * Offers as the module of a family makes them: from its nodes' estimates, and never from the market
 * itself.
 */
export function createFamilyOffers(
  family: Family,
  { estimate, base, rise = riseWithLock }: NodeFees,
): FakeOffers {
  const rules: OfferRules = { estimate, base, rise }
  switch (family) {
    case "evm":
      return evmOffers(rules)
    case "bitcoin":
      return bitcoinOffers(rules)
    case "starknet":
      return starknetOffers(rules)
    default:
      return solanaOffers(rules)
  }
}

type OfferRules = Required<NodeFees>

/** As the modules of all families rise. */
export const riseWithLock: Rise = (estimate, { usual, cap }, stake) =>
  redeemOffer(estimate, { usualUnits: usual, capUnits: cap }, stake)

/** EIP-1559: twice the base fee of the newest block. A replacement pays an eighth more. */
function evmOffers({ estimate, base, rise }: OfferRules): FakeOffers {
  const offer = (action: TransactionAction, stake: RedeemStake | null, attempt: number): bigint => {
    const cap = action === "void" ? MOST_OF_VOID : capOf(stakeOf(action, stake))
    if (base() > cap) return base()
    const usual = min(base() * 2n, cap)
    if (isRescue(action)) return rescueOffer(usual, cap, attempt)
    return action === "redeem"
      ? max(usual, rise(usual, { usual: MAX_FEE, cap }, stake) ?? 0n)
      : usual
  }
  return {
    first: (action, stake) => {
      // The base fee is in the block. Only the tip needs an estimate.
      if (estimate() === null && mayWait(action, stake)) throw feesUnknown()
      return offer(action, stake, 0)
    },
    raised: ({ action, fee, attempt }, stake) => {
      const cap = action === "void" ? MOST_OF_VOID : capOf(stakeOf(action, stake))
      const least = max((fee * 9n + 7n) / 8n, fee + 1n)
      if (base() > cap || least > cap) return null
      return max(least, offer(action, stake, attempt + 1))
    },
  }
}

/** The estimate. A replacement pays at least the rate of its own relay more. */
function bitcoinOffers({ estimate, rise }: OfferRules): FakeOffers {
  return {
    first: (action, stake) => {
      const known = estimate()
      if (known === null && mayWait(action, stake)) throw feesUnknown()
      if (action !== "redeem") return known ?? MAX_FEE / 4n
      const caps = { usual: MAX_FEE, cap: capOf(stake) }
      return max(known ?? 0n, rise(known, caps, stake) ?? 0n)
    },
    raised: ({ action, fee, attempt }, stake) => {
      const cap = action === "void" ? MOST_OF_VOID : capOf(stakeOf(action, stake))
      const least = fee + 1n
      if (least > cap) return null
      if (isRescue(action))
        return max(least, min(rescueOffer(estimate() ?? fee, cap, attempt + 1), cap))
      const known = estimate() ?? (action === "redeem" && stake !== null ? fee : fee * 2n)
      const wanted =
        action === "redeem" ? (rise(known, { usual: MAX_FEE, cap }, stake) ?? 0n) : known
      return max(least, min(wanted, cap))
    },
  }
}

/**
 * The estimate of the simulated call and half of it; the simulation is the plan, so there is none
 * without it.
 */
function starknetOffers({ estimate, rise }: OfferRules): FakeOffers {
  const withMargin = (): bigint => {
    const known = estimate()
    if (known === null) throw feesUnknown()
    return (known * 3n) / 2n
  }
  return {
    first: (action, stake) => {
      const bounds = withMargin()
      if (action !== "redeem") return bounds
      return max(bounds, rise(bounds, { usual: MAX_FEE, cap: capOf(stake) }, stake) ?? 0n)
    },
    raised: ({ action, fee, attempt }, stake) => {
      const cap = action === "void" ? MOST_OF_VOID : capOf(stakeOf(action, stake))
      const least = (fee * 115n + 99n) / 100n
      if (least > cap) return null
      const present = estimate()
      const asked = present === null ? least : max(least, (present * 3n) / 2n)
      const bounds = asked > cap ? least : asked
      if (isRescue(action)) return max(bounds, min(rescueOffer(bounds, cap, attempt + 1), cap))
      if (action !== "redeem") return bounds
      const wanted = rise(bounds, { usual: MAX_FEE, cap }, stake) ?? 0n
      return wanted > cap ? bounds : max(bounds, wanted)
    },
  }
}

/** Solana: the price of a refund reaches the cap within so many slots. */
const REFUND_RISE_BLOCKS = 900n

/** No higher fee for the same bytes: they expire, and the next plan has the next price. */
function solanaOffers({ estimate, rise }: OfferRules): FakeOffers {
  return {
    first: (action, stake, overdue = 0n) => {
      const cap = capOf(stakeOf(action, stake))
      const known = min(
        cap,
        estimate() ?? (action === "redeem" && stake !== null && isNearLockEnd(stake) ? cap : FEE),
      )
      if (action === "refund")
        return riseOffer(known, cap, { passed: overdue, span: REFUND_RISE_BLOCKS })
      return action === "redeem"
        ? max(known, rise(known, { usual: MAX_FEE, cap }, stake) ?? 0n)
        : known
    },
    raised: () => null,
  }
}

/** A void pays a unit more than twice the fee of its target. */
const MOST_OF_VOID = MAX_FEE * 2n + 1n

/** Their fees rise with each attempt, to the configured cap. */
function isRescue(action: TransactionAction): boolean {
  return action === "refund" || action === "void"
}

function mayWait(action: TransactionAction, stake: RedeemStake | null): boolean {
  if (action === "initiate" || action === "approve") return true
  return action === "redeem" && mayAwaitEstimate(stake)
}

function stakeOf(action: TransactionAction, stake: RedeemStake | null): RedeemStake | null {
  return action === "redeem" ? stake : null
}

export function capOf(stake: RedeemStake | null = null): bigint {
  return redeemFeeCap(MAX_FEE, stake)
}

function feesUnknown(): Error {
  return failure("transient", "fees.unknown")
}
