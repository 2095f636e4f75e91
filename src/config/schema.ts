import { z } from "zod"
import {
  address,
  assetId,
  choice,
  duration,
  fiatAmount,
  flag,
  httpUrl,
  integer,
  list,
  ownAmount,
  ownOrFiat,
  secretReference,
  share,
  shareOrFiat,
  text,
} from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { chainSchema } from "./schema-chains.ts"
import { ruleSchema } from "./schema-rules.ts"

const service = section({
  url: required(httpUrl, "Base URL of the swap service, without the version."),
  app_id: withDefault(
    text(/^[\x20-\x7e]*$/, "printable text, or env:NAME"),
    "",
    "The application identifier, as text or as a reference (env:NAME, file:PATH). It is not secret.",
  ),
  app_id_header: withDefault(
    text(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "the name of an HTTP header"),
    "service-app-id",
    "The header that carries it.",
  ),
  path_prefix: withDefault(
    text(/^(\/[A-Za-z0-9._~-]+)*$/, 'a path such as "/v2", without a slash at the end'),
    "/v2",
    "What stands before every path.",
  ),
  timeout: withDefault(duration(1_000), "10s", "How long one exchange may take, including its body; at least 1s."),
  poll: withDefault(
    section({
      min: withDefault(duration(1_000), "2s", "The shortest time between two looks at one order; at least 1s."),
      max: withDefault(
        duration(1_000),
        "60s",
        "The longest time between two looks at one order; ten minutes where it says more.",
      ),
    }),
    {},
    "How often an order under way is looked at.",
  ),
  max_requests_per_second: withDefault(integer(1, 1_000), 10, "Requests to the service, per second."),
  order_extras: withDefault(flag, true, "Whether new orders carry solver_id, nonce and source.delegate."),
})

const ops = section({
  listen: withDefault(
    text(/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/, 'host:port, such as "127.0.0.1:7070"').refine(
      (written) => Number(written.slice(written.lastIndexOf(":") + 1)) <= 65_535,
      { error: "expected a port from 0 to 65535" },
    ),
    "127.0.0.1:7070",
    "Address of the HTTP interface, host:port.",
  ),
  token: orNone(
    secretReference,
    "The bearer token, by reference. Without one, listen must be a loopback address and only /healthz and /readyz are served.",
  ),
})

const asset = section({
  decimals: required(integer(0, 36), "Digits after the point between the asset's own and its smallest unit."),
  token: orNone(text(/^[0-9A-Za-z]{1,66}$/, "an address in quotes"), "The token's address; none for the native asset."),
  htlc: withDefault(
    list(text(/^[0-9A-Za-z]{1,66}$/, "an address in quotes"), "a list of addresses"),
    [],
    "Every HTLC contract or program that may hold this asset. Nothing else is ever paid; empty on Bitcoin.",
  ),
})

const affiliateEntry = section({
  asset: required(assetId, "The payout asset: USDC or cbBTC (`usdc`, `cbbtc`) on a chain that has it."),
  address: required(address, "The payout address on that chain; it need not be ours."),
  fee_bps: required(integer(1, 10_000, "basis points"), "The fee, in basis points (0.01 %)."),
})

const window = section({
  per: required(
    z.union([z.literal("lifetime"), duration(1_000)], { error: 'expected a duration such as "24h", or lifetime' }),
    "The length of the rolling window, or lifetime.",
  ),
  max: orNone(ownOrFiat, "The most that may be sold in it: fiat, or the sold asset's own unit (for each asset)."),
  max_fees: orNone(fiatAmount, "The most that swaps may cost in it, fiat."),
  max_count: orNone(integer(1, 1_000_000), "The most orders in it."),
})

const wallTime = text(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'a time of day such as "22:00", in quotes')

