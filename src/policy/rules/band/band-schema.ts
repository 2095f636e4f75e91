import { z } from "zod"
import { assetId, list, ownAmount } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { everyKey, moveKey, ruleKeys } from "../rule-keys.ts"

const assetList = list(assetId, "a list of asset ids")

export const bandSchema = section({
  ...ruleKeys,
  kind: required(z.literal("band"), "Keeps one balance between two bounds."),
  asset: required(assetId, "The asset whose balance is kept."),
  min: required(ownAmount, "Below this the balance is refilled, in the asset's own unit."),
  target: required(ownAmount, "To this it is refilled or drained, in the asset's own unit."),
  max: required(ownAmount, "Above this the balance is drained, in the asset's own unit."),
  sources: withDefault(assetList, [], "The assets that a refill may come from."),
  sinks: withDefault(assetList, [], "The assets that a surplus may go to."),
  move: moveKey,
  least: orNone(ownAmount, "Smaller orders are not placed, in the asset's own unit."),
  every: everyKey("1m"),
})
