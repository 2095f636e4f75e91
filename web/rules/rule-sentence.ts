import { formatSpan } from "#health/format-span.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { money, shortAmount } from "../format.ts"
import type { Known } from "../known.ts"
import { saySchedule } from "./say-schedule.ts"

/** A rule as the interface gives it: amounts are text in smallest units. */
export type RuleFields = AnswerOf<"Rules">["rules"][number]

/** What the rule says, in one sentence; a kind that the page does not know has its name. */
export function ruleSentence(rule: RuleFields, known: Pick<Known, "amountOf" | "speak">): string {
  const { kind } = rule
  const text = (name: string): string => String(rule[name] ?? "")
  const asset = (name: string): string => known.speak(text(name))
  const amount = (units: unknown, of: string): string => {
    const shown = units == null ? null : known.amountOf(String(units), of)
    return shown === null ? "any" : shortAmount(shown)
  }
  const when =
    typeof rule["everyMs"] === "number"
      ? `looks each ${formatSpan(rule["everyMs"])}`
      : saySchedule(text("schedule"), text("timezone"))
  if (kind === "recurring") {
    const size = sizeOf(rule["amount"], (units) => amount(units, text("from")))
    return `Swaps ${size} of ${asset("from")} to ${asset("to")}; ${when}.`
  }
  if (kind === "band") {
    const [min, target, max] = ["minUnits", "targetUnits", "maxUnits"].map((name) =>
      amount(rule[name], text("asset")),
    )
    const partners =
      listOf(", bought with", rule["sources"], known) + listOf(", sold for", rule["sinks"], known)
    const band = `between ${min} and ${max}, with ${target} as the target`
    return `Keeps ${asset("asset")} ${band}${partners}; ${when}.`
  }
  if (kind === "sweep") {
    const kept = amount(rule["keepUnits"], text("from"))
    return `Swaps all of ${asset("from")} above ${kept} to ${asset("to")}; ${when}.`
  }
  if (kind === "gas") {
    const stock = `the network fees of ${text("days")} days and of ${text("orders")} orders`
    const partners = listOf(", bought with", rule["sources"], known)
    return `Keeps ${stock} in ${asset("asset")}${partners}; ${when}.`
  }
  if (kind === "weights") {
    const tolerance = percent(rule["toleranceBps"])
    return `Keeps ${weightsOf(rule["weights"], known)} within ${tolerance}; ${when}.`
  }
  return `A rule of the kind ${kind}; ${when}.`
}

/** `units`, `share` in basis points, or `fiat` in millionths. */
function sizeOf(given: unknown, ofUnits: (units: unknown) => string): string {
  // CAST: the size of a recurring rule.
  const size = given as { readonly kind?: string; readonly [name: string]: unknown } | null
  if (size?.kind === "share") return percent(size["bps"])
  if (size?.kind === "fiat") return `${money(String(Number(size["fiat"]) / 1e6))} worth`
  return ofUnits(size?.["units"])
}

function percent(bps: unknown): string {
  return `${Number(bps) / 100}%`
}

function listOf(words: string, assets: unknown, { speak }: Pick<Known, "speak">): string {
  const given: readonly unknown[] = Array.isArray(assets) ? assets : []
  const ids = given.map((one) => (typeof one === "string" ? one : String(assetOf(one))))
  return ids.length === 0 ? "" : `${words} ${ids.map(speak).join(" or ")}`
}

function assetOf(one: unknown): unknown {
  // CAST: a partner or a weight names its asset.
  return (one as { readonly asset?: unknown } | null)?.asset
}

function weightsOf(weights: unknown, { speak }: Pick<Known, "speak">): string {
  const given: readonly unknown[] = Array.isArray(weights) ? weights : []
  return given
    .map((one) => {
      // CAST: a weight has its share in basis points.
      const { bps } = one as { readonly bps?: unknown }
      return `${percent(bps)} in ${speak(String(assetOf(one)))}`
    })
    .join(", ")
}
