import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { RecurringRule } from "./rules/recurring.ts"

/** What is to be kept or done. The configuration's rules are these, with keys that only scheduling needs. */
export type PolicyRule = (RecurringRule & Switchable) | StandingRule

/** A rule as the configuration gives it to the engine: a standing one also says how often it is looked at. */
export type TimedRule = (RecurringRule & Switchable) | (StandingRule & { readonly everyMs: number })

/** Rules that look at balances; a recurring one looks at the calendar. */
export type StandingRule = BandRule | WeightsRule | SweepRule

type Switchable = { readonly enabled?: boolean }

type AnyStandingRule = Switchable & {
  readonly id: string
  /** The most that a swap for this rule may cost; the tighter of it and the general limit holds. */
  readonly maxCost?: CostLimit | null
}

/** How far a rule moves what left its bounds: all the way to the target, or back to the bound. */
export type MoveTo = "target" | "edge"

/** Keeps one balance from min to max, both included; lists in order of preference where costs are equal. */
export type BandRule = AnyStandingRule & {
  readonly kind: "band"
  readonly asset: AssetId
  readonly minUnits: bigint
  readonly targetUnits: bigint
  readonly maxUnits: bigint
  readonly sources: readonly AssetId[]
  readonly sinks: readonly AssetId[]
  readonly move?: MoveTo
  /** Orders smaller than this, in units of `asset`, are not worth a swap. */
  readonly leastUnits?: bigint
}

/** Keeps shares of the assets' common value; together 10 000. A share may be off by `toleranceBps` points of the total, included. */
export type WeightsRule = AnyStandingRule & {
  readonly kind: "weights"
  readonly weights: readonly { readonly asset: AssetId; readonly bps: bigint }[]
  readonly toleranceBps: bigint
  readonly move?: MoveTo
  /** Orders worth less than this, in fiat millionths, are not worth a swap. */
  readonly leastFiat?: bigint
}

/** Sells everything above `keepUnits`, to our own wallet or to `destination`, an address on the chain of `to`. */
export type SweepRule = AnyStandingRule & {
  readonly kind: "sweep"
  readonly from: AssetId
  readonly keepUnits: bigint
  readonly to: AssetId
  readonly destination?: string | null
  /** Orders smaller than this, in units of `from`, are not worth a swap. */
  readonly leastUnits?: bigint
}
