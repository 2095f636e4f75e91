import { formatUnits } from "#domain/amount.ts"
import type { Known } from "../known.ts"
import type { RuleFields } from "./rule-sentence.ts"

/** A key of a rule in the file, its text as it is, and what a person calls it. */
export type RuleKey = { readonly key: string; readonly label: string; readonly text: string }

type Row = readonly [key: string, field: string, label: string, asset: "asset" | "from"]

const AMOUNTS: Readonly<Record<string, readonly Row[]>> = {
  band: [
    ["min", "minUnits", "Refill below", "asset"],
    ["target", "targetUnits", "Refill or drain to", "asset"],
    ["max", "maxUnits", "Drain above", "asset"],
    ["least", "leastUnits", "Smallest order", "asset"],
  ],
  sweep: [
    ["keep", "keepUnits", "Keep", "from"],
    ["least", "leastUnits", "Smallest order", "from"],
  ],
}

/** The keys of a rule that can be tried; none for a kind that the page does not know. */
export function ruleKeysOf(rule: RuleFields, known: Pick<Known, "amountOf">): readonly RuleKey[] {
  const rows = AMOUNTS[rule.kind] ?? []
  const amounts = rows.map(([key, field, label, asset]) => {
    const units = rule[field] ?? null
    const text = units === null ? null : known.amountOf(String(units), String(rule[asset]))
    return { key, label, text: text ?? "" }
  })
  const own = [...amounts, ...ownKeysOf(rule, known)]
  if (own.length === 0) return []
  return [...own, { key: "max_cost", label: "Highest cost", text: costOf(rule["maxCost"]) }]
}

function ownKeysOf(rule: RuleFields, known: Pick<Known, "amountOf">): readonly RuleKey[] {
  if (rule.kind === "weights") {
    const text = percent(rule["toleranceBps"])
    return [{ key: "tolerance", label: "Tolerance", text }]
  }
  if (rule.kind === "recurring") {
    const text = sizeOf(rule["amount"], String(rule["from"]), known)
    return [{ key: "amount", label: "Amount", text }]
  }
  return []
}

/** `60bps`, `5 usd`, or nothing where only the general limit holds. */
function costOf(given: unknown): string {
  // CAST: the limit of a rule.
  const limit = given as { readonly kind?: string; readonly [name: string]: unknown } | null
  if (limit?.kind === "share") return `${limit["bps"]}bps`
  return limit?.kind === "fiat" ? fiat(limit["fiat"]) : ""
}

function sizeOf(given: unknown, from: string, known: Pick<Known, "amountOf">): string {
  // CAST: the size of a recurring rule.
  const size = given as { readonly kind?: string; readonly [name: string]: unknown } | null
  if (size?.kind === "share") return percent(size["bps"])
  if (size?.kind === "fiat") return fiat(size["fiat"])
  return known.amountOf(String(size?.["units"] ?? 0), from) ?? ""
}

function percent(bps: unknown): string {
  return `${Number(bps) / 100}%`
}

function fiat(millionths: unknown): string {
  return `${formatUnits(BigInt(String(millionths)), 6)} usd`
}

/** A slider from nothing to twice the value, in 200 steps or more; none without a number. */
export function sliderOf(text: string): {
  readonly most: number
  readonly step: number
  readonly textOf: (value: number) => string
} | null {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)(.*)$/.exec(text) ?? []
  const value = Number(digits)
  if (!(value > 0)) return null
  const places = Math.max(0, 2 - Math.floor(Math.log10(value)))
  const cut = (number: number): string =>
    number.toFixed(places).replace(/\.?0+$/, places === 0 ? "$&" : "")
  return { most: 2 * value, step: 10 ** -places, textOf: (number) => `${cut(number)}${unit}` }
}

/** The changed keys with their new texts, as the interface takes them: `min=1,target=2`. */
export function changeText(keys: readonly RuleKey[], typed: Readonly<Record<string, string>>) {
  return changesOf(keys, typed)
    .map(({ key, text }) => `${key}=${text}`)
    .join(",")
}

/** What to write into the file, a line for each changed key of the rule. */
export function fileText(
  id: string,
  keys: readonly RuleKey[],
  typed: Readonly<Record<string, string>>,
): string {
  const lines = changesOf(keys, typed).map(({ key, text }) => `    ${key}: "${text}"`)
  return [`  - id: ${id}`, ...lines].join("\n")
}

function changesOf(keys: readonly RuleKey[], typed: Readonly<Record<string, string>>) {
  return keys.flatMap(({ key, text }) => {
    const given = typed[key]?.trim() ?? ""
    return given === "" || given === text ? [] : [{ key, text: given }]
  })
}
