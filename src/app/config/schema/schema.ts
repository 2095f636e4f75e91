import { z } from "zod"
import { rememberKeys } from "#lib/known-keys.ts"
import { ROUTES } from "#routes/registry.ts"
import { addressText } from "#schema/address.ts"
import {
  address,
  assetId,
  choice,
  duration,
  integer,
  list,
  secretReference,
  text,
} from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { POSTGRES_URL } from "../secrets/resolve-secrets.ts"
import { alertsSchema } from "./schema-alerts.ts"
import { chainSchema } from "./schema-chains.ts"
import { guardsSchema } from "./schema-guards.ts"
import { opsSchema } from "./schema-ops.ts"
import { pricesSchema } from "./schema-prices.ts"
import { ruleSchema } from "./schema-rules.ts"
import { serviceSchema } from "./schema-service.ts"
import { signerSchema } from "./schema-signer.ts"

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

/** The configuration file, key by key. `check-references.ts` checks references between keys. */
export const configFileSchema = section({
  service: orNone(serviceSchema, "The swap service. Required, unless services lists several."),
  services: orNone(
    z.record(z.string(), serviceSchema, { error: "expected a map of name to service" }),
    "Several deployments of the swap service, each by a name of its own, with the keys of " +
      "service. Every order stays with the service that it was created at. The first one also " +
      "owns the orders of journals without names.",
  ),
  data_dir: withDefault(
    text(/^(?!~\/).*\S/, "a path with the home folder written out, because no shell reads ~"),
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
  ops: withDefault(opsSchema, {}, "The HTTP interface for operators."),
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
  routes: withDefault(
    section(
      Object.fromEntries(
        ROUTES.map(({ kind, schema, summary }) => [kind, orNone(schema, summary)]),
      ),
    ),
    {},
    "Other ways between the same assets than the swap services.",
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
  guards: withDefault(guardsSchema, {}, "Limits that no order may pass."),
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
        "pause",
        "The reaction to a wallet that holds less than the books say without an explanation: " +
          "an alert, or an alert and a pause of everything. More than the books say never pauses.",
      ),
    }),
    {},
    "The double-entry books.",
  ),
  secrets: withDefault(
    section({
      key: orNone(
        secretReference,
        "The key of our own swap secrets, by reference: 32 bytes in hex, such as `ballast " +
          "wallet random FILE` makes. It is no wallet key. Keep a copy: without it, and without " +
          "the journal, no payout can be redeemed. It needs treasury, which may not change later.",
      ),
    }),
    {},
    "Our own swap secrets (docs/SECURE.md).",
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
          "life while one of them fails or an order is in flight; else it asks less often, up to " +
          "every 30s. An endpoint whose newest block the chain has just read is not asked.",
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
        addressText,
        "The base URL of a collector of OpenTelemetry that takes OTLP over HTTP, usually at " +
          "port 4318, or a reference to it. Ballast sends one trace for each order to its path " +
          "/v1/traces; a user and a password in the URL become a header.",
      ),
    }),
    {},
    "Traces of the orders (docs/OBSERVE.md). Off by default.",
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
