import type { StatedEarnings } from "#domain/route/affiliate-fee.ts"
import type { QuoteRequest } from "#ports/service.ts"
import { fetchOrder, fetchQuotes, type ServiceClientOptions } from "./client.ts"
import { fetchEarnings } from "./earnings.ts"
import { createExchange, type HttpAnswer } from "./http.ts"
import { faultOfCall } from "./judge-call.ts"
import { createPairStates, type PairStates } from "./pair-state.ts"
import { describeForeign, parseBody } from "./read-result.ts"
import {
  decideEnvelopeError,
  decideStatusError,
  malformed,
  type Operation,
} from "./service-error.ts"
import { isOwnError, wireError } from "./wire.ts"

export type ServiceProbe = {
  /** The lists that a client asks too, after a refusal. */
  readonly askPair: PairStates["read"]
  readonly askEarnings: () => Promise<readonly StatedEarnings[]>
  /** Asks for the list of chains, and where the service has none, for the quote. */
  readonly askForLife: (quote: QuoteRequest | null) => Promise<SignOfLife>
  /**
   * Asks for the quote, and resolves with the failure that the answer shows; `null` for an answer,
   * also for a refusal.
   */
  readonly askQuote: (quote: QuoteRequest) => Promise<string | null>
  /** Asks for the order, as `askQuote` does for a quote. */
  readonly askOrder: (orderId: string) => Promise<string | null>
}

type SignOfLife = {
  readonly asked: "its list of chains" | "a quote"
  /** The failure in the service's own words; `null` for an answer. */
  readonly fault: string | null
  readonly status: number | null
  /** The `Date` header, for the skew between the clocks. */
  readonly date: string | null
  /** The time of the list's exchange alone; `null` without an answer. */
  readonly tookMs: number | null
}

/**
 * Asks a service for signs of life through the code of the real calls, so with its app id. Each
 * question is sent once.
 */
export function createServiceProbe(options: ServiceClientOptions): ServiceProbe {
  const exchange = createExchange(options)
  const faultOf = async (asked: Promise<unknown>): Promise<string | null> => {
    try {
      await asked
      return null
    } catch (error) {
      return orThrow(error)
    }
  }
  const askQuote = (quote: QuoteRequest): Promise<string | null> =>
    faultOf(fetchQuotes(exchange, quote))
  const askChains = async (): Promise<HttpAnswer | string | null> => {
    try {
      return await exchange({ operation: CHAINS, method: "GET", path: "/chains" })
    } catch (error) {
      return orThrow(error)
    }
  }
  return {
    askPair: createPairStates(exchange, options.clock).read,
    askEarnings: () => fetchEarnings(exchange),
    askQuote,
    askOrder: (orderId) => faultOf(fetchOrder(exchange, orderId)),
    askForLife: async (quote) => {
      const answer = await askChains()
      if (answer === null || typeof answer === "string")
        return { asked: "its list of chains", fault: answer, ...NO_ANSWER }
      const { status, date, tookMs } = answer
      if (quote !== null && (NO_LIST.includes(status) || isWithoutList(answer)))
        return { asked: "a quote", fault: await askQuote(quote), status, date, tookMs }
      return {
        asked: "its list of chains",
        fault: judgeList(answer, options.pathPrefix),
        status,
        date,
        tookMs,
      }
    },
  }
}

const NO_ANSWER = { status: null, date: null, tookMs: null }
const CHAINS: Operation = { what: "list its chains", write: false }
/** The list of chains is outside of the interface, so a service may lack it. */
const NO_LIST: readonly number[] = [404, 405, 410, 501]

/**
 * JSON without anything in a list, such as `{}` of another program or a list from which all chains
 * are gone: it tells nothing about quotes.
 */
function isWithoutList({ status, text }: HttpAnswer): boolean {
  const body = parseBody(text)
  if (status >= 300 || body === undefined || wireError.safeParse(body).success) return false
  const isFilled = (value: unknown): boolean =>
    typeof value === "object" && value !== null && Object.keys(value).length > 0
  return !isFilled(body) || !(Array.isArray(body) || Object.values(body ?? {}).some(isFilled))
}

/** Any JSON proves that the service answers: the form of this list is not part of the interface. */
function judgeList(answer: HttpAnswer, pathPrefix: string): string | null {
  const body = parseBody(answer.text)
  const said = wireError.safeParse(body).data ?? null
  const serviceText = said === null ? null : answer.show(said)
  if (answer.status < 200 || answer.status >= 300) {
    const refusal = { ...answer, isForeign: !isOwnError(body) }
    const error = decideStatusError(CHAINS, refusal, serviceText)
    // The question has no parameter that a service could refuse in words of its own.
    const isRefused = error.code === "service.refused"
    const said = isRefused ? `HTTP ${answer.status} (${serviceText ?? ""})` : null
    return faultOfCall(error) ?? said
  }
  const what = describeForeign(answer)
  if (what !== null) {
    return (
      faultOfCall(malformed(CHAINS, `its answer to GET ${pathPrefix}/chains is ${what}`)) ?? null
    )
  }
  return serviceText === null
    ? null
    : (faultOfCall(decideEnvelopeError(CHAINS, serviceText)) ?? null)
}

function orThrow(error: unknown): string | null {
  const fault = faultOfCall(error)
  if (fault === undefined) throw error
  return fault
}
