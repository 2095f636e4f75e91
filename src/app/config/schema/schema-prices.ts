import type { z } from "zod"
import { address } from "#schema/address.ts"
import { assetId, choice, duration, flag, list, share, text } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"

/** The kinds of price sources; `json` is any endpoint with JSON. */
export const PRICE_KINDS = ["json", "coinbase", "kraken", "chainlink", "pyth"] as const

const jsonPath = text(
  /^[^.\s]+(\.[^.\s]+)*$/,
  "keys and list positions with dots between them, such as data.0.price",
)
const contract = text(/^[0-9A-Za-z]{20,66}$/, "an address in quotes")

const priceSource = section({
  asset: required(assetId, "The priced asset."),
  kind: withDefault(
    choice(PRICE_KINDS),
    "json",
    "json: any URL. coinbase, kraken: the public tickers of these exchanges, without an " +
      "account. chainlink: a feed contract on a configured EVM chain. pyth: a price account on " +
      "a configured Solana chain. Feeds are read through our own nodes, with the agreement of " +
      "every read.",
  ),
  url: orNone(
    address,
    "json: a URL that answers a GET with JSON. coinbase, kraken: a mirror of the exchange. " +
      "A URL, a reference to one, or a map of url and headers.",
  ),
  path: orNone(
    jsonPath,
    "json: the position of the price of one whole unit in the JSON, such as data.0.price; a " +
      "number or text.",
  ),
  time_path: orNone(
    jsonPath,
    "json: the position of the price's time in the JSON: Unix seconds or milliseconds, or " +
      "ISO 8601 with its zone.",
  ),
  product: orNone(
    text(/^[A-Za-z0-9./-]{2,30}$/, "a product such as BTC-USD"),
    "coinbase, kraken: the market in dollars, in the exchange's spelling: BTC-USD, XBTUSD. " +
      "Another currency is refused.",
  ),
  chain: orNone(text(/\S/, "a chain of chains"), "chainlink, pyth: the chain that has the feed."),
  address: orNone(
    contract,
    "chainlink: the feed's contract (AggregatorV3). pyth: the price account.",
  ),
  feed: orNone(
    text(/^(0x)?[0-9a-fA-F]{64}$/, "a feed id of 32 bytes in hex"),
    "pyth: the id of the feed, which the account must have.",
  ),
  sequencer: orNone(
    contract,
    "chainlink: the uptime feed of the chain's sequencer, where the chain has one. For an " +
      "hour after an outage the feed gives no price.",
  ),
  max_confidence: withDefault(
    share,
    "100bps",
    "pyth: the widest confidence interval, as a share of the price.",
  ),
  max_age: orNone(
    duration(1_000),
    "The highest age of a price; Ballast ignores older ones. Without a value: 5m, and 65m " +
      "for chainlink, whose feeds have a heartbeat. Without time_path a json price has no age.",
  ),
})

const peg = section({
  assets: required(
    list(
      text(
        /^([a-z0-9][a-z0-9_-]*:)?[a-z0-9_.-]+$/,
        "an asset id, or a name such as wbtc for every chain",
      ),
      "a list of assets",
      1,
    ),
    "The assets of the same value: asset ids, or names without a chain for the asset on " +
      "every chain, such as [btc, wbtc].",
  ),
  tolerance: withDefault(
    share,
    "50bps",
    "How far the prices of two members may be apart. Further apart, the members have no " +
      "price, and an alarm is raised.",
  ),
})

export const pricesSchema = section({
  sources: withDefault(
    list(priceSource, "a list of price sources"),
    [],
    "Independent prices in dollars. For several sources of one asset Ballast takes the " +
      "median. It judges each quote by them, and counts fiat limits and sizes with them. If " +
      "none of an asset's sources gives a price, Ballast makes no deposit on its pairs " +
      "(price.reference_missing).",
  ),
  pegs: withDefault(
    list(peg, "a list of pegs"),
    [],
    "Assets of the same value. A member without a source has the price of the others, and a " +
      "quote between two members is judged in units. Give two members a source, so that the " +
      "peg is watched.",
  ),
  max_spread: withDefault(
    share,
    "150bps",
    "A source whose price is further from the middle one does not count. Where not more than " +
      "half of the prices are within, there is no price (prices.disagree).",
  ),
  tolerance: withDefault(
    share,
    "200bps",
    "The loss beyond guards.max_cost that a quote may have by reference prices, because " +
      "markets differ.",
  ),
  trust_service: withDefault(
    flag,
    false,
    "live: whether an asset without a price of our own has the service's price. It is " +
      "refused together with a main network, because the service could then name any price.",
  ),
})

export type PricesFile = z.output<typeof pricesSchema>
