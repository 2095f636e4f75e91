import type { AssetId, ChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import {
  above,
  aboveFiat,
  ORDER_TOO_DEAR,
  ORDER_TOO_LARGE,
  type SoldLimit,
} from "#domain/sold-limit.ts"
import { judgeQuietHours, type QuietHours } from "./quiet-hours.ts"

export type Limits = {
  readonly maxOrder: SoldLimit | null
  readonly maxInFlight: number
  readonly maxInFlightPerRule?: number | null
  readonly maxInFlightPerPair?: number | null
  /** Orders that have this chain at either end. */
  readonly maxInFlightPerChain?: number | null
  readonly maxInFlightPerService?: number | null
  /** The most that orders of a route may be worth together, in fiat millionths, by its kind. */
  readonly maxRouteFiat?: Readonly<Record<RouteKind, bigint>>
  /** Solver ids; `allow` is `null` for every solver. */
  readonly solvers?: { readonly allow: readonly string[] | null; readonly deny: readonly string[] }
  /** By how much a quote may be better than those of the other services; absent for 1 %. */
  readonly maxGainBps?: bigint
  readonly quietHours?: readonly QuietHours[]
  readonly windows: readonly {
    /** `null`: the whole life of the journal. */
    readonly perMs: number | null
    readonly max: SoldLimit | null
    readonly maxFeesFiat: bigint | null
    readonly maxCount: number | null
  }[]
}

/** The orders in flight and the past sales, as the journal counts them at this moment. */
export type LimitUsage = {
  readonly inFlight: number
  /**
   * Orders in flight of the requesting rule, of the requested pair, and of each chain of the pair.
   */
  readonly inFlightOf: {
    readonly rule: number
    /** The other rule that the requested order would serve. */
    readonly secondRule?: { readonly rule: string; readonly count: number }
    readonly pair: number
    readonly chains: readonly { readonly chain: ChainId; readonly count: number }[]
  }
  readonly cooldownUntilMs: number | null
  /**
   * One entry per configured window, in the same order: all orders in flight, however old, and the
   * sales within the window. An order that ended without a deposit counts only with the network
   * fees that it paid.
   */
  readonly windows: readonly {
    readonly fiat: bigint
    readonly feesFiat: bigint
    readonly count: number
    /** Units of the requested source asset. */
    readonly units: bigint
  }[]
}

/** The wallet's balances, and the amounts that accepted orders still need. */
export type FundsView = {
  readonly spendableUnits: bigint
  /** Units of the same asset that accepted orders have yet to deposit. */
  readonly committedUnits: bigint
  /** Native units that orders under way may still need for network fees. */
  readonly committedFeeUnits: bigint
  /**
   * Units of the native coin that accepted orders have yet to deposit; counts where the source is a
   * token.
   */
  readonly committedNativeUnits: bigint
  /** Native units for the network fees of this order and its refund. */
  readonly feeUnits: bigint
  /**
   * `null` when the balance of the native coin cannot be read because the coin is not a configured
   * asset.
   */
  readonly nativeUnits: bigint | null
  readonly sourceIsNative: boolean
}

/**
 * Judges the limits that need no quote: number of orders, cool-down, quiet hours, and amounts in
 * units of the asset.
 */
export function admitRequest(
  request: {
    readonly from: AssetId
    readonly to: AssetId
    readonly rule: string
    readonly sourceUnits: bigint
    readonly nowMs: number
  },
  usage: LimitUsage,
  limits: Limits,
): Reason[] {
  const reasons: Reason[] = []
  if (request.sourceUnits <= 0n) reasons.push({ code: "limit.zero", message: "The amount is zero" })
  reasons.push(...admitInFlight(request, usage, limits))
  reasons.push(...judgeQuietHours(limits.quietHours ?? [], request.nowMs))
  if (usage.cooldownUntilMs !== null && request.nowMs < usage.cooldownUntilMs) {
    const until = new Date(usage.cooldownUntilMs).toISOString()
    reasons.push({
      code: "limit.cooldown",
      message: `An order failed; new ones wait until ${until}`,
      until,
    })
  }
  const maxUnits = unitsLimit(limits.maxOrder, request.from)
  if (maxUnits !== null && request.sourceUnits > maxUnits) {
    reasons.push(above("limit.order", ORDER_TOO_LARGE, request.sourceUnits, maxUnits))
  }
  limits.windows.forEach((window, index) => {
    const used = usage.windows[index] ?? NOTHING_USED
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
        above(
          "limit.window",
          `Orders within ${spanOf(window)} would sell more than allowed`,
          units,
          windowUnits,
        ),
      )
    }
  })
  return reasons
}

function admitInFlight(
  { from, to, rule }: { readonly from: AssetId; readonly to: AssetId; readonly rule: string },
  { inFlight, inFlightOf }: LimitUsage,
  limits: Limits,
): Reason[] {
  const {
    maxInFlight,
    maxInFlightPerRule = null,
    maxInFlightPerPair = null,
    maxInFlightPerChain = null,
  } = limits
  const second = inFlightOf.secondRule
  return [
    ...full("limit.in_flight", "orders are in flight", inFlight, maxInFlight),
    ...full(
      "limit.in_flight_rule",
      `orders of ${rule} are in flight`,
      inFlightOf.rule,
      maxInFlightPerRule,
    ),
    ...(second === undefined
      ? []
      : full(
          "limit.in_flight_rule",
          `orders of ${second.rule} are in flight`,
          second.count,
          maxInFlightPerRule,
        )),
    ...full(
      "limit.in_flight_pair",
      `orders from ${from} to ${to} are in flight`,
      inFlightOf.pair,
      maxInFlightPerPair,
    ),
    ...inFlightOf.chains.flatMap(({ chain, count }) =>
      full(
        "limit.in_flight_chain",
        `orders that touch ${chain} are in flight`,
        count,
        maxInFlightPerChain,
      ),
    ),
  ]
}