const quietHours = section({
  from: required(wallTime, "When they begin, by the clock on the wall."),
  to: required(wallTime, "When they end; before from: on the day after."),
  timezone: withDefault(text(/^[A-Za-z]/, "an IANA time zone such as Europe/Zurich"), "UTC", "The IANA time zone."),
  days: withDefault(
    list(choice(["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]), "a list of days such as [SAT, SUN]", 1),
    ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"],
    "The days on which they begin.",
  ),
})

const jsonPath = text(/^[^.\s]+(\.[^.\s]+)*$/, "keys and list positions with dots between them, such as data.0.price")

const priceSource = section({
  asset: required(assetId, "The asset whose price it is."),
  url: required(httpUrl, "Answers a GET with JSON."),
  path: required(jsonPath, "Where the price of one whole unit stands, such as data.0.price; a number or text."),
  time_path: orNone(
    jsonPath,
    "Where the price's time stands: Unix seconds or milliseconds, or ISO 8601 with its zone.",
  ),
  max_age: withDefault(
    duration(1_000),
    "5m",
    "Older prices are not used. Without time_path a price has no age, and this has no effect.",
  ),
})

const guards = section({
  max_cost: withDefault(shareOrFiat, "100bps", "The most value that one swap may lose from source to destination."),
  max_order: orNone(ownOrFiat, "The most that one order may sell: fiat, or the sold asset's own unit."),
  windows: withDefault(list(window, "a list of windows"), [], "Limits over time."),
  max_in_flight: withDefault(integer(1, 1_000), 8, "The most orders that may be under way."),
  max_in_flight_per_rule: orNone(integer(1, 1_000), "The most of one rule; requests by hand count together as one."),
  max_in_flight_per_pair: orNone(integer(1, 1_000), "The most from one asset to one other."),
  max_in_flight_per_chain: orNone(integer(1, 1_000), "The most that have one chain at either end."),
  cooldown_after_failure: orNone(
    duration(1_000),
    "How long a pair, and the rule that asked, rest after an order failed; at least 1s. Doubles with each further failure, until one is completed. When none is set: one minute for rules, nothing for requests by hand.",
  ),
  cooldown_max: orNone(
    duration(1_000),
    "The longest that a cool-down grows to. When none is set: sixteen times its beginning.",
  ),
  quiet_hours: withDefault(
    list(quietHours, "a list of quiet hours"),
    [],
    "Times of day in which no new order begins. Orders under way go on.",
  ),
  approve_above: orNone(ownOrFiat, "Orders above this wait for a person: fiat, or the sold asset's own unit."),
  approval_ttl: withDefault(
    duration(1_000),
    "1h",
    "How long an order waits for approval, and how long an approval is good for.",
  ),
  destinations: withDefault(
    z.union([z.literal("own"), list(z.union([z.literal("own"), address]), "a list")], {
      error: "expected own, or a list of addresses in quotes",
    }),
    "own",
    "Where swaps may pay to: our own wallets, or nothing but the listed addresses; own in the list stands for all our wallets.",
  ),
  min_native: withDefault(
    z.record(z.string(), ownAmount, { error: "expected a map of chain to amount" }),
    {},
    "Per chain, what must stay of the native asset for fees, in its own unit.",
  ),
})

/** The configuration file, key by key (design §6). References between keys are checked by `check-references.ts`. */
export const configFileSchema = section({
  service: required(service, "The swap service."),
  data_dir: withDefault(text(/\S/, "a path"), "./data", "Where the journal lives; relative to the working directory."),
  ops: withDefault(ops, {}, "The HTTP interface for operators."),
  chains: withDefault(
    z.record(z.string(), chainSchema, { error: "expected a map of chain name to chain" }),
    {},
    "The chains, by the name that the service gives them.",
  ),
  assets: withDefault(
    z.record(z.string(), asset, { error: "expected a map of asset id to asset" }),
    {},
    "The assets, by <chain>:<asset>.",
  ),
  affiliate: withDefault(
    list(affiliateEntry, "a list of affiliate entries"),
    [],
    "Affiliate fees on every order, beside those of service and solver; paid out weekly by the service.",
  ),
  rules: withDefault(list(ruleSchema, "a list of rules"), [], "What is to be kept or done; none is fine."),
  guards: withDefault(guards, {}, "Limits that no order may pass."),
  prices: withDefault(
    section({
      sources: withDefault(
        list(priceSource, "a list of price sources"),
        [],
        "JSON endpoints. Several of one asset: the median of those that answer. A quote is judged by them when both its assets have one. Where an asset of a pair has a source and none of its sources answers, nothing is sent on that pair (price.reference_missing).",
      ),
      tolerance: withDefault(
        share,
        "200bps",
        "How much more than guards.max_cost a quote may lose by reference prices, because markets differ.",
      ),
    }),
    {},
    "Reference prices.",
  ),
  books: withDefault(
    section({
      reconcile_every: withDefault(duration(1_000), "10m", "How often the ledger is compared with the chains."),
      on_difference: withDefault(
        choice(["alert", "pause"]),
        "alert",
        "What happens when a wallet holds less than the ledger says and nothing explains it: an alert, or an alert and a pause of everything.",
      ),
    }),
    {},
    "The ledger.",
  ),
  mode: withDefault(
    choice(["live", "observe"]),
    "live",
    "observe decides and watches, but signs nothing; requests are refused.",
  ),
  log: withDefault(
    section({
      level: withDefault(
        choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
        "info",
        "What is logged: this level and everything more severe.",
      ),
    }),
    {},
    "The log.",
  ),
})

/** The file once its form is right: defaults filled in, durations in milliseconds, amounts still as written. */
export type ConfigFile = z.output<typeof configFileSchema>
