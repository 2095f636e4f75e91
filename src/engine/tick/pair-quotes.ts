import type { AssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { EngineContext } from "../context.ts"
import { NO_QUOTE, readBestQuote } from "../offer.ts"
import { reasonOf } from "../perform/job.ts"
import { withinTime } from "./within-time.ts"

/** What the service said of a pair a moment ago. */
export type PairQuotes = {
  /** The best offer for each amount that was asked for, smallest amount first. */
  readonly quotes: readonly Quote[]
  /** Bounds of one order as the service stated them; nobody states them until they are passed. */
  readonly bounds: Bounds | null
  /** Why there are no quotes. */
  readonly cause: Reason | null
  readonly available: boolean
}

export type Bounds = { readonly minUnits: bigint; readonly maxUnits: bigint }

/** Asks the service for quotes, and remembers them for a moment: one tick after another does not ask again. */
export type QuoteReader = {
  /** Never throws for what the service does. `amounts` are only asked for where nothing is remembered. */
  readonly read: (from: AssetId, to: AssetId, amounts: readonly bigint[]) => Promise<PairQuotes>
  /** All remembered offers. */
  readonly recall: () => readonly Quote[]
  /** A refusal elsewhere may state the pair's bounds too. */
  readonly learn: (from: AssetId, to: AssetId, reasons: readonly Reason[]) => void
}

/** `useless`: another amount would fare no better. */
type Asked = { readonly quote: Quote } | { readonly cause: Reason; readonly useless: boolean }

const SILENT: Reason = { code: "view.silent", message: "The swap service did not answer a moment ago" }
const KEPT_MS = 30_000
const FAILURE_KEPT_MS = 10_000
const BOUNDS_KEPT_MS = 60 * 60_000
const WAIT_MS = 8_000

export function createQuoteReader(context: EngineContext): QuoteReader {
  const { clock } = context
  const known = new Map<string, { atMs: number; asked: number; answer: PairQuotes }>()
  const bounds = new Map<string, { atMs: number; stated: Bounds }>()
  let silentUntilMs = 0
  const keyOf = (from: AssetId, to: AssetId): string => `${from}>${to}`
  const isFresh = ({ atMs, answer }: { atMs: number; answer: PairQuotes }): boolean => {
    const age = clock.now() - atMs
    return age >= 0 && age < (answer.cause === null ? KEPT_MS : FAILURE_KEPT_MS)
  }
  const recallBounds = (key: string): Bounds | null => {
    const found = bounds.get(key)
    return found && clock.now() - found.atMs < BOUNDS_KEPT_MS ? found.stated : null
  }
  const noteBounds = (key: string, reason: Reason): Bounds | null => {
    const stated = boundsIn(reason)
    if (stated) bounds.set(key, { atMs: clock.now(), stated })
    return stated
  }

  async function ask(key: string, from: AssetId, to: AssetId, amount: bigint, again: boolean): Promise<Asked> {
    if (clock.now() < silentUntilMs) return { cause: SILENT, useless: true }
    const sourceUnits = clamp(amount, recallBounds(key))
    const { affiliateFees } = context.settings
    try {
      const what = `asking for a quote from ${from} to ${to}`
      const quote = await withinTime(clock, WAIT_MS, what, () =>
        readBestQuote(context, { from, to, sourceUnits, affiliateFees }),
      )
      return quote === null ? { cause: NO_QUOTE, useless: false } : { quote }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const cause = reasonOf(error)
      // Who waits for one silent answer need not wait for the next one too.
      if (error.code === "view.silent") silentUntilMs = clock.now() + FAILURE_KEPT_MS
      const stated = noteBounds(key, cause)
      if (stated && again && clamp(amount, stated) !== sourceUnits) return ask(key, from, to, amount, false)
      return { cause, useless: error.disposition !== "refused" || error.code === "service.no_pair" }
    }
  }

  return {
    read: async (from, to, amounts) => {
      const key = keyOf(from, to)
      const recalled = known.get(key)
      const enough = recalled && (recalled.asked >= amounts.length || recalled.answer.cause !== null)
      if (recalled && enough && isFresh(recalled)) return recalled.answer
      const quotes = new Map<bigint, Quote>()
      let cause: Reason | null = null
      for (const amount of amounts) {
        const asked = await ask(key, from, to, amount, true)
        if ("quote" in asked) quotes.set(asked.quote.sourceUnits, asked.quote)
        else cause = asked.cause
        if ("useless" in asked && asked.useless) break
      }
      const sorted = [...quotes.values()].sort((a, b) => (a.sourceUnits < b.sourceUnits ? -1 : 1))
      const answer = {
        quotes: sorted,
        bounds: recallBounds(key),
        cause: sorted.length > 0 ? null : cause,
        available: cause?.code !== "service.no_pair",
      }
      known.set(key, { atMs: clock.now(), asked: amounts.length, answer })
      return answer
    },
    recall: () => [...known.values()].filter(isFresh).flatMap(({ answer }) => answer.quotes),
    learn: (from, to, reasons) => {
      for (const reason of reasons) if (noteBounds(keyOf(from, to), reason)) known.delete(keyOf(from, to))
    },
  }
}

/** "expected amount to be within the range of X to Y": the only place where the service states them (field notes, Wire). */
function boundsIn({ code, serviceText, message }: Reason): Bounds | null {
  if (code !== "service.amount_bounds") return null
  const [, min, max] = /range of (\d{1,40}) to (\d{1,40})/.exec(`${serviceText ?? ""} ${message}`) ?? []
  if (min === undefined || max === undefined) return null
  const stated = { minUnits: BigInt(min), maxUnits: BigInt(max) }
  return stated.minUnits <= stated.maxUnits && stated.maxUnits > 0n ? stated : null
}

function clamp(units: bigint, bounds: Bounds | null): bigint {
  if (bounds === null) return units
  if (units < bounds.minUnits) return bounds.minUnits
  return units > bounds.maxUnits ? bounds.maxUnits : units
}
