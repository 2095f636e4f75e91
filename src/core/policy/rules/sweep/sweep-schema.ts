import { z } from "zod"
import { address, assetId, ownAmount } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { everyKey, patienceKey, ruleKeys } from "../rule-keys.ts"

export const sweepSchema = section({
  ...ruleKeys,
  kind: required(z.literal("sweep"), "Sells the whole balance above keep."),
  from: required(assetId, "The asset to sweep."),
  keep: withDefault(ownAmount, "0", "The balance that stays, in the asset's own unit."),
  to: required(assetId, "The asset to buy."),
  destination: orNone(
    address,
    "The rule pays this address on the chain of to instead of our own wallet there. " +
      "guards.destinations must list it.",
  ),
  least: orNone(ownAmount, "The smallest order that the rule places, in the unit of from."),
  patience: patienceKey,
  every: everyKey("1h"),
})
