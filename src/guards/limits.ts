import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { quoteFeeFiat } from "./price.ts"

/** What one order or a window may sell: fiat millionths, or smallest units for each asset that has a limit. */
export type SoldLimit =
  | { readonly kind: "fiat"; readonly fiat: bigint }
  | { readonly kind: "units"; readonly byAsset: Readonly<Record<AssetId, bigint>> }

export type Limits = {
  readonly maxOrder: SoldLimit | null
  readonly maxInFlight: number
  readonly windows: readonly {
    /** `null`: the whole life of the journal. */
    readonly perMs: number | null
    readonly max: SoldLimit | null
    readonly maxFeesFiat: bigint | null
    readonly maxCount: number | null
  }[]
}

/** What is already under way or was done, as the journal counts it at this very moment. */
export type LedgerView = {
  readonly inFlight: number
  readonly cooldownUntilMs: number | null
  /** One entry per configured window, in its order: admitted orders within it, whatever became of them but rejected. */
  readonly windows: readonly {
    readonly fiat: bigint
    readonly feesFiat: bigint
    readonly count: number
    /** Of the asset that is asked for. */
    readonly units: bigint
  }[]
}

/** What the wallet can pay; `null` where the balance could not be read: then nothing is proposed. */
export type FundsView = {
  readonly spendableUnits: bigint
  /** Units of the same asset that accepted orders have yet to deposit. */
  readonly committedUnits: bigint
  /** Native units for network fees: needed for this order and its refund, and what is there for it. */
  readonly feeUnits: bigint
  readonly nativeUnits: bigint
  readonly sourceIsNative: boolean
}

/** Limits that hold whether or not a quote is at hand: how many, how soon, how much of the asset. */
export function admitRequest(
  request: { readonly from: AssetId; readonly sourceUnits: bigint; readonly nowMs: number },
  ledger: LedgerView,
  limits: Limits,
): Reason[] {
  const reasons: Reason[] = []
  if (request.sourceUnits <= 0n) reasons.push({ code: "limit.zero", message: "The amount is zero" })
  if (ledger.inFlight >= limits.maxInFlight) {
    reasons.push({
      code: "limit.in_flight",
      message: `${ledger.inFlight} orders are in flight, and no more than ${limits.maxInFlight} may be`,
      inFlight: String(ledger.inFlight),
      max: String(limits.maxInFlight),
    })
  }
  if (ledger.cooldownUntilMs !== null && request.nowMs < ledger.cooldownUntilMs) {
    const until = new Date(ledger.cooldownUntilMs).toISOString()
    reasons.push({ code: "limit.cooldown", message: `An order failed; new ones wait until ${until}`, until })
  }
  const maxUnits = unitsLimit(limits.maxOrder, request.from)
  if (maxUnits !== null && request.sourceUnits > maxUnits) {
    reasons.push(above("limit.order", "The order is larger than one order may be", request.sourceUnits, maxUnits))
  }
  limits.windows.forEach((window, index) => {
    const used = ledger.windows[index] ?? NOTHING_USED
    if (window.maxCount !== null && used.count >= window.maxCount) {
      reasons.push(
        above(
          "limit.window_count",
          `Too many orders within ${spanOf(window)}`,
          BigInt(used.count) + 1n,
          BigInt(window.maxCount),
        ),
      )
    }
    const windowUnits = unitsLimit(window.max, request.from)
    const units = used.units + request.sourceUnits
    if (windowUnits !== null && units > windowUnits) {
      reasons.push(
        above("limit.window", `Orders within ${spanOf(window)} would sell more than allowed`, units, windowUnits),
      )
    }
  })
  return reasons
}

/** Fiat limits, which need the quote's values. A limit that cannot be evaluated is not passed. */
export function admitQuote(quote: Quote, ledger: LedgerView, limits: Limits): Reason[] {
  const reasons: Reason[] = []
  const feesFiat = quoteFeeFiat(quote)
  const { maxOrder } = limits
  const needsFiat =
    maxOrder?.kind === "fiat" || limits.windows.some((w) => w.max?.kind === "fiat" || w.maxFeesFiat !== null)
  if (!needsFiat) return reasons
  if (quote.sourceFiat === null || feesFiat === null) {
    return [{ code: "price.missing", message: "A fiat limit is set, but the quote has no readable value" }]
  }
  if (maxOrder?.kind === "fiat" && quote.sourceFiat > maxOrder.fiat) {
    reasons.push(
      aboveFiat("limit.order", "The order is worth more than one order may be", quote.sourceFiat, maxOrder.fiat),
    )
  }
  const sourceFiat = quote.sourceFiat
  limits.windows.forEach((window, index) => {
    const used = ledger.windows[index] ?? NOTHING_USED
    const value = used.fiat + sourceFiat
    if (window.max?.kind === "fiat" && value > window.max.fiat) {
      reasons.push(
        aboveFiat(
          "limit.window",
          `Orders within ${spanOf(window)} would be worth more than allowed`,
          value,
          window.max.fiat,
        ),
      )
    }
    const fees = used.feesFiat + feesFiat
    if (window.maxFeesFiat !== null && fees > window.maxFeesFiat) {
      reasons.push(
        aboveFiat(
          "limit.window_fees",
          `Orders within ${spanOf(window)} would cost more than allowed`,
          fees,
          window.maxFeesFiat,
        ),
      )
    }
  })
  return reasons
}

/** Does the wallet hold the amount and the network fees beside what is promised to other orders? */
export function admitFunds(sourceUnits: bigint, funds: FundsView): Reason[] {
  const reasons: Reason[] = []
  const needUnits = sourceUnits + funds.committedUnits + (funds.sourceIsNative ? funds.feeUnits : 0n)
  if (funds.spendableUnits < needUnits) {
    reasons.push({
      code: "funds.insufficient",
      message: "The wallet cannot pay this order beside those already accepted",
      haveUnits: funds.spendableUnits.toString(),
      needUnits: needUnits.toString(),
    })
  }
  if (!funds.sourceIsNative && funds.nativeUnits < funds.feeUnits) {
    reasons.push({
      code: "funds.gas",
      message: "The wallet holds too little of the chain's own coin for a deposit and a refund",
      haveUnits: funds.nativeUnits.toString(),
      needUnits: funds.feeUnits.toString(),
    })
  }
  return reasons
}

const NOTHING_USED = { fiat: 0n, feesFiat: 0n, count: 0, units: 0n }

function unitsLimit(limit: SoldLimit | null, asset: AssetId): bigint | null {
  return limit?.kind === "units" ? (limit.byAsset[asset] ?? null) : null
}

function spanOf(window: { readonly perMs: number | null }): string {
  return window.perMs === null ? "the lifetime" : `${window.perMs / 1000} s`
}

function above(code: string, message: string, found: bigint, max: bigint): Reason {
  return { code, message: `${message} (${found}, at most ${max})`, found: found.toString(), max: max.toString() }
}

function aboveFiat(code: string, message: string, found: bigint, max: bigint): Reason {
  const [foundText, maxText] = [formatUnits(found, FIAT_DECIMALS), formatUnits(max, FIAT_DECIMALS)]
  return { code, message: `${message} (${foundText}, at most ${maxText})`, found: foundText, max: maxText }
}
