import type { z } from "zod"
import { parseUnits } from "#domain/amount.ts"
import { parseAssetId } from "#domain/asset.ts"
import { buildCost } from "#schema/build-cost.ts"
import { buildLeast } from "../rule-amounts.ts"
import { buildRuleKeys } from "../rule-keys.ts"
import type { StandingKind } from "../rule-kind.ts"
import type { BandRule } from "./band-rule.ts"
import { bandSchema } from "./band-schema.ts"
import { checkBand } from "./check-band.ts"
import { decideBand } from "./decide-band.ts"
import { listVariants } from "./list-variants.ts"

/** `kind: band`: keeps one balance between two bounds. */
export const band = {
  kind: "band",
  wake: "every",
  schema: bandSchema,
  checkReferences: checkBand,
  build: (file: z.output<typeof bandSchema>, decimalsOf: (asset: string) => number) => {
    const decimals = decimalsOf(file.asset)
    return {
      ...buildRuleKeys(file),
      kind: file.kind,
      asset: parseAssetId(file.asset),
      minUnits: parseUnits(file.min, decimals),
      targetUnits: parseUnits(file.target, decimals),
      maxUnits: parseUnits(file.max, decimals),
      sources: file.sources.map(parseAssetId),
      sinks: file.sinks.map(parseAssetId),
      move: file.move,
      leastUnits: buildLeast(file.least, decimals),
      patienceMs: file.patience,
      maxCostWhenEmpty:
        file.max_cost_when_empty === null ? null : buildCost(file.max_cost_when_empty),
      everyMs: file.every,
    }
  },
  decideNeeds: decideBand,
  pairsOf: ({ asset, sources, sinks }) => [
    ...sources.map((from) => ({ from, to: asset, whenAbove: false })),
    ...sinks.map((to) => ({ from: asset, to, whenAbove: true })),
  ],
  watchedAssets: ({ asset }) => [asset],
  pricedAssets: () => [],
  soldAsset: () => null,
  balanceBounds: ({ asset, minUnits, targetUnits, maxUnits, move }) => [
    { asset, minUnits, targetUnits, maxUnits, byValues: move === "values" },
  ],
  variantsOf: listVariants,
  backtest: { measures: "sides" },
  reasons: {
    "policy.target_satisfied": {
      means: "satisfied",
      hint: "{asset} goes below {min} or above {max}",
    },
  },
} satisfies StandingKind<BandRule>
