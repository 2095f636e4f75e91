import type { z } from "zod"
import { parseUnits } from "#domain/amount.ts"
import { parseAssetId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { parseLimitAmount } from "#schema/limit-amount.ts"
import { buildRuleKeys } from "../rule-keys.ts"
import type { ScheduledKind } from "../rule-kind.ts"
import { checkRecurring } from "./check-recurring.ts"
import type { RecurringRule, RuleAmount } from "./recurring-rule.ts"
import { recurringSchema } from "./recurring-schema.ts"
import { sizeRecurring } from "./size-recurring.ts"

/** `kind: recurring`: a swap at set times. */
export const recurring = {
  kind: "recurring",
  wake: "schedule",
  schema: recurringSchema,
  checkReferences: checkRecurring,
  build: (file: z.output<typeof recurringSchema>, decimalsOf: (asset: string) => number) => ({
    ...buildRuleKeys(file),
    kind: file.kind,
    schedule: file.schedule,
    timezone: file.timezone,
    from: parseAssetId(file.from),
    to: parseAssetId(file.to),
    amount: buildAmount(file.amount, decimalsOf(file.from)),
    catchUp: file.catch_up,
    jitterMs: file.jitter,
    windowMs: file.window,
    patienceMs: file.patience,
  }),
  scheduleOf: (rule) => rule,
  pairOf: ({ from, to }) => ({ from, to }),
  fixedAmountOf: ({ amount }) => (amount.kind === "share" ? null : amount),
  sizeOrder: sizeRecurring,
  watchedAssets: ({ from }) => [from],
  pricedAssets: ({ amount, from }) => (amount.kind === "fiat" ? [from] : []),
  soldAsset: ({ from }) => from,
  balanceBounds: () => [],
  backtest: { measures: "none" },
  reasons: {
    "policy.missed": { means: "declined", hint: "the rule says catch_up: once or all" },
  },
} satisfies ScheduledKind<RecurringRule>

function buildAmount(text: string, decimals: number): RuleAmount {
  const amount = mustExist(parseLimitAmount(text), `the amount ${text}`)
  return amount.kind === "own" ? { kind: "units", units: parseUnits(text, decimals) } : amount
}
