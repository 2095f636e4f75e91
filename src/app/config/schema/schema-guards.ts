import { z } from "zod"
import {
  address,
  choice,
  duration,
  fiatAmount,
  integer,
  list,
  ownAmount,
  ownOrFiat,
  share,
  shareOrFiat,
  text,
} from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"

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

const approveStep = section({
  over: required(ownOrFiat, "Orders above this amount wait."),
  people: required(
    integer(1, 9),
    "The number of people that must approve. Where two are needed, only named tokens with the " +
      "scope approve count, each once, and never that of the asker.",
  ),
})

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

/** The limits that no order may pass. */
export const guardsSchema = section({
  max_cost: withDefault(
    shareOrFiat,
    "100bps",
    "The highest cost of one swap: the loss of value from source to destination, the network " +
      "fee of its deposit, a refund by its probability, and the locked money.",
  ),
  capital_cost: withDefault(
    share,
    "0bps",
    "The cost of the money that a swap locks, as a share a year. Every max_cost counts it: " +
      "for an hour of each swap, and for the longest timelock by the probability of a refund; " +
      "for the usual time of a route.",
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
    z.union([ownOrFiat, list(approveStep, "a list of over and people", 1)], {
      error: 'expected an amount such as "500 usd", or a list of over and people',
    }),
    "Orders above this amount wait for a person's approval: fiat, or the sold asset's own unit. " +
      "A list of `{over, people}` asks for several people above higher amounts.",
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
  payees: withDefault(
    z.record(z.string(), address, { error: "expected a map of name to address" }),
    {},
    "Names for addresses, which an approval shows. They allow nothing.",
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
