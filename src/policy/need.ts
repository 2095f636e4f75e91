import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { MoveTo } from "./policy-rule.ts"

/** What a rule wants of one asset, as data. Units are smallest units of `asset`. */
export type Need = {
  readonly rule: string
  readonly kind: "gain" | "lose"
  readonly asset: AssetId
  readonly to: MoveTo
  readonly wantUnits: bigint
  /** How far the asset may be moved this way beyond `wantUnits`, when that serves another need. At least `wantUnits`. */
  readonly mostUnits: bigint
  /** The smallest order worth placing. */
  readonly leastUnits: bigint
  /** Where a gain may come from, or a loss may go to, in order of preference. */
  readonly partners: readonly Partner[]
  readonly maxCost: CostLimit | null
  readonly why: Reason
}

export type Partner = {
  readonly asset: AssetId
  /** An address outside the treasury; `null` for our own wallet. */
  readonly destination: string | null
  /** How much the partner may give or take for this rule, in its own units; `null` for no bound of the rule's. */
  readonly mostUnits: bigint | null
}

/** A rule's answer: needs, or why it has none. */
export type RuleAnswer =
  | { readonly ok: true; readonly needs: readonly Need[] }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

export function declined(...reasons: readonly Reason[]): RuleAnswer {
  return { ok: false, reasons }
}
