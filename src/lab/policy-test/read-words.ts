import { FIAT_DECIMALS, formatUnits, parseUnits } from "#domain/amount.ts"
import type { Asset } from "#domain/asset.ts"
import { nearestName } from "#lib/nearest-name.ts"
import { parseDuration } from "#schema/duration.ts"
import { fractionDigits, OWN_PATTERN, parseLimitAmount } from "#schema/limit-amount.ts"
import type { Names } from "./property.ts"

/**
 * A word of a property that has no meaning here. The parser turns it into a problem with the line
 * of the property.
 */
export class WordProblem extends Error {}

/** The patterns of the words, for the forms. */
export const ASSET = String.raw`[\w.:-]+(?: on [\w-]+)?`
export const NUMBER = String.raw`\d+(?:\.\d+)?`
export const FIAT = `${NUMBER} ?usd`
export const SHARE = `${NUMBER} ?(?:bps|%)`
export const DURATION = String.raw`\d+(?:ms|s|m|h|d)`
export const PERIOD = `an hour|a day|a week|a month|in ${DURATION}`
export const RULE = String.raw`[\w-]+`
export const OF_RULE = `(?: of (?<rule>${RULE}))?`

const HOUR_MS = 3_600_000

/** `btc on base` and `base:btc` name one asset; `btc` names that of every chain. */
export function readAssets(word: string, { assets }: Names): readonly Asset[] {
  const [name = "", chain] = word.split(" on ")
  const id = chain === undefined ? name : `${chain}:${name}`
  const found = assets.filter(
    (asset) => asset.id === id || (!id.includes(":") && asset.id.endsWith(`:${id}`)),
  )
  if (found.length > 0) return found
  const known = assets.map((asset) => asset.id)
  const near = nearestName(id, known)
  throw new WordProblem(
    `${word} is not a configured asset; ` +
      `${near ? `did you mean ${near}?` : `there are ${known.join(", ")}`}`,
  )
}

export function readAsset(word: string, names: Names): Asset {
  const found = readAssets(word, names)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw new WordProblem(
    `${word} is an asset of several chains; name one: ${found.map(({ id }) => id).join(", ")}`,
  )
}

export function readUnits(word: string, { id, decimals }: Asset): bigint {
  if (OWN_PATTERN.test(word) && fractionDigits(word) <= decimals) return parseUnits(word, decimals)
  throw new WordProblem(
    `${word} is not an amount of ${id}; expected at most ${decimals} digits after the point`,
  )
}

/** Fiat millionths, or basis points. */
type CostWord =
  | { readonly kind: "fiat"; readonly fiat: bigint }
  | { readonly kind: "share"; readonly bps: bigint }

export function readCost(word: string): CostWord {
  const amount = parseLimitAmount(word)
  if (amount !== null && amount.kind !== "own") return amount
  throw new WordProblem(
    `${word} is not a cost; expected an amount such as "20 usd", ` +
      'or a share such as "60bps" or "1%"',
  )
}

export function readFiat(word: string): bigint {
  const amount = readCost(word)
  if (amount.kind === "fiat") return amount.fiat
  throw new WordProblem(`${word} is not an amount of fiat such as "5000 usd"`)
}

export function readSpan(word: string): number {
  const ms = parseDuration(word)
  if (ms !== null && ms > 0) return ms
  throw new WordProblem(`${word} is not a duration such as 30m, 6h or 7d`)
}

export type Period = { readonly text: string; readonly ms: number }

export function readPeriod(text: string): Period {
  const named = {
    "an hour": HOUR_MS,
    "a day": 24 * HOUR_MS,
    "a week": 7 * 24 * HOUR_MS,
    "a month": 30 * 24 * HOUR_MS,
  }
  const ms = new Map(Object.entries(named)).get(text) ?? readSpan(text.replace(/^in /, ""))
  return { text, ms }
}

export function readRule(word: string, { rules }: Names): Names["rules"][number] {
  const found = rules.find(({ id }) => id === word)
  if (found !== undefined) return found
  throw new WordProblem(
    `${word} is not a rule; there are ${rules.map(({ id }) => id).join(", ") || "none"}`,
  )
}

export function showAmount(
  units: bigint,
  { id, decimals }: Pick<Asset, "id" | "decimals">,
): string {
  return `${formatUnits(units, decimals)} ${id}`
}

/** Fiat with two digits after the point. */
export function showFiat(fiat: bigint): string {
  const cents = formatUnits(fiat / 10_000n, FIAT_DECIMALS - 4)
  return `${cents} usd`
}
