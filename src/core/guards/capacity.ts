import type { AssetId, ChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { admitRequest, admitValue, type Limits, type LimitUsage } from "./limits.ts"

/** A pair for which a rule may place an order. */
type CapacityQuery = { readonly rule: string; readonly from: AssetId; readonly to: AssetId }

/**
 * What the limits still allow, from the same counts and the same checks as admission (`limits.ts`).
 */
type Capacity = {
  /** The most orders of all rules together. */
  readonly orders: number
  readonly counts: readonly CountLeft[]
  readonly windows: readonly WindowLeft[]
  /** The pairs on which admission refuses even the smallest order, with its reasons. */
  readonly refused: readonly (CapacityQuery & { readonly reasons: readonly Reason[] })[]
}

/** At most `left` orders of this rule, this pair, or with this chain at either end. */
type CountLeft = {
  readonly rule?: string
  readonly pair?: { readonly from: AssetId; readonly to: AssetId }
  readonly chain?: ChainId
  readonly left: number
  readonly reason: Reason
}

/** The rest of a window; `null` and absent assets are not limited. */
type WindowLeft = {
  readonly per: string
  readonly leftFiat: bigint | null
  readonly maxFiat: bigint | null
  readonly leftUnits: Readonly<Record<AssetId, bigint>>
  readonly leftFeesFiat: bigint | null
}

export function readCapacity(
  limits: Limits,
  queries: readonly CapacityQuery[],
  usageOf: (query: CapacityQuery) => LimitUsage,
  nowMs: number,
): Capacity {
  const known = queries.map((query) => ({ query, usage: usageOf(query) }))
  const [first] = known
  const inFlight = first?.usage.inFlight ?? 0
  const windows = limits.windows.map((window, index): WindowLeft => {
    const used = first?.usage.windows[index]
    const units = window.max?.kind === "units" ? window.max.byAsset : {}
    return {
      per: window.perMs === null ? "the lifetime" : `${window.perMs / 1000} s`,
      leftFiat:
        window.max?.kind === "fiat" ? atLeastZero(window.max.fiat - (used?.fiat ?? 0n)) : null,
      maxFiat: window.max?.kind === "fiat" ? window.max.fiat : null,
      leftUnits: Object.fromEntries(
        known.flatMap(({ query: { from }, usage }) => {
          const max = units[from]
          return max === undefined
            ? []
            : [[from, atLeastZero(max - (usage.windows[index]?.units ?? 0n))]]
        }),
      ),
      leftFeesFiat:
        window.maxFeesFiat === null
          ? null
          : atLeastZero(window.maxFeesFiat - (used?.feesFiat ?? 0n)),
    }
  })
  const windowOrders = limits.windows.flatMap(({ maxCount }, index) =>
    maxCount === null ? [] : [Math.max(0, maxCount - (first?.usage.windows[index]?.count ?? 0))],
  )
  return {
    orders: Math.max(0, Math.min(limits.maxInFlight - inFlight, ...windowOrders)),
    counts: known.flatMap(({ query, usage }) => countsOf(limits, query, usage)).filter(isFirst),
    windows,
    refused: known.flatMap(({ query, usage }) => {
      const reasons = refuseSmallest(limits, query, usage, nowMs)
      return reasons.length === 0 ? [] : [{ ...query, reasons }]
    }),
  }
}

/**
 * The reasons of admission against an order of one smallest unit. The total in flight is left out:
 * `orders` of the capacity has it.
 */
function refuseSmallest(
  limits: Limits,
  query: CapacityQuery,
  usage: LimitUsage,
  nowMs: number,
): Reason[] {
  const others = { ...limits, maxInFlight: Number.POSITIVE_INFINITY }
  return [
    ...admitRequest({ ...query, sourceUnits: 1n, nowMs }, usage, others),
    ...admitValue({ sourceFiat: 1n, feesFiat: 0n }, usage, others),
  ]
}

function countsOf(
  limits: Limits,
  { rule, from, to }: CapacityQuery,
  { inFlightOf }: LimitUsage,
): CountLeft[] {
  const {
    maxInFlightPerRule = null,
    maxInFlightPerPair = null,
    maxInFlightPerChain = null,
  } = limits
  return [
    ...leftOf(
      { rule },
      `orders of ${rule}`,
      "limit.in_flight_rule",
      inFlightOf.rule,
      maxInFlightPerRule,
    ),
    ...leftOf(
      { pair: { from, to } },
      `orders from ${from} to ${to}`,
      "limit.in_flight_pair",
      inFlightOf.pair,
      maxInFlightPerPair,
    ),
    ...inFlightOf.chains.flatMap(({ chain, count }) =>
      leftOf(
        { chain },
        `orders that touch ${chain}`,
        "limit.in_flight_chain",
        count,
        maxInFlightPerChain,
      ),
    ),
  ]
}

function leftOf(
  scope: Pick<CountLeft, "rule" | "pair" | "chain">,
  what: string,
  code: string,
  inFlight: number,
  max: number | null,
): CountLeft[] {
  if (max === null) return []
  const message = `No more than ${max} ${what} may be in flight, and with this plan ${max} are`
  return [
    { ...scope, left: Math.max(0, max - inFlight), reason: { code, message, max: String(max) } },
  ]
}

function isFirst(
  { rule, pair, chain }: CountLeft,
  index: number,
  all: readonly CountLeft[],
): boolean {
  const same = (one: CountLeft): boolean =>
    one.rule === rule &&
    one.chain === chain &&
    one.pair?.from === pair?.from &&
    one.pair?.to === pair?.to
  return all.findIndex(same) === index
}

function atLeastZero(units: bigint): bigint {
  return units > 0n ? units : 0n
}
