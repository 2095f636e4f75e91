import { z } from "zod"
import { anyAmount, assetId, choice, duration, text } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { ruleKeys } from "../rule-keys.ts"

export const recurringSchema = section({
  ...ruleKeys,
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
