import { z } from "zod"
import { rememberKeys } from "#lib/known-keys.ts"
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
import { POSTGRES_URL } from "../secrets/resolve-secrets.ts"
import { alertsSchema, secretUrl } from "./schema-alerts.ts"
import { chainSchema } from "./schema-chains.ts"
import { pricesSchema } from "./schema-prices.ts"
import { ruleSchema } from "./schema-rules.ts"
import { signerSchema } from "./schema-signer.ts"

const secretMode = choice(["own", "prefer-own", "service"])

const service = section({
  url: required(httpUrl, "Base URL of the swap service, without the version."),
  app_id: withDefault(
    text(/^[\x20-\x7e]*$/, "printable text, or env:NAME"),
    "",
    "The application identifier, as text or as a reference (env:NAME, file:PATH). " +
      "It is not secret.",
  ),
  app_id_header: withDefault(
    text(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "the name of an HTTP header"),
    "service-app-id",
    "The HTTP header that carries app_id.",
  ),
  path_prefix: withDefault(
    text(/^(\/[A-Za-z0-9._~-]+)*$/, 'a path such as "/v2", without a slash at the end'),
    "/v2",
    "The prefix of every path.",
  ),
  timeout: withDefault(
    duration(1_000),
    "10s",
    "The longest time for one request and its whole answer; at least 1s.",
  ),
  poll: withDefault(
    section({
      min: withDefault(
        duration(1_000),
        "2s",
        "The shortest time between two observations of one order; at least 1s.",
      ),
      max: withDefault(
        duration(1_000),
        "60s",
        "The longest time between two observations of one order, capped at ten minutes.",
      ),
    }),
    {},
    "The interval between observations of an open order.",
  ),
  max_requests_per_second: withDefault(
    integer(1, 1_000),
    10,
    "The most requests to the service per second.",
  ),
  send: withDefault(
    section({
      solver_id: orNone(
        flag,
        "Whether new orders name the solver of their quote; without a value, as order_extras.",
      ),
      nonce: orNone(
        choice(["number", "text", "off"]),
        "The form of the order's nonce, or off for none; without a value, number or off, as " +
          "order_extras.",
      ),
      delegate: orNone(
        flag,
        "Bitcoin: whether new orders carry our own refund key as source.delegate; without a " +
          "value, as order_extras.",
      ),
      slippage: orNone(integer(0, 9_999), "The slippage in basis points that new orders carry."),
    }),
    {},
    "The fields of a new order that the service interface does not know. Live deployments " +
      "need solver_id and nonce.",
  ),
  order_extras: withDefault(
    flag,
    true,
    "Whether new orders carry solver_id, nonce and source.delegate, where send does not say it.",
  ),
  secret: orNone(
    secretMode,
    "The choice of the swaps' secrets: own, by Ballast, or no order; service, by the " +
      "service, which could then take a deposit together with the solver; prefer-own, by " +
      "Ballast where chain and service allow it. Without a value: prefer-own where secrets.key " +
      "is set, else service.",
  ),
  secret_pairs: withDefault(
    list(
      section({
        from: required(assetId, "The sold asset."),
        to: required(assetId, "The bought asset."),
        secret: required(secretMode, "The choice of the secrets of this pair's swaps."),
      }),
      "a list of pairs",
    ),
    [],
    "Pairs with another choice than secret.",
  ),
})

