import type { AssetId } from "#domain/asset.ts"
import type { Schedule } from "../../schedule/due-occurrences.ts"
import type { Rule } from "../rule-kind.ts"

/** Swaps a fixed amount or share at the times of a schedule. */
export type RecurringRule = Rule &
  Schedule & {
    readonly kind: "recurring"
    readonly from: AssetId
    readonly to: AssetId
    readonly amount: RuleAmount
  }

/** Smallest units, a share of the liquid balance in basis points, or fiat millionths. */
export type RuleAmount =
  | { readonly kind: "units"; readonly units: bigint }
  | { readonly kind: "share"; readonly bps: bigint }
  | { readonly kind: "fiat"; readonly fiat: bigint }
