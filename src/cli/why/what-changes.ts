import type { Reason } from "#domain/reason.ts"

/** The change that would turn this refusal into an order, with its numbers; `null` if the reason itself already says it. */
export function whatChanges(reason: Reason): string | null {
  const template = TEMPLATES[reason.code]
  if (template === undefined) return null
  const filled = template.replace(/\{(\w+)\}/g, (_match, name: string) => reason[name] ?? "?")
  return filled.includes("?") ? null : filled
}

/** By reason code; `{name}` is a field of the reason. */
const TEMPLATES: Readonly<Record<string, string>> = {
  "policy.target_satisfied": "{asset} goes below {min} or above {max}",
  "policy.within_tolerance": "the share of {asset} is more than {tolerance} off {weight}",
  "policy.below_keep": "{asset} holds more than {keep}",
  "policy.not_due": "it is {next}",
  "policy.illiquid": "the source balance grows, or the rule asks for less",
  "policy.below_minimum": "the missing amount reaches the smallest order",
  "policy.too_dear": "the swap gets cheaper, the amount grows, or max_cost is higher",
  "policy.no_room": "the other rule's bounds leave headroom",
  "policy.no_partner": "the rule names sources or sinks",
  "policy.order_count": "orders in flight end, or max_in_flight is above {max}",
  "policy.view_incomplete": "{asset} is readable again; Ballast retries by itself",
  "policy.amount_unknown": "the order in flight has its quote",
  "policy.price_missing": "there is a price for {asset}; Ballast asks for it by itself",
  "policy.quote_missing": "the service quotes {from} to {to}; Ballast asks by itself",
  "policy.pair_unavailable": "the service swaps {from} to {to}",
  "policy.asset_claimed": "{rule} no longer needs the asset",
  "policy.partner_needs": "{rule} has reached its target",
  "policy.missed": "the rule has catch_up: once or all",
  "limit.order": "the order is at most {max}, or max_order is higher",
  "limit.window": "the window is at most {max}: it empties by itself",
  "limit.window_count": "the window has less than {max} orders: it empties by itself",
  "limit.window_fees": "the window's fees are at most {max}: it empties by itself",
  "limit.in_flight": "orders in flight end",
  "limit.cooldown": "it is {until}",
  "funds.insufficient": "the wallet has {needUnits} smallest units instead of {haveUnits}",
  "funds.gas": "the wallet has {needUnits} smallest units of the chain's own coin instead of {haveUnits}",
  "funds.unreadable": "the node answers again",
  "price.cost": "a quote costs at most {max} instead of {cost}",
  "price.reference": "a quote costs at most {max} by reference prices instead of {cost}",
  "price.missing": "the service's quotes name their value",
  "price.reference_missing": "the price source answers",
  paused: "`ballast resume`",
  "mode.observe": "the configuration has mode: live",
}
