import type { z } from "zod"
import { parseAssetId } from "#domain/asset.ts"
import { fiatOf } from "#schema/build-cost.ts"
import { buildShare } from "../rule-amounts.ts"
import { buildRuleKeys } from "../rule-keys.ts"
import type { StandingKind } from "../rule-kind.ts"
import { checkWeights } from "./check-weights.ts"
import { decideWeights } from "./decide-weights.ts"
import type { WeightsRule } from "./weights-rule.ts"
import { weightsSchema } from "./weights-schema.ts"

/** `kind: weights`: keeps shares of the total value. */
export const weights = {
  kind: "weights",
  wake: "every",
  schema: weightsSchema,
  checkReferences: checkWeights,
  build: (file: z.output<typeof weightsSchema>) => ({
    ...buildRuleKeys(file),
    kind: file.kind,
    weights: Object.entries(file.weights).map(([id, text]) => ({
      asset: parseAssetId(id),
      bps: buildShare(text),
    })),
    toleranceBps: buildShare(file.tolerance),
    move: file.move,
    leastFiat: file.least === null ? 0n : fiatOf(file.least),
    everyMs: file.every,
  }),
  decideNeeds: decideWeights,
  pairsOf: (rule) =>
    weighedAssets(rule).flatMap((from) =>
      weighedAssets(rule).flatMap((to) => (from === to ? [] : [{ from, to, whenAbove: false }])),
    ),
  watchedAssets: weighedAssets,
  pricedAssets: weighedAssets,
  soldAsset: () => null,
  balanceBounds: () => [],
  backtest: {
    measures: "total",
    isOutside: (rule, view) => decideWeights(rule, view).ok,
    startShareBps: (rule, id) => rule.weights.find(({ asset }) => asset === id)?.bps ?? null,
  },
  reasons: {
    "policy.within_tolerance": {
      means: "satisfied",
      hint: "the share of {asset} is more than {tolerance} off {weight}",
    },
    "policy.empty": { means: "unknown", hint: null },
  },
} satisfies StandingKind<WeightsRule>

function weighedAssets(rule: WeightsRule) {
  return rule.weights.map(({ asset }) => asset)
}
