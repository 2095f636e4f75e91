import {
  assetId,
  choice,
  fiatAmount,
  flag,
  integer,
  list,
  secretReference,
  text,
} from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"

const pair = section({
  from: required(assetId, "The asset to sell."),
  to: required(assetId, "The asset to receive, always into our own wallet."),
})

export const agentsSchema = list(
  section({
    name: required(
      text(
        /^[a-z][a-z0-9_-]{0,31}$/,
        "a letter, then at most 31 lower case letters, digits, - and _",
      ),
      "The agent's name; its orders have the rule `agent.<name>`.",
    ),
    token: orNone(
      secretReference,
      "The bearer token for /mcp, by reference; at least 16 characters. It opens no other path.",
    ),
    socket: withDefault(
      flag,
      false,
      "Whether `ballast mcp` may act as this agent, over the daemon's socket.",
    ),
    tools: withDefault(
      list(
        choice(["read", "quote", "simulate", "propose", "swap"]),
        "a list of read, quote, simulate, propose and swap",
        1,
      ),
      ["read"],
      "The tools that the agent sees: read shows, quote asks services, simulate runs backtests, " +
        "propose keeps changes of rules for a person, swap asks for orders.",
    ),
    pairs: withDefault(list(pair, "a list of from and to"), [], "The swaps that it may ask for."),
    max_order: orNone(fiatAmount, "The highest amount of one order; needed for swap."),
    max_day: orNone(
      fiatAmount,
      "The highest amount of all its orders in 24 hours; needed for swap.",
    ),
    max_day_count: withDefault(
      integer(1, 10_000),
      6,
      "The highest number of its orders in 24 hours, however they end.",
    ),
    max_in_flight: withDefault(integer(1, 1_000), 1, "The highest number of its open orders."),
    approve_above: withDefault(
      fiatAmount,
      "0 usd",
      "Orders above this amount wait for a named person, beside guards.approve_above.",
    ),
  }),
  "a list of agents",
)
