import { type Dispatcher, request } from "undici"
import type { AssetId } from "#domain/asset.ts"
import type { ReferencePrice } from "#domain/price.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { readBody } from "#lib/read-body.ts"
import { parsePriceAnswer } from "./parse-price-answer.ts"
import type { PricePort } from "./port.ts"

/** One JSON endpoint. Paths are keys and list positions with dots between them, such as `data.0.price`. */
export type PriceSource = {
  readonly asset: AssetId
  readonly url: string
  readonly path: string
  /** The path of the price's time in the answer; `null` treats every answer as fresh. */
  readonly timePath: string | null
  readonly maxAgeMs: number
}

export type HttpPricesOptions = {
  readonly sources: readonly PriceSource[]
  readonly timeoutMs: number
  readonly clock: Clock
  readonly dispatcher?: Dispatcher
}

/** A price is a few bytes; some endpoints list all their markets. */
export const MAX_PRICE_BYTES = 1024 * 1024

/** Asks all sources of an asset in parallel and returns the median of the fresh prices. A failed source is left out, never counted as zero. */
export function createHttpPrices(options: HttpPricesOptions): PricePort {
  return {
    fetchPrice: async (asset) => {
      const sources = options.sources.filter((source) => source.asset === asset)
      if (sources.length === 0) return null
      const answers = await Promise.all(sources.map((source) => readSource(source, options)))
      const prices = answers.filter((answer) => typeof answer === "bigint")
      if (prices.length > 0) return { fiat: median(prices), sources: prices.length } satisfies ReferencePrice
      const causes = answers.map((answer) => (typeof answer === "bigint" ? "" : answer.message)).join("; ")
      throw new AppError({
        code: "prices.unavailable",
        disposition: "transient",
        message: `No fresh reference price of ${asset}: ${causes}; check prices.sources`,
        details: { asset },
      })
    },
  }
}

/** Returns the error as a value, because one bad source must not hide the others. */
async function readSource(source: PriceSource, options: HttpPricesOptions): Promise<bigint | AppError> {
  try {
    const text = await fetchText(source.url, options)
    return parsePriceAnswer(text, source, options.clock.now())
  } catch (error) {
    // The path and query of a URL may contain a secret of the operator.
    const { host } = new URL(source.url)
    const why = error instanceof Error ? error.message : String(error)
    return new AppError({
      code: "prices.source",
      disposition: "transient",
      message: `${host}: ${why}`,
      details: { host },
      cause: error,
    })
  }
}

/** One time-out from the first byte to the last. Redirects are not followed. */
async function fetchText(url: string, { clock, timeoutMs, dispatcher }: HttpPricesOptions): Promise<string> {
  const timeout = new AbortController()
  const done = new AbortController()
  clock.sleep(timeoutMs, done.signal).then(() => {
    if (!done.signal.aborted) timeout.abort(new Error(`no whole answer within ${timeoutMs} ms`))
  })
  try {
    const response = await request(url, {
      headers: { accept: "application/json", "accept-encoding": "identity" },
      signal: timeout.signal,
      ...(dispatcher ? { dispatcher } : {}),
    })
    const text = await readBody(response.body, MAX_PRICE_BYTES)
    if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
    return text
  } finally {
    done.abort()
  }
}

/** For an even number of prices: the mean of the middle two, rounded down. */
function median(prices: readonly bigint[]): bigint {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return middle.reduce((sum, price) => sum + price, 0n) / BigInt(middle.length)
}
