import { z } from "zod"
import { assetId, list, ownAmount, shareOrFiat } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { bandGoalKey, everyKey, patienceKey, ruleKeys } from "../rule-keys.ts"

const assetList = list(assetId, "a list of asset ids")

export const bandSchema = section({
  ...ruleKeys,
  kind: required(z.literal("band"), "Keeps one balance between two bounds."),
  asset: required(assetId, "The asset with the balance to keep."),
  min: required(ownAmount, "The rule refills a balance below this, in the asset's own unit."),
  target: required(ownAmount, "The goal of a refill or drain, in the asset's own unit."),
  max: required(ownAmount, "The rule drains a balance above this, in the asset's own unit."),
  sources: withDefault(assetList, [], "The assets that a refill may sell."),
  sinks: withDefault(assetList, [], "The assets that a drain may buy."),
  move: bandGoalKey,
  least: orNone(ownAmount, "The smallest order that the rule places, in the asset's own unit."),
  max_cost_when_empty: orNone(
    shareOrFiat,
    "The highest loss of value of a refill at a balance of zero; of the same kind as " +
      "max_cost. Between min and zero the limit rises evenly from max_cost to this one. " +
      "guards.max_cost still applies.",
  ),
  patience: patienceKey,
  every: everyKey("1m"),
})
