import type { AssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { kindOf } from "#domain/route/route-kind.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { HasJournal, OfferContext, Remembering } from "../../context.ts"
import { reasonOf } from "../../orders/observe/job.ts"
import { runSteps } from "../decide/steps.ts"
import { NO_QUOTE, readBestQuotes } from "../offer.ts"
import { refineQuotes } from "./refine-quotes.ts"
import { withinTime } from "./within-time.ts"

/** The latest quotes of the service for one pair. */
export type PairQuotes = {
  /** For each requested amount the best quote of each kind of route, smallest amount first. */
  readonly quotes: readonly Quote[]
  /**
   * Bounds of one order, as the service stated them in a refusal; `null` until an amount was out of
   * bounds.
   */
  readonly bounds: Bounds | null
  /** The reason for the missing quotes; `null` when there is at least one. */
  readonly cause: Reason | null
  readonly available: boolean
  /** The service itself has closed the pair. */
  readonly closed?: true
}

type Bounds = { readonly minUnits: bigint; readonly maxUnits: bigint }

/**
 * Asks the service for quotes and remembers them for 30 s, so that successive ticks do not ask
 * again.
 */
export type QuoteReader = {
  /**
   * A failure of the service is a cause in the answer, not an exception. The reader asks for
   * `amounts` only when it remembers no fresh answer. `line`: and for others, until they show the
   * costs of all amounts; `exact`: only an answer for these very amounts counts.
   */
  readonly read: (
    from: AssetId,
    to: AssetId,
    amounts: readonly bigint[],
    use?: "line" | "exact",
  ) => Promise<PairQuotes>
  /** All fresh quotes in memory. */
  readonly recall: () => readonly Quote[]
  /** Remembers bounds that a refusal elsewhere stated for the pair. */
  readonly learn: (from: AssetId, to: AssetId, reasons: readonly Reason[]) => void
}

type Answered = { readonly atMs: number; readonly isLine: boolean; readonly answer: PairQuotes }

/** `useless`: the service would refuse another amount as well. */
type Asked =
  | { readonly quotes: readonly Quote[] }
  | { readonly cause: Reason; readonly useless: boolean }

const SILENT: Reason = {
  code: "view.silent",
  message: "The swap service did not answer a moment ago",
}
/** The time for which quotes are remembered. A backtest remembers its own as long. */
export const KEPT_MS = 30_000
const CLOSED = "service.pair_closed"
/** The service swaps nothing of the pair, whichever amount. */
const NO_SWAP: readonly string[] = ["service.no_pair", CLOSED]
const FAILURE_KEPT_MS = 10_000
/** The time after which an amount outside the bounds of a refusal is asked for once more. */
const BOUNDS_FRESH_MS = 60 * 60_000
const WAIT_MS = 8_000

export function createQuoteReader(
  context: HasJournal<FlagStore & OrderSums> & Remembering & OfferContext,
): QuoteReader {
  const { clock } = context
  const answers = createAnswers(clock)
  const bounds = createBoundsMemory(clock)
  let silentUntilMs = 0
  const refine = createRefiner(ask, bounds.recall)

  async function ask(
    key: string,
    from: AssetId,
    to: AssetId,
    amount: bigint,
    again: boolean,
  ): Promise<Asked> {
    const silentMs = silentUntilMs - clock.now()
    // A time that is further away was set before the clock was set back.
    if (silentMs > 0 && silentMs <= FAILURE_KEPT_MS) return { cause: SILENT, useless: true }
    const sourceUnits = bounds.isStale(key) ? amount : clamp(amount, bounds.recall(key))
    const { affiliateFees } = context.settings
    try {
      const what = `asking for a quote from ${from} to ${to}`
      const quotes = await withinTime(clock, WAIT_MS, what, () =>
        readBestQuotes(context, { from, to, sourceUnits, affiliateFees }),
      )
      if (quotes.length === 0) return { cause: NO_QUOTE, useless: false }
      bounds.widen(key, sourceUnits)
      return { quotes }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const cause = reasonOf(error)
      // After one answer that timed out, the next reads fail without a wait.
      if (error.code === "view.silent") silentUntilMs = clock.now() + FAILURE_KEPT_MS
      const stated = bounds.note(key, cause)
      if (stated && again && clamp(amount, stated) !== sourceUnits)
        return ask(key, from, to, amount, false)
      return { cause, useless: error.disposition !== "refused" || NO_SWAP.includes(error.code) }
    }
  }

  return {
    read: async (from, to, amounts, use) => {
      const key = keyOf(from, to)
      const place = use === "exact" ? `${key} ${amounts.join(" ")}` : key
      const recalled = answers.recall(place)
      const isLine = use === "line"
      const enough = recalled && (recalled.isLine || !isLine || recalled.answer.cause !== null)
      if (recalled && enough) return recalled.answer
      const quotes = new Map<string, Quote>()
      let cause: Reason | null = null
      for (const amount of amounts) {
        const asked = await ask(key, from, to, amount, true)
        if ("cause" in asked) cause = asked.cause
        else for (const quote of asked.quotes) quotes.set(nameOf(quote), quote)
        if ("useless" in asked && asked.useless) break
      }
      const asked = [...quotes.values()]
      const refined = isLine ? await refine(key, asked) : asked
      const answer = toPairQuotes(refined, bounds.recall(key), cause)
      answers.note(place, { atMs: clock.now(), isLine, answer })
      return answer
    },
    recall: answers.quotes,
    learn: (from, to, reasons) => {
      for (const reason of reasons)
        if (bounds.note(keyOf(from, to), reason)) answers.forget(keyOf(from, to))
    },
  }
}

function nameOf(quote: Quote): string {
  return `${quote.sourceUnits}/${kindOf(quote)}`
}

function keyOf(from: AssetId, to: AssetId): string {
  return `${from}>${to}`
}

type Ask = (
  key: string,
  from: AssetId,
  to: AssetId,
  amount: bigint,
  again: boolean,
) => Promise<Asked>

/** Each kind of route has a line of its own, so its quotes are refined by themselves. */
function createRefiner(ask: Ask, boundsOf: (key: string) => Bounds | null) {
  const refineKind = (key: string, quotes: readonly [Quote, ...Quote[]]) => {
    const [{ from, to }] = quotes
    const kind = kindOf(quotes[0])
    const askFor = async (units: bigint): Promise<Quote | null> => {
      const asked = await ask(key, from, to, units, false)
      if ("cause" in asked) return null
      const found = asked.quotes.find((one) => kindOf(one) === kind && one.sourceUnits === units)
      return found ?? null
    }
    return runSteps(refineQuotes(quotes, boundsOf(key), askFor))
  }
  return async (key: string, quotes: readonly Quote[]): Promise<readonly Quote[]> => {
    const refined: Quote[] = []
    for (const kind of new Set(quotes.map(kindOf))) {
      const [first, ...rest] = quotes.filter((quote) => kindOf(quote) === kind)
      if (first !== undefined) refined.push(...(await refineKind(key, [first, ...rest])))
    }
    return refined
  }
}

/** The answers of the last seconds. A place begins with its pair. */
function createAnswers(clock: Clock) {
  const known = new Map<string, Answered>()
  const isFresh = ({ atMs, answer }: Answered): boolean => {
    const age = clock.now() - atMs
    return age >= 0 && age < (answer.cause === null ? KEPT_MS : FAILURE_KEPT_MS)
  }
  const dropWhere = (isOld: (place: string, answered: Answered) => boolean): void => {
    for (const [place, answered] of known) if (isOld(place, answered)) known.delete(place)
  }
  return {
    recall: (place: string): Answered | null => {
      const found = known.get(place)
      return found !== undefined && isFresh(found) ? found : null
    },
    quotes: (): readonly Quote[] =>
      [...known.values()].filter(isFresh).flatMap(({ answer }) => answer.quotes),
    note: (place: string, answered: Answered): void => {
      dropWhere((_, one) => !isFresh(one))
      known.set(place, answered)
    },
    forget: (key: string): void => dropWhere((place) => `${place} `.startsWith(`${key} `)),
  }
}

/** `cause`: the reason of the last amount without a quote. */
function toPairQuotes(
  quotes: readonly Quote[],
  bounds: Bounds | null,
  cause: Reason | null,
): PairQuotes {
  return {
    quotes: quotes.toSorted((a, b) => (a.sourceUnits < b.sourceUnits ? -1 : 1)),
    bounds,
    cause: quotes.length > 0 ? null : cause,
    available: cause === null || !NO_SWAP.includes(cause.code),
    ...(cause?.code === CLOSED ? { closed: true } : {}),
  }
}

/**
 * Remembers the bounds of each pair until the service contradicts them. A refusal repeats for
 * every order outside them, so they never lapse by themselves.
 */
function createBoundsMemory(clock: Clock) {
  const known = new Map<string, { atMs: number; stated: Bounds }>()
  const recall = (key: string): Bounds | null => known.get(key)?.stated ?? null
  return {
    recall,
    isStale: (key: string): boolean => {
      const age = clock.now() - (known.get(key)?.atMs ?? clock.now())
      return age < 0 || age >= BOUNDS_FRESH_MS
    },
    /** The service quotes this amount. */
    widen: (key: string, units: bigint): void => {
      if (clamp(units, recall(key)) !== units) known.delete(key)
    },
    note: (key: string, reason: Reason): Bounds | null => {
      const stated = boundsIn(reason)
      if (stated) known.set(key, { atMs: clock.now(), stated })
      return stated
    },
  }
}

/**
 * "expected amount to be within the range of X to Y": the only place where the service states them
 * (field notes, Wire).
 */
function boundsIn({ code, serviceText, message }: Reason): Bounds | null {
  if (code !== "service.amount_bounds") return null
  const [, min, max] =
    /range of (\d{1,40}) to (\d{1,40})/.exec(`${serviceText ?? ""} ${message}`) ?? []
  if (min === undefined || max === undefined) return null
  const stated = { minUnits: BigInt(min), maxUnits: BigInt(max) }
  return stated.minUnits <= stated.maxUnits && stated.maxUnits > 0n ? stated : null
}

function clamp(units: bigint, bounds: Bounds | null): bigint {
  if (bounds === null) return units
  if (units < bounds.minUnits) return bounds.minUnits
  return units > bounds.maxUnits ? bounds.maxUnits : units
}