/**
 * Judges the service and the solver that would fill an order: the orders in flight with the quote's
 * service, and its solver; `null` for an unknown solver.
 */
export function admitService(
  { service, solver }: { readonly service: string; readonly solver: string | null },
  inFlight: number,
  { maxInFlightPerService = null, solvers }: Limits,
): Reason[] {
  const isRefused =
    solver !== null &&
    (solvers?.deny.includes(solver) || solvers?.allow?.includes(solver) === false)
  const message = `guards.solvers does not let ${solver || "a solver without an id"} fill orders`
  return [
    ...full(
      "limit.in_flight_service",
      `orders with ${service} are in flight`,
      inFlight,
      maxInFlightPerService,
    ),
    ...(isRefused ? [{ code: "limit.solver", message, solver }] : []),
  ]
}

/**
 * Judges the money in the hands of a route's issuer: the worth of its orders in flight, with this
 * one. Nothing but the payout takes it back.
 */
export function admitRoute(
  { kind, sourceFiat }: { readonly kind: RouteKind; readonly sourceFiat: bigint | null },
  inFlightFiat: bigint,
  { maxRouteFiat }: Limits,
): Reason[] {
  const most = maxRouteFiat?.[kind]
  if (most === undefined) return []
  const fiat = inFlightFiat + (sourceFiat ?? most + 1n)
  if (fiat <= most) return []
  const message = `routes.${kind}.max_in_flight leaves no room for this order`
  return [aboveFiat("limit.route_in_flight", message, fiat, most)]
}

function full(code: string, what: string, inFlight: number, max: number | null): Reason[] {
  if (max === null || inFlight < max) return []
  const message = `${inFlight} ${what}, and no more than ${max} may be`
  return [{ code, message, inFlight: String(inFlight), max: String(max) }]
}

/**
 * Judges the fiat limits, which need the order's value. Without a value they refuse. `feesFiat`
 * includes the network's worst case.
 */
export function admitValue(
  order: { readonly sourceFiat: bigint | null; readonly feesFiat: bigint | null },
  usage: LimitUsage,
  limits: Limits,
): Reason[] {
  const reasons: Reason[] = []
  const { sourceFiat, feesFiat } = order
  const { maxOrder } = limits
  const needsFiat =
    maxOrder?.kind === "fiat" ||
    limits.windows.some((w) => w.max?.kind === "fiat" || w.maxFeesFiat !== null)
  if (!needsFiat) return reasons
  if (sourceFiat === null || feesFiat === null) {
    return [
      {
        code: "price.missing",
        message: "A fiat limit is set, but the quote has no readable value",
      },
    ]
  }
  if (maxOrder?.kind === "fiat" && sourceFiat > maxOrder.fiat) {
    reasons.push(aboveFiat("limit.order", ORDER_TOO_DEAR, sourceFiat, maxOrder.fiat))
  }
  limits.windows.forEach((window, index) => {
    const used = usage.windows[index] ?? NOTHING_USED
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
  })
  reasons.push(...admitFees(feesFiat, usage, limits))
  return reasons
}

/**
 * Judges the windows' limits on fees alone. An unknown fee passes here, because `admitValue` has
 * refused it before.
 */
export function admitFees(feesFiat: bigint | null, usage: LimitUsage, limits: Limits): Reason[] {
  if (feesFiat === null) return []
  return limits.windows.flatMap((window, index) => {
    const fees = (usage.windows[index] ?? NOTHING_USED).feesFiat + feesFiat
    if (window.maxFeesFiat === null || fees <= window.maxFeesFiat) return []
    const message = `Orders within ${spanOf(window)} would cost more than allowed`
    return [aboveFiat("limit.window_fees", message, fees, window.maxFeesFiat)]
  })
}

/**
 * Judges whether the wallet holds the amount and the network fees, in addition to the needs of
 * other orders.
 */
export function admitFunds(sourceUnits: bigint, funds: FundsView): Reason[] {
  const reasons: Reason[] = []
  const { spendableUnits, nativeUnits, committedUnits, committedNativeUnits, sourceIsNative } =
    funds
  const feeUnits = funds.feeUnits + funds.committedFeeUnits
  const needUnits = sourceUnits + committedUnits + (sourceIsNative ? feeUnits : 0n)
  if (spendableUnits < needUnits) {
    reasons.push({
      code: "funds.insufficient",
      message: "The wallet cannot pay this order in addition to the accepted ones",
      haveUnits: spendableUnits.toString(),
      needUnits: needUnits.toString(),
    })
  }
  const needNativeUnits = feeUnits + committedNativeUnits
  if (!sourceIsNative && nativeUnits !== null && nativeUnits < needNativeUnits) {
    reasons.push({
      code: "funds.gas",
      message:
        "The wallet holds too little of the chain's own coin for a deposit and a refund in " +
        "addition to the accepted orders",
      haveUnits: nativeUnits.toString(),
      needUnits: needNativeUnits.toString(),
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