const ops = section({
  listen: orNone(
    text(
      /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/,
      'host:port, such as "127.0.0.1:7070"',
    ).refine((written) => Number(written.slice(written.lastIndexOf(":") + 1)) <= 65_535, {
      error: "expected a port from 0 to 65535",
    }),
    "Address of the HTTP interface over TCP, host:port. Without it Ballast listens only on " +
      "the Unix socket in data_dir. Beyond loopback it needs tls.",
  ),
  token: orNone(
    secretReference,
    "The bearer token with all scopes, by reference; at least 16 characters. Without any " +
      "token, TCP serves only /healthz and /readyz.",
  ),
  tokens: withDefault(
    list(
      section({
        name: required(
          text(
            /^[a-z][a-z0-9_-]{0,31}$/,
            "a letter, then at most 31 lower case letters, digits, - and _",
          ),
          "The name that Ballast writes down with every change.",
        ),
        token: required(secretReference, "The bearer token, by reference; at least 16 characters."),
        scopes: required(
          list(choice(["read", "operate", "approve"]), "a list of read, operate and approve", 1),
          "The allowed requests: read shows, operate changes, approve approves or rejects orders.",
        ),
      }),
      "a list of tokens",
    ),
    [],
    "Further bearer tokens, each with a name and scopes.",
  ),
  tls: orNone(
    section({
      cert: required(secretReference, "The certificate chain in PEM, such as file:tls/cert.pem."),
      key: required(secretReference, "The private key in PEM, such as file:tls/key.pem."),
    }),
    "TLS of the TCP listener. A reload reads certificate and key again.",
  ),
  hosts: withDefault(
    list(
      text(/^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/, "a host name without port"),
      "a list of host names",
    ),
    [],
    "Further names by which clients reach the TCP listener, such as the name in its " +
      "certificate. IP addresses, localhost and the host of listen are known.",
  ),
})

const asset = section({
  decimals: required(
    integer(0, 36),
    "The number of decimal digits between the asset's own unit and its smallest unit.",
  ),
  token: orNone(
    text(/^[0-9A-Za-z]{1,66}$/, "an address in quotes"),
    "The token's address; none for the native asset.",
  ),
  htlc: withDefault(
    list(text(/^[0-9A-Za-z]{1,66}$/, "an address in quotes"), "a list of addresses"),
    [],
    "Every HTLC contract or program that may hold this asset. Ballast pays no other " +
      "contract; empty on Bitcoin.",
  ),
  pinned: withDefault(
    list(
      z.record(z.string(), text(/^[0-9A-Za-z+]{1,400}$/, "text in quotes"), {
        error: "expected a map of name to text",
      }),
      "a list of maps",
    ),
    [],
    "The reviewed identity of each contract of htlc, in the same order, as `ballast " +
      "discover` prints it. Ballast deposits only while the contracts are still the same.",
  ),
})

const affiliateEntry = section({
  asset: required(
    assetId,
    "The payout asset: USDC or cbBTC (`usdc`, `cbbtc`) on a chain that has it.",
  ),
  address: required(address, "The payout address on that chain; it may be a foreign one."),
  fee_bps: required(integer(1, 10_000, "basis points"), "The fee, in basis points (0.01 %)."),
})

const window = section({
  per: required(
    z.union([z.literal("lifetime"), duration(1_000)], {
      error: 'expected a duration such as "24h", or lifetime',
    }),
    "The length of the rolling window, or lifetime.",
  ),
  max: orNone(
    ownOrFiat,
    "The highest amount sold in the window: fiat, or the sold asset's own unit (for each asset).",
  ),
  max_fees: orNone(fiatAmount, "The highest cost of swaps in the window, in fiat."),
  max_count: orNone(integer(1, 1_000_000), "The highest number of orders in the window."),
})

const wallTime = text(
  /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/,
  'a time of day such as "22:00", in quotes',
)

