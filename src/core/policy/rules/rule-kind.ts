import type { z } from "zod"
import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { Path } from "#schema/problem.ts"
import type { ReferenceWorld } from "#schema/reference-world.ts"
import type { RuleAnswer } from "../need.ts"
import type { Schedule } from "../schedule/due-occurrences.ts"
import type { TreasuryView } from "../treasury-view.ts"

/**
 * The keys that rules of every kind have. Decisions in the journal store rules in this form, so no
 * key may be renamed.
 */
export type Rule = {
  readonly id: string
  readonly kind: string
  readonly enabled?: boolean
  /**
   * The most that a swap for this rule may cost; the tighter of this limit and the general limit
   * holds.
   */
  readonly maxCost?: CostLimit | null
  /** A rule with a higher priority claims assets first; absent for 0. */
  readonly priority?: number
  /** How long a sale may wait for a lower network fee; absent or `null`: not at all. */
  readonly patienceMs?: number | null
}

/** The keys of a rule in the configuration file that every kind has, after the form check. */
export type RuleFile = {
  readonly id: string
  readonly kind: string
  readonly enabled: boolean
  readonly max_cost: string | null
  readonly priority: number
}

/**
 * Everything that Ballast knows about one kind of rule. `registry.ts` lists the kinds; all other
 * code reads these records.
 *
 * Members are methods, so TypeScript compares their parameters in both directions, and a record for
 * `BandRule` is also a record for `Rule`. That is safe because `ruleKindOf` finds the record by the
 * rule's own `kind`.
 */
export type RuleKind<R extends Rule = Rule> = StandingKind<R> | ScheduledKind<R>

/**
 * The daemon evaluates a standing rule at a fixed interval (`everyMs` of the built rule). The rule
 * reads balances.
 */
export type StandingKind<R extends Rule = Rule> = KindTraits<R> & {
  readonly wake: "every"
  /** The needs of the rule, or the reasons why it has none. Pure. */
  decideNeeds(rule: R, view: TreasuryView): RuleAnswer
  /**
   * Every pair of our own wallets that the rule's orders may swap, so that `ballast check` need not
   * look for circles where there are none. Absent: any.
   */
  pairsOf?(rule: R): readonly RulePair[]
}

/**
 * `whenAbove`: only while the rule's own upper bound is exceeded, where the rule's other orders
 * never exceed it.
 */
export type RulePair = { readonly from: AssetId; readonly to: AssetId; readonly whenAbove: boolean }

/** Smallest units, or fiat millionths. */
export type FixedAmount =
  | { readonly kind: "units"; readonly units: bigint }
  | { readonly kind: "fiat"; readonly fiat: bigint }

/**
 * The daemon evaluates a scheduled rule once for each occurrence of its cron schedule. Each
 * occurrence is one order.
 */
export type ScheduledKind<R extends Rule = Rule> = KindTraits<R> & {
  readonly wake: "schedule"
  scheduleOf(rule: R): Schedule
  /** The pair that each occurrence swaps. */
  pairOf(rule: R): { readonly from: AssetId; readonly to: AssetId }
  /**
   * The amount that every occurrence sells; `null` where it depends on balances. Absent for `null`.
   */
  fixedAmountOf?(rule: R): FixedAmount | null
  /** The amount that one occurrence sells, or the reasons why it sells nothing. Pure. */
  sizeOrder(rule: R, view: TreasuryView): SizedOrder
}

/** `units` are smallest units of the sold asset. */
export type SizedOrder =
  | { readonly ok: true; readonly units: bigint; readonly why: Reason }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

type KindTraits<R extends Rule> = {
  readonly kind: R["kind"]
  /**
   * Form of the rule in the configuration file. Its descriptions become the JSON Schema and
   * docs/CONFIG.md.
   */
  readonly schema: z.core.$ZodTypeDiscriminable
  /**
   * Checks that need more than one key. `path` leads to the rule; the form may still be wrong, and
   * the form check reports that.
   */
  checkReferences(world: ReferenceWorld, path: Path): void
  /**
   * The rule of a file that passed all checks. `decimalsOf` throws `bug.assertion` for an unknown
   * asset.
   */
  build(file: RuleFile, decimalsOf: (asset: string) => number): R
  /** The rule reads the balances of these assets. */
  watchedAssets(rule: R): readonly AssetId[]
  /** The rule cannot size anything without the prices of these assets. */
  pricedAssets(rule: R): readonly AssetId[]
  /**
   * The one asset that the rule always sells; a pause of its chain also pauses the rule. `null`
   * when there are several or none.
   */
  soldAsset(rule: R): AssetId | null
  /**
   * The balances that the rule keeps within bounds. Other rules respect these bounds when they use
   * the asset as a partner.
   */
  balanceBounds(rule: R): readonly BalanceBounds[]
  /** Changes of the rule that may be worth a try (`ballast advise`). Absent: none. */
  variantsOf?(rule: R, decimalsOf: (asset: string) => number): readonly RuleVariant<R>[]
  /** The coin whose use for network fees the rule reads (`AssetView.feeUse`). Absent: none. */
  feeCoinOf?(rule: R): AssetId
  /** What a rule with `patience` sells when the fee is low. Absent: the watched assets. */
  patientSales?(rule: R): readonly AssetId[]
  readonly backtest: BacktestTraits<R>
  /** The reason codes that only this kind gives when it proposes nothing. */
  readonly reasons: Readonly<Record<string, ReasonTraits>>
}

/** `without`: the partner that the changed rule lacks. */
export type RuleVariant<R extends Rule = Rule> = {
  readonly rule: R
  readonly change: string
  readonly without?: AssetId
}

/** In smallest units of `asset`. `maxUnits` is `null` for a balance without an upper bound. */
export type BalanceBounds = {
  readonly asset: AssetId
  readonly minUnits: bigint
  readonly targetUnits: bigint
  readonly maxUnits: bigint | null
  /** Whether orders go to where holding the asset costs least (`values/`). Absent for `false`. */
  readonly byValues?: boolean
}

/**
 * How `ballast simulate` and `ballast report` measure the time in which the rule's goal is missed:
 * `sides` counts the time below and above the balance bounds, `total` counts the time in which
 * `isOutside` holds, and `none` measures nothing.
 */
type BacktestTraits<R extends Rule = Rule> =
  | { readonly measures: "sides" | "none" }
  | {
      readonly measures: "total"
      isOutside(rule: R, view: TreasuryView): boolean
      /**
       * The share of the treasury's value that a backtest gives to the asset at the start, in basis
       * points; `null` for no share.
       */
      startShareBps(rule: R, asset: AssetId): bigint | null
    }

export type ReasonTraits = {
  /**
   * `satisfied`: the rule has reached its goal. `unknown`: the rule cannot tell. `declined`: the
   * rule wants an order and cannot have it.
   */
  readonly means: "satisfied" | "unknown" | "declined"
  /**
   * How the situation must change before the rule proposes an order; `{name}` stands for a field of
   * the reason. `null` for no hint.
   */
  readonly hint: string | null
}
