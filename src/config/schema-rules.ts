import { z } from "zod"
import {
  address,
  anyAmount,
  assetId,
  choice,
  duration,
  fiatAmount,
  flag,
  list,
  ownAmount,
  share,
  shareOrFiat,
  text,
} from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"

const shared = {
  id: required(
    text(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, "a name of letters, digits, - _ and ."),
    "The rule's name; unique.",
  ),
  enabled: withDefault(flag, true, "false keeps the rule in the file and out of work."),
  max_cost: orNone(
    shareOrFiat,
    "The most value that one swap of this rule may lose; guards.max_cost holds beside it, so the tighter of both decides.",
  ),
}

const transaction = withDefault(
  choice(["target", "edge"]),
  "target",
  "How far is moved what left its bounds: all the way to the target, or only back to the bound.",
)

function every(value: string) {
  return withDefault(duration(1_000), value, "How often the rule is looked at.")
}

const assetList = list(assetId, "a list of asset ids")

const recurring = section({
  ...shared,
  kind: required(z.literal("recurring"), "A swap at set times."),
  schedule: required(
    text(/^\S.*$/, 'a cron expression in quotes, such as "0 9 * * MON"'),
    "When, as a cron expression of five fields, or six with seconds first.",
  ),
  timezone: withDefault(
    text(/^[A-Za-z]/, "an IANA time zone such as Europe/Zurich"),
    "UTC",
    "The IANA time zone of schedule.",
  ),
  from: required(assetId, "The asset that is sold."),
  to: required(assetId, "The asset that is bought."),
  amount: required(anyAmount, "How much of from: its own unit, fiat, or a share of the spendable balance."),
  catch_up: withDefault(
    choice(["skip", "once", "all"]),
    "skip",
    "What happens to occurrences missed while the daemon was off: none, one for all, or every one.",
  ),
  jitter: orNone(
    duration(1_000),
    "Each occurrence begins this much later at most; how much is fixed by rule and instant, so it is the same after a restart.",
  ),
  window: orNone(
    duration(1_000),
    "How long after its time an occurrence may still begin, and is tried again when it was declined. Without one: a minute, and once.",
  ),
})

const band = section({
  ...shared,
  kind: required(z.literal("band"), "Keeps one balance between two bounds."),
  asset: required(assetId, "The asset whose balance is kept."),
  min: required(ownAmount, "Below this the balance is refilled, in the asset's own unit."),
  target: required(ownAmount, "To this it is refilled or drained, in the asset's own unit."),
  max: required(ownAmount, "Above this the balance is drained, in the asset's own unit."),
  sources: withDefault(assetList, [], "The assets that a refill may come from."),
  sinks: withDefault(assetList, [], "The assets that a surplus may go to."),
  move: transaction,
  least: orNone(ownAmount, "Smaller orders are not placed, in the asset's own unit."),
  every: every("1m"),
})

const weights = section({
  ...shared,
  kind: required(z.literal("weights"), "Keeps shares of the total value."),
  weights: required(
    z.record(z.string(), share, { error: "expected a map of asset id to share" }),
    "The share of each asset; together 100%.",
  ),
  tolerance: withDefault(share, "5%", "How far a share may be off before anything is done, in points of the total."),
  move: transaction,
  least: orNone(fiatAmount, "Smaller orders are not placed, in fiat."),
  every: every("1h"),
})

const sweep = section({
  ...shared,
  kind: required(z.literal("sweep"), "Moves everything above keep."),
  from: required(assetId, "The asset that is swept."),
  keep: withDefault(ownAmount, "0", "What stays, in the asset's own unit."),
  to: required(assetId, "The asset that everything above keep becomes."),
  destination: orNone(
    address,
    "Pays to this address on the chain of to instead of our own wallet there. guards.destinations must list it.",
  ),
  least: orNone(ownAmount, "Smaller orders are not placed, in the unit of from."),
  every: every("1h"),
})

/** One rule: which keys there are depends on its kind. */
export const ruleSchema = z.discriminatedUnion("kind", [recurring, band, weights, sweep], {
  error: "expected recurring or band or weights or sweep",
})

export type RuleFile = z.output<typeof ruleSchema>
