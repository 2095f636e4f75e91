import { z } from "zod"
import { orNone, required, section, withDefault } from "./schema-key.ts"
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
} from "./schema-leaves.ts"

const shared = {
  id: required(
    text(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, "a name of letters, digits, - _ and ."),
    "The rule's name; unique.",
  ),
  enabled: withDefault(flag, true, "false keeps the rule in the file without evaluating it."),
  max_cost: orNone(
    shareOrFiat,
    "The highest loss of value of one swap of this rule. guards.max_cost applies too, so the stricter limit decides.",
  ),
}

const goal = withDefault(
  choice(["target", "edge"]),
  "target",
  "The goal for a balance that left its bounds: target restores the target, edge only the nearest bound.",
)

function every(value: string) {
  return withDefault(duration(1_000), value, "The interval between two evaluations of the rule.")
}

const assetList = list(assetId, "a list of asset ids")

const recurring = section({
  ...shared,
  kind: required(z.literal("recurring"), "A swap at scheduled times."),
  schedule: required(
    text(/^\S.*$/, 'a cron expression in quotes, such as "0 9 * * MON"'),
    "The times, as a cron expression of five fields, or six with seconds first.",
  ),
  timezone: withDefault(
    text(/^[A-Za-z]/, "an IANA time zone such as Europe/Zurich"),
    "UTC",
    "The IANA time zone of schedule.",
  ),
  from: required(assetId, "The asset to sell."),
  to: required(assetId, "The asset to buy."),
  amount: required(
    anyAmount,
    "The amount of from to sell: in its own unit, in fiat, or as a share of the spendable balance.",
  ),
  catch_up: withDefault(
    choice(["skip", "once", "all"]),
    "skip",
    "Occurrences missed while the daemon was off: skip makes up for none, once for the newest, all for every one.",
  ),
  jitter: orNone(
    duration(1_000),
    "The longest delay of an occurrence. Rule and scheduled time determine the actual delay, so it is the same after a restart.",
  ),
  window: orNone(
    duration(1_000),
    "The time after its scheduled time in which an occurrence may still begin, and in which Ballast retries a declined one. Without a window: one minute, and one attempt.",
  ),
})

const band = section({
  ...shared,
  kind: required(z.literal("band"), "Keeps one balance between two bounds."),
  asset: required(assetId, "The asset with the balance to keep."),
  min: required(ownAmount, "The rule refills a balance below this, in the asset's own unit."),
  target: required(ownAmount, "The goal of a refill or drain, in the asset's own unit."),
  max: required(ownAmount, "The rule drains a balance above this, in the asset's own unit."),
  sources: withDefault(assetList, [], "The assets that a refill may sell."),
  sinks: withDefault(assetList, [], "The assets that a drain may buy."),
  move: goal,
  least: orNone(ownAmount, "The smallest order that the rule places, in the asset's own unit."),
  every: every("1m"),
})

const weights = section({
  ...shared,
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
  move: goal,
  least: orNone(fiatAmount, "The smallest order that the rule places, in fiat."),
  every: every("1h"),
})

const sweep = section({
  ...shared,
  kind: required(z.literal("sweep"), "Sells the whole balance above keep."),
  from: required(assetId, "The asset to sweep."),
  keep: withDefault(ownAmount, "0", "The balance that stays, in the asset's own unit."),
  to: required(assetId, "The asset to buy."),
  destination: orNone(
    address,
    "The rule pays this address on the chain of to instead of our own wallet there. guards.destinations must list it.",
  ),
  least: orNone(ownAmount, "The smallest order that the rule places, in the unit of from."),
  every: every("1h"),
})

/** One rule: its kind determines the allowed keys. */
export const ruleSchema = z.discriminatedUnion("kind", [recurring, band, weights, sweep], {
  error: "expected recurring or band or weights or sweep",
})

export type RuleFile = z.output<typeof ruleSchema>
