import type { Reason } from "#domain/reason.ts"

/**
 * How a rule stands when its decision asked for nothing because of this reason.
 *
 * `fine`: it needs nothing, or a person wanted it so. `queued`: it waits for an order, a rule or a
 * time, and those have a problem of their own if they last. `held`: the engine tries again until a
 * read succeeds. `lasting`: only a person changes it. `barred`: each try ends in the same way until
 * a price, a service or a setting changes.
 */
export type Standing = "fine" | "queued" | "held" | "lasting" | "barred"

/** It says nothing of the rule's other pairs, whose reasons count as if it were not there. */
export const PARTNER_NEEDS = "policy.partner_needs"

/** A code of a later version counts as barred, so that its rule is named. */
export function standingOf({ code, max, bps }: Reason): Standing {
  // The rule needs less than an order is worth.
  if (code === "policy.too_dear" && max === undefined && bps === undefined) return "queued"
  return STANDINGS[code] ?? "barred"
}

/** The next step for a rule that is held or barred. */
export function stepOfRefusal({ code, cause }: Reason): string {
  if (cause === "policy.amount_unknown") return SEE_ORDER
  return STEPS.find(([pattern]) => pattern.test(code))?.[1] ?? CORRECT
}

export const STANDINGS: Readonly<Record<string, Standing>> = {
  "policy.target_satisfied": "fine",
  "policy.within_tolerance": "fine",
  "policy.below_keep": "fine",
  "policy.gas_kept": "fine",
  "policy.missed": "fine",
  "policy.fee_wait": "fine",
  "policy.grown": "fine",
  "mode.observe": "fine",
  paused: "fine",
  "limit.quiet_hours": "fine",
  "policy.partial": "queued",
  [PARTNER_NEEDS]: "queued",
  "policy.asset_claimed": "queued",
  "policy.order_count": "queued",
  "limit.cooldown": "queued",
  "limit.in_flight": "queued",
  "limit.in_flight_rule": "queued",
  "limit.in_flight_pair": "queued",
  "limit.in_flight_chain": "queued",
  "limit.in_flight_service": "queued",
  "limit.route_in_flight": "queued",
  "service.resting": "queued",
  "clock.jump": "queued",
  "policy.view_incomplete": "held",
  "policy.price_missing": "held",
  "policy.quote_missing": "held",
  "policy.amount_unknown": "held",
  "policy.gas": "held",
  "funds.unreadable": "held",
  "funds.insufficient": "held",
  "funds.gas": "held",
  "policy.illiquid": "lasting",
  "policy.no_room": "lasting",
  "policy.no_partner": "lasting",
  "policy.empty": "lasting",
  "policy.below_minimum": "lasting",
  "policy.nothing": "barred",
  "policy.asset_unknown": "barred",
  "policy.gas_unknown": "barred",
  "policy.pair_closed": "barred",
  "policy.pair_unavailable": "barred",
  "policy.too_dear": "barred",
  "policy.window": "barred",
  "policy.order_limit": "barred",
  "policy.no_order_fits": "barred",
  "limit.zero": "barred",
  "limit.order": "barred",
  "limit.solver": "barred",
  "limit.window": "barred",
  "limit.window_count": "barred",
  "limit.window_fees": "barred",
  "price.zero": "barred",
  "price.missing": "barred",
  "price.cost": "barred",
  "price.total_cost": "barred",
  "price.reference": "barred",
  "price.reference_missing": "barred",
  "price.other_kind": "barred",
  "quote.none": "barred",
  "quote.too_good": "barred",
  "quote.unproven": "barred",
  "quote.not_exact": "barred",
  "quote.above_most": "barred",
  "limit.service_secret": "barred",
  "service.silent": "barred",
  "service.no_pair": "barred",
  "service.pair_closed": "barred",
  "service.no_liquidity": "barred",
  "service.amount_bounds": "barred",
  "service.affiliate_sum": "barred",
  "service.quote_mismatch": "barred",
  "service.quote_zero": "barred",
  "service.malformed": "barred",
  "service.app_id": "barred",
  "service.refused": "barred",
  "service.not_found": "barred",
  "service.duplicate": "barred",
  "service.rate_limited": "held",
  "service.unavailable": "held",
  "service.uncertain": "held",
  "route.payee": "barred",
  "gasless.unavailable": "barred",
  "affiliate.asset": "barred",
  "affiliate.address": "barred",
  "affiliate.sum": "barred",
  "request.unknown_asset": "barred",
  "request.same_asset": "barred",
  "request.destination": "barred",
  "wallet.watch_only": "barred",
}

const SEE_ORDER =
  "Ask the operator of the service why it does not quote that order, or abandon it: the rule " +
  "goes on without it."
const ASK_FOR_QUOTES =
  "Ask the operator of the service when it quotes this pair, or give the rule another pair or " +
  "amount."
const CORRECT = "Correct the setting that the reason names, then let the daemon read it."

/** By the code; the first that fits counts. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/^(policy\.quote_missing|quote\.none|service\.)/, ASK_FOR_QUOTES],
  [/^policy\.pair_/, ASK_FOR_QUOTES],
  [
    /^(policy\.(view|price|amount)|price\.(missing|reference_missing)|funds\.unreadable)/,
    "Repair the node or the price source that the reason names; the rule goes on then.",
  ],
  [
    /^(policy\.gas$|funds\.)/,
    "Send the chain's coin to the address that `ballast wallet` shows, or lower " +
      "guards.min_native, which keeps it for fees.",
  ],
  [
    /^(policy\.too_dear|price\.(cost|total_cost|other_kind))/,
    "Compare the quote with the market: if the service alone is dear, ask its operator; else " +
      "raise the max_cost that the reason names, or wait.",
  ],
  [
    /^(price\.|quote\.)/,
    "Compare the quote and the reference prices (prices.sources) with the market: ask the " +
      "operator of the service, or replace the source that is wrong.",
  ],
  [
    /^(policy\.window|limit\.window)/,
    "It goes on as the window does. Lower the rule's amounts, or raise the window of " +
      "guards.windows only for a reason.",
  ],
  [
    /^(policy\.(order_limit|no_order_fits)|limit\.)/,
    "Change the rule's amounts, or the limit that the reason names, so that they fit.",
  ],
]
