import { z } from "zod"
import { address, assetId, ownAmount } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { everyKey, ruleKeys } from "../rule-keys.ts"

export const sweepSchema = section({
  ...ruleKeys,
  kind: required(z.literal("sweep"), "Moves everything above keep."),
  from: required(assetId, "The asset that is swept."),
  keep: withDefault(ownAmount, "0", "What stays, in the asset's own unit."),
  to: required(assetId, "The asset that everything above keep becomes."),
  destination: orNone(
    address,
    "Pays to this address on the chain of to instead of our own wallet there. guards.destinations must list it.",
  ),
  least: orNone(ownAmount, "Smaller orders are not placed, in the unit of from."),
  every: everyKey("1h"),
})
