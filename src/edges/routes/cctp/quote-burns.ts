import type { AssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { BurnFees } from "./attestation-service.ts"
import type { AttestationTimes, BurnDomain } from "./burn-domain.ts"
import { TAG_UNITS } from "./burn-request.ts"
import { type FeeRate, feeShareOf } from "./fee-rate.ts"
import type { FINALITY } from "./message.ts"

/** One asset of the route: USDC on one chain, with our own account there. */
export type BurnSide = {
  readonly asset: AssetId
  /** The chain's family, which reads the request of the burn. */
  readonly family: string
  readonly domain: BurnDomain
  /** Our account, as a text and as messages have it. */
  readonly payee: string
  readonly mintRecipient: `0x${string}`
}

type QuoteQuestion = {
  readonly from: BurnSide
  readonly to: BurnSide
  readonly amountUnits: bigint
  readonly fees: BurnFees
  readonly fastAllowanceUnits: bigint
  /** No burn allows a higher fee than this share. */
  readonly maxFeeRate: FeeRate
  /** No burn usually waits longer for its attestation; `null` for any time. */
  readonly maxWaitMs: number | null
  readonly speeds: readonly Speed[]
}

export type Speed = keyof typeof FINALITY

/**
 * One quote for each speed that this amount can have. `destinationUnits` is what the contracts pay
 * at least: the amount without the highest fee that the burn allows. Pure.
 */
export function quoteBurns(question: QuoteQuestion): {
  readonly quotes: readonly Quote[]
  readonly dropped: readonly Reason[]
} {
  const answers = question.speeds.map((speed) => quoteSpeed(question, speed))
  return {
    quotes: answers.flatMap((answer) => ("code" in answer ? [] : [answer])),
    dropped: answers.flatMap((answer) => ("code" in answer ? [answer] : [])),
  }
}

/** Circle suggests 10 to 20 %: a fee that rises a little must not cost a fast burn its speed. */
function withHeadroom(rate: FeeRate): FeeRate {
  return (rate * 6n + 4n) / 5n
}

function quoteSpeed(question: QuoteQuestion, speed: Speed): Quote | Reason {
  const { from, amountUnits, fees, fastAllowanceUnits, maxFeeRate, maxWaitMs } = question
  const rate = fees[speed]
  const times = speed === "fast" ? from.domain.fastMs : from.domain.standardMs
  if (rate === null || times === null)
    return drop("cctp.no_speed", "is not offered here", { speed })
  if (maxWaitMs !== null && times.typical > maxWaitMs)
    return drop("cctp.too_slow", "usually waits longer than max_wait", {
      speed,
      seconds: BigInt(times.typical / 1_000),
    })
  if (speed === "fast" && amountUnits > fastAllowanceUnits)
    return drop("cctp.fast_pool_short", "has too little left for this amount", {
      speed,
      amount: amountUnits,
      left: fastAllowanceUnits,
    })
  const maxFeeUnits = feeShareOf(amountUnits, withHeadroom(rate)) + TAG_UNITS
  const capUnits = feeShareOf(amountUnits, maxFeeRate) + TAG_UNITS
  if (maxFeeUnits > capUnits)
    return drop("cctp.fee_above_cap", "costs more than max_fee", {
      speed,
      fee: maxFeeUnits,
      cap: capUnits,
    })
  if (maxFeeUnits >= amountUnits)
    return drop("cctp.amount_small", "would cost the whole amount", { speed, amount: amountUnits })
  return { ...quoteOfBurn(question, maxFeeUnits, speed), ...waitsOf(times) }
}

function waitsOf({ typical, late }: AttestationTimes) {
  return {
    estimatedSeconds: Math.ceil(typical / 1_000),
    worstSeconds: Math.ceil(late / 1_000),
  }
}

/** What a burn with this highest fee pays at least. */
export function quoteOfBurn(
  { from, to, amountUnits }: Pick<QuoteQuestion, "from" | "to" | "amountUnits">,
  maxFeeUnits: bigint,
  speed: Speed,
): Quote {
  const destinationUnits = amountUnits - maxFeeUnits
  return {
    from: from.asset,
    to: to.asset,
    sourceUnits: amountUnits,
    destinationUnits,
    // A dollar for each USDC, as its issuer promises. Both have six decimals, as fiat amounts do;
    // reference prices judge it beside this.
    sourceFiat: amountUnits,
    destinationFiat: destinationUnits,
    solverId: speed,
    estimatedSeconds: null,
    kind: CCTP,
    guarantee: "contract",
    trusts: ["Circle as the issuer of USDC", "Circle's attesters"],
  }
}

export const CCTP = "cctp"

function drop(
  code: string,
  what: string,
  numbers: Readonly<Record<string, string | bigint>>,
): Reason {
  const texts = Object.entries(numbers).map(([key, value]) => [key, String(value)])
  return { code, message: `This burn ${what}`, ...Object.fromEntries(texts) }
}
