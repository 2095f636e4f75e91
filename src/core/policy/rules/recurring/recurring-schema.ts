import { z } from "zod"
import { anyAmount, assetId, choice, duration, text } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { patienceKey, ruleKeys } from "../rule-keys.ts"

export const recurringSchema = section({
  ...ruleKeys,
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
    "Occurrences missed while the daemon was off: skip makes up for none, once for the " +
      "newest, all for every one.",
  ),
  jitter: orNone(
    duration(1_000),
    "The longest delay of an occurrence. Rule and scheduled time determine the actual delay, " +
      "so it is the same after a restart.",
  ),
  window: orNone(
    duration(1_000),
    "The time after its scheduled time and jitter in which an occurrence may still begin, and in " +
      "which Ballast retries a declined one. Without a window: one minute, and one attempt.",
  ),
  patience: patienceKey,
})
