import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"

/** The change that a rule needs in one asset, as data. Units are smallest units of `asset`. */
export type Need = {
  readonly rule: string
  readonly kind: "gain" | "lose"
  readonly asset: AssetId
  readonly to: CorrectionGoal
  readonly wantUnits: bigint
  /**
   * The most that the asset may gain or lose when more than `wantUnits` serves another need. At
   * least `wantUnits`.
   */
  readonly mostUnits: bigint
  /**
   * Whether a larger order, up to `mostUnits`, is wanted where an order for `wantUnits` would be
   * too small or too dear.
   */
  readonly mayGrow?: boolean
  /** Whether a refill may wait until the network fee of a partner's chain is low. */
  readonly mayWait?: boolean
  /**
   * The distances to the bound that the balance left and on to the target; absent where the rule
   * has no such bound.
   */
  readonly way?: Way
  /**
   * How one-sided the balance moved in the last days, in basis points (`corrections.ts`). Absent
   * for 0.
   */
  readonly oneSidedBps?: bigint
  /** The smallest order worth placing. */
  readonly leastUnits: bigint
  /** Where a gain may come from, or a loss may go to, in order of preference. */
  readonly partners: readonly Partner[]
  readonly maxCost: CostLimit | null
  readonly why: Reason
}

/** `toTargetUnits` counts from the balance too, so it is at least `toBoundUnits`. */
type Way = { readonly toBoundUnits: bigint; readonly toTargetUnits: bigint }

/**
 * How far a rule corrects a balance that left its bounds: to the target, back to the bound, or to
 * where the asset's holding costs are lowest.
 */
export type CorrectionGoal = "target" | "edge" | "values"

export type Partner = {
  readonly asset: AssetId
  /** An address outside the treasury; `null` for our own wallet. */
  readonly destination: string | null
  /**
   * The most that the partner may give or take for this rule, in its own units; `null` when the
   * rule sets no bound.
   */
  readonly mostUnits: bigint | null
}

/** A rule's answer: its needs, or the reasons why it has none. */
export type RuleAnswer =
  | { readonly ok: true; readonly needs: readonly Need[] }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

export function declined(...reasons: readonly Reason[]): RuleAnswer {
  return { ok: false, reasons }
}

/** The assets whose sale for the need may wait for a lower network fee. */
export function patientSales({ kind, asset, mayWait = false, partners }: Need): readonly AssetId[] {
  if (kind === "lose") return [asset]
  return mayWait ? partners.map((partner) => partner.asset) : []
}
