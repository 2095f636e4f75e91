import { address } from "#schema/address.ts"
import { assetId, choice, duration, flag, integer, list, text } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"

const secretMode = choice(["own", "prefer-own", "service"])

/** One deployment of the swap service. */
export const serviceSchema = section({
  url: required(
    address,
    "Base URL of the swap service, without the version: a URL, a reference to one, or a map of " +
      "url and headers.",
  ),
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
    "The interval between observations of an open order. While only its payout is missing, an " +
      "observation asks the nodes once the service reports an end, once a block has an event of " +
      "the order, and else 5s after they were asked last: an event that the service hides may " +
      "be seen up to 5s later.",
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
