import { type Address, under } from "#nodes/address.ts"
import { checkAge, parseJson, parsePrice, parseTime, readAt } from "./parse-price-answer.ts"

/** A public market-data endpoint that needs no account. Each has its own form of answer. */
export type TickerKind = "coinbase" | "kraken"

/** The exchanges' addresses; `url` of a source replaces one, for a mirror. */
const BASES: Readonly<Record<TickerKind, string>> = {
  coinbase: "https://api.exchange.coinbase.com",
  kraken: "https://api.kraken.com",
}

/**
 * Bid and ask further apart than this make no price: the market is closed, halted or empty. In
 * basis points.
 */
const MAX_TICKER_SPREAD_BPS = 100n

/** `product` in the exchange's own spelling: `BTC-USD` at Coinbase Exchange, `XBTUSD` at Kraken. */
export function tickerAt(kind: TickerKind, product: string, base: Address | null): Address {
  const name = encodeURIComponent(product)
  const path = kind === "coinbase" ? `/products/${name}/ticker` : `/0/public/Spread?pair=${name}`
  return under(base ?? BASES[kind], path)
}

/**
 * The middle of bid and ask, in fiat millionths. Throws an `Error` with one phrase about the fault.
 */
export function parseTicker(
  kind: TickerKind,
  text: string,
  maxAgeMs: number,
  nowMs: number,
): bigint {
  const { bid, ask, atMs } = kind === "coinbase" ? parseCoinbase(text) : parseKraken(text)
  checkAge(atMs, maxAgeMs, nowMs)
  if (ask < bid) throw new Error("the ask is below the bid")
  if ((ask - bid) * 10_000n > bid * MAX_TICKER_SPREAD_BPS) {
    throw new Error(`bid and ask are more than ${MAX_TICKER_SPREAD_BPS} bps apart`)
  }
  return (bid + ask) / 2n
}

type Ticker = { readonly bid: bigint; readonly ask: bigint; readonly atMs: number }

/**
 * `{ ask, bid, price, size, time, trade_id, volume }` of the product's last trade (Coinbase
 * Exchange API, "Get product ticker").
 */
function parseCoinbase(text: string): Ticker {
  const answer = parseJson(text)
  return {
    bid: parsePrice(readAt(answer, "bid"), "bid"),
    ask: parsePrice(readAt(answer, "ask"), "ask"),
    atMs: parseTime(readAt(answer, "time"), "time"),
  }
}

/**
 * `{ error: [], result: { <pair>: [[seconds, bid, ask], …], last } }`, the newest entry last
 * (Kraken REST API, "Get recent spreads"). The plain ticker of this exchange has no time. The name
 * of the pair in the answer is not the requested spelling.
 */
function parseKraken(text: string): Ticker {
  const answer = parseJson(text)
  const errors: unknown = at(answer, "error")
  if (Array.isArray(errors) && errors.length > 0)
    throw new Error(`the exchange answers ${String(errors[0]).slice(0, 80)}`)
  const pairs = Object.entries(at(answer, "result") ?? {}).filter(([name]) => name !== "last")
  const [name, entries] = pairs[0] ?? []
  if (name === undefined || pairs.length > 1 || !Array.isArray(entries) || entries.length === 0) {
    throw new Error("the answer has not one pair with spreads")
  }
  const path = String(entries.length - 1)
  return {
    atMs: parseTime(readAt(entries, `${path}.0`), "time"),
    bid: parsePrice(readAt(entries, `${path}.1`), "bid"),
    ask: parsePrice(readAt(entries, `${path}.2`), "ask"),
  }
}

function at(answer: unknown, key: string): object | null {
  if (typeof answer !== "object" || answer === null || !Object.hasOwn(answer, key)) return null
  const value: unknown = Reflect.get(answer, key)
  return typeof value === "object" ? value : null
}
