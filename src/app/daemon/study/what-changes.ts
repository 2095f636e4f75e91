import type { Reason } from "#domain/reason.ts"
import { ruleReasons } from "#policy/rules/registry.ts"

/**
 * The change after which this reason no longer holds, with its numbers; `null` when the reason's
 * own sentence is enough.
 */
export function whatChanges(reason: Reason): string | null {
  const template = TEMPLATES[reason.code] ?? ruleReasons().get(reason.code)?.hint ?? null
  if (template === null) return null
  const filled = template.replace(/\{(\w+)\}/g, (_match, name: string) =>
    name === "limit" ? limitOf(reason) : (reason[name] ?? "?"),
  )
  return filled.includes("?") ? null : filled
}

/** A limit on sold units and a limit on value have the same code; their sentences differ. */
function limitOf({ message, max }: Reason): string {
  if (max === undefined) return "?"
  return /larger than|would sell more/.test(message) ? `${max} smallest units` : `${max} usd`
}

/**
 * By reason code; `{limit}` is the reason's `max` with its unit, and any other `{name}` stands for
 * a field of the reason. The reasons of one rule kind are in its record (`policy/rules`).
 */
const TEMPLATES: Readonly<Record<string, string>> = {
  "policy.not_due": "it is {next}",
  "policy.illiquid": "more of the source arrives, or the rule needs less of it",
  "policy.below_minimum": "the missing amount reaches the smallest order",
  "policy.fee_wait":
    "the network fee of {chain} is higher than at most {accepts} of the last week's, or it is " +
    "{until}",
  "policy.too_dear": "the swap costs less, the amount grows, or max_cost is higher",
  "policy.no_room": "the bounds of the other rule leave headroom",
  "policy.no_partner": "the rule lists sources or sinks",
  "policy.order_count": "orders in flight end, or max_in_flight is above {max}",
  "policy.view_incomplete": "{asset} is readable again; the daemon retries by itself",
  "policy.amount_unknown": "the order in flight has its quote",
  "policy.price_missing": "{asset} has a price; the daemon retries by itself",
  "policy.quote_missing": "the service quotes {from} to {to}; the daemon retries by itself",
  "policy.pair_unavailable": "the service swaps {from} to {to}",
  "policy.pair_closed": "the service opens the pair from {from} to {to} again",
  "policy.asset_claimed": "{rule} no longer needs the same asset in this tick",
  "policy.partner_needs": "the need of {rule} is met",
  "limit.order": "the order is at most {limit}, or max_order higher",
  "limit.window": "the window is at most {limit}: it empties by itself",
  "limit.window_count": "the window has less than {max} orders: it empties by itself",
  "limit.window_fees": "the window's fees are at most {limit}: it empties by itself",
  "limit.in_flight": "orders in flight end",
  "limit.in_flight_service": "orders in flight with the service end",
  "limit.route_in_flight": "orders of the route are minted, or its max_in_flight is {found}",
  "limit.solver": "guards.solvers lets {solver} fill orders",
  "quote.too_good": "the services quote amounts that agree within {maxGain}",
  "quote.unproven":
    "reference prices or a third service prove one of the quotes, or the services agree",
  "service.resting": "it is {until}",
  "limit.cooldown": "it is {until}",
  "funds.insufficient": "the wallet has {needUnits} smallest units instead of {haveUnits}",
  "funds.gas":
    "the wallet has {needUnits} smallest units of the chain's own coin instead of {haveUnits}",
  "funds.unreadable": "the node is readable again",
  "price.cost": "a quote costs at most {max} instead of {cost}",
  "price.reference": "a quote costs at most {max} by reference prices instead of {cost}",
  "price.missing": "the quotes of the service contain their value",
  "price.reference_missing": "the price source answers",
  paused: "`ballast resume`",
  "mode.observe": "the configuration says mode: live",
}
