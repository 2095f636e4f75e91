import { money, shortAmount } from "#domain/amount.ts"
import { formatSpan } from "#health/format-span.ts"

export { money, shortAmount } from "#domain/amount.ts"

/** `base_sepolia:wbtc` as a person says it. */
export function nameAsset(id: string): { readonly symbol: string; readonly chain: string } {
  const [chain = "", asset = ""] = id.split(":")
  return { symbol: asset.toUpperCase(), chain: nameChain(chain) }
}

/** `base_sepolia` → `Base Sepolia`. */
export function nameChain(chain: string): string {
  return chain.replace(
    /(^|_)([a-z])/g,
    (_match, gap: string, letter: string) => (gap ? " " : "") + letter.toUpperCase(),
  )
}

/** A decimal number that is no part of a version, an address or a time. */
const DECIMAL = /(?<![\w.:-])\d+\.\d+(?!\w|[:-]|\.\d)/g

/** A sentence whose amounts have at most six digits each. */
export function shortenAmounts(sentence: string): string {
  return sentence.replace(DECIMAL, shortAmount)
}

/** Money with its sign, `+$12.00`. */
export function signed(text: string): string {
  return Number(text) > 0 ? `+${money(text)}` : money(text)
}

/** A part of a whole: `12.3%`. */
export function shareOf(part: string, whole: string): string {
  const percent = Number(whole) === 0 ? 0 : (100 * Number(part)) / Number(whole)
  if (percent !== 0 && Math.abs(percent) < 0.005) return "less than 0.01%"
  return `${percent < 0 ? "−" : ""}${Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 2 : 1)}%`
}

/** Basis points as per cent: `12` → `0.12%`. */
export function percentOf(bps: number | null): string {
  return bps === null ? "unknown" : `${(bps / 100).toFixed(2)}%`
}

/** `in 3 min`, `12 s ago`, `now`. */
export function relative(at: string, nowMs: number): string {
  const ms = Date.parse(at) - nowMs
  if (Number.isNaN(ms)) return at
  if (Math.abs(ms) < 1_500) return "now"
  return ms > 0 ? `in ${formatSpan(ms)}` : `${formatSpan(-ms)} ago`
}

/** A time of this place for a person; the day only where it is another one than today. */
export function clockTime(at: string, nowMs = Date.now()): string {
  const date = new Date(at)
  const time = date.toLocaleTimeString("en-GB")
  const isToday = date.toDateString() === new Date(nowMs).toDateString()
  return isToday
    ? time
    : `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${time}`
}

/** `awaiting-approval` → `awaiting approval`. */
export function plain(word: string): string {
  return word.replace(/[-_]/g, " ")
}

export function shortHash(hash: string): string {
  return hash.length <= 18 ? hash : `${hash.slice(0, 8)}…${hash.slice(-6)}`
}

export type Tone = "good" | "busy" | "warn" | "bad" | "calm"

/** The colour of an order's state. */
export function toneOfState(state: string): Tone {
  if (state === "completed") return "good"
  if (state === "held") return "bad"
  if (state === "awaiting-approval" || state.startsWith("refund")) return "warn"
  if (state === "rejected" || state === "abandoned") return "calm"
  return "busy"
}
