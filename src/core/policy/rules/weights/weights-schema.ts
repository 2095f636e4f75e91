import { z } from "zod"
import { fiatAmount, share } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { everyKey, goalKey, ruleKeys } from "../rule-keys.ts"

export const weightsSchema = section({
  ...ruleKeys,
  kind: required(z.literal("weights"), "Keeps shares of the total value."),
  weights: required(
    z.record(z.string(), share, { error: "expected a map of asset id to share" }),
    "The share of each asset; together 100%.",
  ),
  tolerance: withDefault(
    share,
    "5%",
    "The allowed deviation of a share before the rule acts, in percentage points of the total.",
  ),
  move: goalKey,
  least: orNone(fiatAmount, "The smallest order that the rule places, in fiat."),
  every: everyKey("1h"),
})