const quietHours = section({
  from: required(wallTime, "The beginning, in local time."),
  to: required(wallTime, "The end, in local time; if it is before from, on the next day."),
  timezone: withDefault(
    text(/^[A-Za-z]/, "an IANA time zone such as Europe/Zurich"),
    "UTC",
    "The IANA time zone.",
  ),
  days: withDefault(
    list(
      choice(["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]),
      "a list of days such as [SAT, SUN]",
      1,
    ),
    ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"],
    "The days on which the quiet hours begin.",
  ),
})

const solverId = text(/^\S{1,200}$/, "a solver id")

const guards = section({
  max_cost: withDefault(
    shareOrFiat,
    "100bps",
    "The highest cost of one swap: the loss of value from source to destination, the network " +
      "fee of its deposit, a refund by its probability, and the locked money.",
  ),
  capital_cost: withDefault(
    share,
    "0bps",
    "What the money costs that a swap locks, as a share a year. Every max_cost counts it: " +
      "for an hour of each swap, and for the longest timelock by the probability of a refund.",
  ),
  max_order: orNone(
    ownOrFiat,
    "The highest amount that one order may sell: fiat, or the sold asset's own unit.",
  ),
  max_service_secret: orNone(
    ownOrFiat,
    "The highest amount of an order with a secret of the service: service and solver " +
      "together could take it. Without a value: max_order.",
  ),
  windows: withDefault(list(window, "a list of windows"), [], "Limits over time."),
  max_in_flight: withDefault(integer(1, 100_000), 8, "The highest number of in-flight orders."),
  max_in_flight_per_rule: orNone(
    integer(1, 100_000),
    "The highest number of in-flight orders of one rule; all manual requests count together " +
      "as one rule.",
  ),
  max_in_flight_per_pair: orNone(
    integer(1, 100_000),
    "The highest number of in-flight orders from one asset to one other.",
  ),
  max_in_flight_per_chain: orNone(
    integer(1, 100_000),
    "The highest number of in-flight orders with one chain at either end.",
  ),
  max_in_flight_per_service: orNone(
    integer(1, 100_000),
    "The highest number of in-flight orders with one service.",
  ),
  max_gain: withDefault(
    share,
    "100bps",
    "With several services: by how much a quote may be better than the median of the other " +
      "services' quotes. A better one is refused, because otherwise a service that lies always " +
      "wins.",
  ),
  solvers: withDefault(
    section({
      allow: orNone(
        list(solverId, "a list of solver ids", 1),
        "The only solvers whose quotes are accepted. Without a value: every solver.",
      ),
      deny: withDefault(
        list(solverId, "a list of solver ids"),
        [],
        "The solvers whose quotes are refused.",
      ),
    }),
    {},
    "The solvers that may fill orders, by the solver id of their quotes.",
  ),
  cooldown_after_failure: orNone(
    duration(1_000),
    "The pause of a pair, and of the rule that requested the order, after an order failed; " +
      "at least 1s. It doubles with each further failure, until an order completes. Without a " +
      "value: one minute for rules, none for manual requests.",
  ),
  cooldown_max: orNone(
    duration(1_000),
    "The longest cool-down. Without a value: sixteen times the first one.",
  ),
  rest_after_failure: withDefault(
    duration(1_000),
    "5s",
    "With several services: for how long a service that failed is asked for no quotes; at " +
      "least 1s. A service that was caught in a lie rests twelve times as long. The rest " +
      "doubles with each further failure, up to ten minutes, or six hours after lies, until an " +
      "order completes.",
  ),
  quiet_hours: withDefault(
    list(quietHours, "a list of quiet hours"),
    [],
    "Times of day in which no new order begins. Open orders continue.",
  ),
  approve_above: orNone(
    ownOrFiat,
    "Orders above this amount wait for a person's approval: fiat, or the sold asset's own unit.",
  ),
  approval_ttl: withDefault(
    duration(1_000),
    "1h",
    "The longest wait of an order for approval, and the lifetime of an approval.",
  ),
  destinations: withDefault(
    z.union([z.literal("own"), list(z.union([z.literal("own"), address]), "a list")], {
      error: "expected own, or a list of addresses in quotes",
    }),
    "own",
    "The allowed payees of swaps: own allows our own wallets; a list allows only its " +
      "addresses, and own in the list means all our wallets.",
  ),
  on_alarm: withDefault(
    choice(["pause", "continue"]),
    "pause",
    "The reaction to a taken source, a short payout or refund, a pinned contract that " +
      "changed, a foreign use of our nonce, or the payout of a told secret that cannot be " +
      "read: pause stops all new deposits until `ballast resume --acknowledge`; continue only " +
      "raises the alarm.",
  ),
  min_native: withDefault(
    z.record(z.string(), ownAmount, { error: "expected a map of chain to amount" }),
    {},
    "Per chain, the amount of the native asset that stays reserved for fees, in its own unit.",
  ),
})

/** The configuration file, key by key. `check-references.ts` checks references between keys. */
export const configFileSchema = section({
  service: orNone(service, "The swap service. Required, unless services lists several."),
  services: orNone(
    z.record(z.string(), service, { error: "expected a map of name to service" }),
    "Several deployments of the swap service, each by a name of its own, with the keys of " +
      "service. Every order stays with the service that it was created at. The first one also " +
      "owns the orders of journals without names.",
  ),
  data_dir: withDefault(
    text(/\S/, "a path"),
    "./data",
    "The folder of the journal; a relative path starts at the folder of the configuration " +
      "file. It must belong to Ballast's user and be closed to others (mode 700).",
  ),
  journal: orNone(
    text(
      new RegExp(`${POSTGRES_URL.source}|^(env|file|credential):.+$`),
      "a URL of PostgreSQL with one host, that of the primary, or a reference to one: " +
        "env:NAME or file:PATH",
    ).refine((written) => !written.startsWith("postgres") || rememberKeys(written)),
    "The PostgreSQL database with the treasury's lease and log, as a URL or as a reference " +
      "to one, for daemons on several machines (docs/CLUSTER.md). Without a value the journal " +
      "is one file in data_dir.",
  ),
  treasury: orNone(
    text(/^[\p{L}\p{N} ._-]{1,60}$/u, "a name of at most 60 letters, digits, spaces, and . _ -"),
    "The name of the treasury, which commands show on a terminal. Without a value: the name " +
      "of the configuration file.",
  ),
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
    "Affiliate fees on every order, in addition to those of service and solver; the service " +
      "pays them out weekly.",
  ),
  rules: withDefault(
    list(ruleSchema, "a list of rules"),
    [],
    "The rules of the treasury; the list may be empty.",
  ),
  guards: withDefault(guards, {}, "Limits that no order may pass."),
  prices: withDefault(
    pricesSchema,
    {},
    "Reference prices of our own, independent of the swap service.",
  ),
  books: withDefault(
    section({
      reconcile_every: withDefault(
        duration(1_000),
        "10m",
        "The interval between comparisons of the books with the chains.",
      ),
      on_difference: withDefault(
        choice(["alert", "pause"]),
        "alert",
        "The reaction to a wallet that holds less than the books say without an explanation: " +
          "an alert, or an alert and a pause of everything.",
      ),
    }),
    {},
    "The double-entry books.",
  ),
  secrets: withDefault(
    section({
      key: orNone(
        secretReference,
        "The key of our own swap secrets, by reference: 32 bytes in hex, such as `openssl " +
          "rand -hex 32` makes. It is no wallet key. Keep a copy: without it, and without the " +
          "journal, no payout can be redeemed. It needs treasury, which may not change later.",
      ),
    }),
    {},
    "Our own swap secrets (docs/OPERATIONS.md).",
  ),
  signer: withDefault(signerSchema, {}, "The process that holds the keys, and its own limits."),
  mode: withDefault(
    choice(["live", "observe"]),
    "live",
    "observe evaluates rules and records decisions, makes no order and no deposit, and " +
      "refuses requests. Open orders continue as in a pause.",
  ),
  stall_limit: withDefault(
    duration(5_000),
    "1m",
    "The daemon logs its stack and ends itself when its event loop stands still for this " +
      "long, so that it is started again; at least 5s.",
  ),
  health: withDefault(
    section({
      check_every: withDefault(
        duration(1_000),
        "10s",
        "The interval at which the daemon asks every endpoint and every service for a sign of " +
          "life.",
      ),
      alarm_after: withDefault(
        duration(1_000),
        "30s",
        "An endpoint or a service without a good answer for this long is an alarm, which " +
          "closes itself with the next good answer.",
      ),
    }),
    {},
    "The watch over endpoints and services.",
  ),
  alerts: withDefault(
    alertsSchema,
    {},
    "Messages to people about everything that is not as it should be.",
  ),
  telemetry: withDefault(
    section({
      otlp: orNone(
        secretUrl,
        "The base URL of a collector of OpenTelemetry that takes OTLP over HTTP, usually at " +
          "port 4318, or a reference to it. Ballast sends one trace for each order to its path " +
          "/v1/traces; a user and a password in the URL become a header.",
      ),
    }),
    {},
    "Traces of the orders (docs/OPERATIONS.md). Off by default.",
  ),
  log: withDefault(
    section({
      level: withDefault(
        choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
        "info",
        "The lowest level that is logged; more severe levels are logged too.",
      ),
    }),
    {},
    "The log.",
  ),
})

/** The parsed file: with defaults, durations in milliseconds, and amounts still as text. */
export type ConfigFile = z.output<typeof configFileSchema>
