import type { Reason } from "#domain/reason.ts"
import { ruleReasons } from "#policy/rules/registry.ts"

/** The change after which this reason no longer holds, with its numbers; `null` when the reason's own sentence is enough. */
export function whatChanges(reason: Reason): string | null {
  const template = TEMPLATES[reason.code] ?? ruleReasons().get(reason.code)?.hint ?? null
  if (template === null) return null
  const filled = template.replace(/\{(\w+)\}/g, (_match, name: string) => reason[name] ?? "?")
  return filled.includes("?") ? null : filled
}

/** By reason code; `{name}` stands for a field of the reason. The reasons of one rule kind are in its record (`policy/rules`). */
const TEMPLATES: Readonly<Record<string, string>> = {
  "policy.not_due": "it is {next}",
  "policy.illiquid": "more of the source arrives, or less of it is asked for",
  "policy.below_minimum": "enough is missing for the smallest order",
  "policy.too_dear": "the swap gets cheaper, the amount larger, or max_cost higher",
  "policy.no_room": "the other rule's bounds leave room",
  "policy.no_partner": "the rule names sources or sinks",
  "policy.order_count": "orders under way end, or max_in_flight is above {max}",
  "policy.view_incomplete": "{asset} can be read again; it is tried by itself",
  "policy.amount_unknown": "the order under way has its quote",
  "policy.price_missing": "there is a price for {asset}; it is asked for by itself",
  "policy.quote_missing": "the service quotes {from} to {to}; it is asked by itself",
  "policy.pair_unavailable": "the service swaps {from} to {to}",
  "policy.asset_claimed": "{rule} has had its turn",
  "policy.partner_needs": "{rule} has what it wants",
  "limit.order": "the order is at most {max}, or max_order higher",
  "limit.window": "the window is at most {max}: it empties by itself",
  "limit.window_count": "the window has less than {max} orders: it empties by itself",
  "limit.window_fees": "the window's fees are at most {max}: it empties by itself",
  "limit.in_flight": "orders under way end",
  "limit.cooldown": "it is {until}",
  "funds.insufficient": "the wallet has {needUnits} smallest units instead of {haveUnits}",
  "funds.gas": "the wallet has {needUnits} smallest units of the chain's own coin instead of {haveUnits}",
  "funds.unreadable": "the node can be read again",
  "price.cost": "a quote costs at most {max} instead of {cost}",
  "price.reference": "a quote costs at most {max} by reference prices instead of {cost}",
  "price.missing": "the service's quotes name their value",
  "price.reference_missing": "the price source answers",
  paused: "`ballast resume`",
  "mode.observe": "the configuration says mode: live",
}
