import type { AssetId, ChainId } from "#domain/asset.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { FeeReading } from "#policy/schedule/fee-timing.ts"

/**
 * The market for a backtest: everything that does not depend on the actions of the policy. The same
 * scenario and seed give two policies the same flows, prices and failures.
 */
export type Scenario = {
  readonly startMs: number
  readonly days: number
  /** The interval at which flows and prices change. */
  readonly stepMs: number
  /** Every configured asset, and the coin of every chain. */
  readonly assets: readonly ScenarioAsset[]
  readonly prices: readonly PricePath[]
  readonly chains: readonly ScenarioChain[]
  readonly pairFor: (from: AssetId, to: AssetId) => PairModel
  /** The figures of the routes beside the service, where they are not the usual ones. */
  readonly routes?: ReadonlyMap<RouteKind, Partial<PairModel>>
  readonly orders: OrderModel
  /**
   * Recorded flows replace the random ones of their assets; recorded quotes hold from their time
   * on. Both are sorted by time.
   */
  readonly flows: readonly RecordedFlow[]
  readonly quotes: readonly RecordedQuote[]
  /** Conditions that begin and end at fixed times; absent for none. */
  readonly faults?: readonly ScenarioFault[]
  /** Orders whose deposit left the wallet before the start; absent for none. */
  readonly underWay?: readonly OrderUnderWay[]
}

/** A condition of the world from `fromMs` until `untilMs`, the end excluded. */
export type ScenarioFault = { readonly fromMs: number; readonly untilMs: number } & FaultKind

export type FaultKind =
  /** The service has no offer for the pair. */
  | { readonly kind: "pair"; readonly from: AssetId; readonly to: AssetId }
  /** An operator has paused everything, a chain, or a rule. */
  | { readonly kind: "pause"; readonly scope: string }
  /** No node returns the balance. */
  | { readonly kind: "balance"; readonly asset: AssetId }
  /** No source has a price. */
  | { readonly kind: "price"; readonly asset: AssetId }
  /** The service declines every order. */
  | { readonly kind: "service" }

/** An order whose payout arrives at `arrivesMs`. */
export type OrderUnderWay = {
  readonly rule: string
  readonly from: AssetId
  readonly to: AssetId
  readonly units: bigint
  readonly arrivesMs: number
}

export type ScenarioAsset = {
  readonly id: AssetId
  readonly decimals: number
  /** The name of its price. Assets with the same price share one name. */
  readonly price: string
  readonly startUnits: bigint
  /** The daily inflow, or outflow when negative, in smallest units. */
  readonly driftUnits: bigint
  /** Standard deviation of a day's flow, smallest units. */
  readonly volatilityUnits: bigint
}

/** A random walk. Shares of the price in a year, in millionths. */
export type PricePath = {
  readonly name: string
  /** Fiat millionths of one whole unit. */
  readonly startFiat: bigint
  readonly driftPpm: bigint
  readonly volatilityPpm: bigint
}

/**
 * Transaction fees in smallest units of the chain's coin. Guards reserve `worstFactor` times as
 * much.
 */
export type ScenarioChain = {
  readonly chain: ChainId
  readonly coin: AssetId
  readonly depositFeeUnits: bigint
  readonly refundFeeUnits: bigint
  readonly worstFactor: bigint
  /** The refund's fee comes out of the refunded amount (Bitcoin). */
  readonly takesRefundFeeOut: boolean
  /** Recorded fees of a deposit, by time; absent: `depositFeeUnits` at all times. */
  readonly fees?: readonly FeeReading[]
}

export type PairModel = {
  readonly available: boolean
  /** Fiat millionths for each order. */
  readonly fixedFiat: bigint
  readonly bps: bigint
  /** The least and the most that one order may sell, fiat millionths; `null` for no bound. */
  readonly leastFiat: bigint | null
  readonly mostFiat: bigint | null
  /** From the deposit to the payout. */
  readonly duration: Spread
}

/**
 * A triangular distribution of milliseconds: never less than `least`, never more than `most`,
 * mostly about `typical`.
 */
export type Spread = { readonly least: number; readonly typical: number; readonly most: number }

export type OrderModel = {
  /**
   * Of a million orders, how many the service refuses before the deposit, and how many come back
   * after it.
   */
  readonly declinedPpm: bigint
  readonly refundedPpm: bigint
  /** From the deposit to the refund. */
  readonly refundAfterMs: number
  /** How long a person takes to approve. */
  readonly approval: Spread
}

export type RecordedFlow = {
  readonly atMs: number
  readonly asset: AssetId
  readonly units: bigint
}

/** Prices in fiat millionths of one whole unit; `null` where the record has none. */
export type RecordedQuote = {
  readonly atMs: number
  readonly from: AssetId
  readonly to: AssetId
  readonly fixedFiat: bigint
  readonly bps: bigint
  readonly fromPriceFiat: bigint | null
  readonly toPriceFiat: bigint | null
}
