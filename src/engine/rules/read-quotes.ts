import type { AssetId } from "#domain/asset.ts"
import type { ExactOut, Quote } from "#domain/quote.ts"
import { type AffiliateFee, sumBps } from "#domain/route/affiliate-fee.ts"
import { AppError } from "#lib/app-error.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { ServicePort } from "#ports/service.ts"
import {
  type Clocked,
  type Configured,
  type HasJournal,
  type HasServices,
  type Logged,
  quoteSourcesOf,
} from "../context.ts"
import { findPairRest, noteFailure } from "../watches/service-conduct.ts"

/** The amount and the pair that an offer is for. The affiliate fees are part of the price. */
export type OfferRequest = {
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  /** In place of `sourceUnits`. */
  readonly exactOut?: ExactOut
  /** Absent: our own wallet. */
  readonly destinationOwner?: string
  readonly affiliateFees: readonly AffiliateFee[]
}

type ServiceQuote = { readonly service: string; readonly quote: Quote }

/** Of each service Ballast judges its best quotes: a long list would keep it busy. */
const MOST_QUOTES = 50
/**
 * The longest wait for one of several services. Admission waits a little longer for all of them.
 */
const LONGEST_WAIT_MS = 5_000

/**
 * The quotes of all services that do not rest. Each service has its own time to answer, and its
 * failure stops only itself: it rests, and the others decide. Empty when a service answered and no
 * solver of it quotes now. Without quotes it throws
 * - a transient error of a service;
 * - else `service.resting` (transient) when a service rests, because that one may quote later;
 * - else the refusal, when all services refuse the pair or the amount.
 */
export async function readQuotes(
  context: HasJournal<FlagStore> & HasServices & Configured & Clocked & Logged,
  request: OfferRequest,
): Promise<readonly ServiceQuote[]> {
  const sources = quoteSourcesOf(context)
  const restOf = (name: string) => findPairRest(context, name, request)
  const awake = [...sources.keys()].filter((name) => restOf(name) === null)
  if (awake.length === 0) throw resting(context, request)
  const { affiliateFees, exactOut, destinationOwner: _, ...asked } = request
  const question = {
    ...asked,
    ...(exactOut === undefined ? {} : { exactUnits: exactOut.units }),
    affiliateBps: sumBps(affiliateFees),
  }
  const answers = await Promise.all(awake.map((name) => readFrom(context, name, question)))
  const quotes = answers.flatMap((answer) => (answer.ok ? answer.quotes : []))
  const errors = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]))
  if (quotes.length > 0 || errors.length === 0) return quotes
  // One service without the pair must not end an order that another service may fill a moment
  // later.
  const passing = errors.find(isTransient)
  if (passing !== undefined) throw passing
  if (errors.length < awake.length) return []
  throw awake.length < sources.size ? resting(context, request) : errors[0]
}

type Answer =
  | { readonly ok: true; readonly quotes: readonly ServiceQuote[] }
  | { readonly ok: false; readonly error: unknown }
type Question = Parameters<ServicePort["fetchQuotes"]>[0]

async function readFrom(
  context: HasJournal<FlagStore> & HasServices & Configured & Clocked & Logged,
  name: string,
  question: Question,
): Promise<Answer> {
  const sources = quoteSourcesOf(context)
  const service = sources.get(name)
  if (!service) return { ok: true, quotes: [] }
  try {
    const asking = service.fetchQuotes(question)
    const quotes = sources.size < 2 ? await asking : await answerInTime(context, name, asking)
    return {
      ok: true,
      quotes: quotes.slice(0, MOST_QUOTES).map((quote) => ({ service: name, quote })),
    }
  } catch (error) {
    noteFailure(context, { service: name }, error)
    if (sources.size > 1)
      context.log.warn({ service: name, err: error }, "A service gives no quote now")
    return { ok: false, error }
  }
}

async function answerInTime<T>(
  { clock, settings }: Configured & Clocked,
  name: string,
  asking: Promise<T>,
): Promise<T> {
  const ms = Math.min(LONGEST_WAIT_MS, settings.quoteTimeouts?.get(name) ?? LONGEST_WAIT_MS)
  const answered = new AbortController()
  const late = clock.sleep(ms, answered.signal).then(() => null)
  try {
    const first = await Promise.race([asking.then((value) => ({ value })), late])
    if (first !== null) return first.value
    const message = `The service ${name} gave no quotes within ${ms / 1000} s`
    throw new AppError({
      code: "service.silent",
      disposition: "transient",
      message,
      details: { service: name, ms },
    })
  } finally {
    answered.abort("answered")
  }
}

function isTransient(error: unknown): boolean {
  return !(error instanceof AppError) || error.disposition === "transient"
}

function resting(
  context: HasJournal<FlagStore> & HasServices & Clocked,
  pair: Pick<OfferRequest, "from" | "to">,
): AppError {
  const untils = [...quoteSourcesOf(context).keys()].flatMap(
    (name) => findPairRest(context, name, pair)?.untilMs ?? [],
  )
  const untilMs = Math.min(...untils)
  const until = new Date(untilMs).toISOString()
  return new AppError({
    code: "service.resting",
    disposition: "transient",
    message:
      `Services that may quote rest after failures, the first until ${until}; \`ballast report ` +
      `--by service\` shows them`,
    details: { until, retryAfterMs: Math.max(0, untilMs - context.clock.now()) },
  })
}
