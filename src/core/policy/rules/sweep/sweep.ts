import type { z } from "zod"
import { parseUnits } from "#domain/amount.ts"
import { parseAssetId } from "#domain/asset.ts"
import { buildLeast } from "../rule-amounts.ts"
import { buildRuleKeys } from "../rule-keys.ts"
import type { StandingKind } from "../rule-kind.ts"
import { checkSweep } from "./check-sweep.ts"
import { decideSweep } from "./decide-sweep.ts"
import type { SweepRule } from "./sweep-rule.ts"
import { sweepSchema } from "./sweep-schema.ts"

/** `kind: sweep`: sells everything above an amount to keep. */
export const sweep = {
  kind: "sweep",
  wake: "every",
  schema: sweepSchema,
  checkReferences: checkSweep,
  build: (file: z.output<typeof sweepSchema>, decimalsOf: (asset: string) => number) => ({
    ...buildRuleKeys(file),
    kind: file.kind,
    from: parseAssetId(file.from),
    to: parseAssetId(file.to),
    keepUnits: parseUnits(file.keep, decimalsOf(file.from)),
    destination: file.destination,
    leastUnits: buildLeast(file.least, decimalsOf(file.from)),
    patienceMs: file.patience,
    everyMs: file.every,
  }),
  decideNeeds: decideSweep,
  pairsOf: ({ from, to }) => [{ from, to, whenAbove: false }],
  watchedAssets: ({ from }) => [from],
  pricedAssets: () => [],
  soldAsset: ({ from }) => from,
  balanceBounds: () => [],
  backtest: { measures: "none" },
  reasons: {
    "policy.below_keep": { means: "satisfied", hint: "{asset} holds more than {keep}" },
  },
} satisfies StandingKind<SweepRule>
