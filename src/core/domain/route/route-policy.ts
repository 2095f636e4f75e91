import type { AssetId } from "../asset.ts"
import type { RouteRules } from "./service-listing.ts"

/**
 * Whether the service's policy swaps `from` for `to`.
 *
 * The most specific isolation rule of each asset limits its partners; a rule with `<->` limits them
 * in both directions. A blacklisted pair needs a whitelist entry. Every other pair follows the
 * default.
 */
export function allowsRoute(policy: RouteRules, from: AssetId, to: AssetId): boolean {
  if (from === to) return false
  const isolation = policy.isolationGroups
    .map(parseRule)
    .sort((a, b) => b.specificity - a.specificity)
  const ofSource = findIsolation(isolation, from)
  if (ofSource !== null && !matches(ofSource.partner, to)) return false
  const ofDestination = findIsolation(isolation, to)
  if (ofDestination?.rule.bothWays && !matches(ofDestination.partner, from)) return false
  const listed = (rules: readonly string[]): boolean =>
    rules.some((rule) => matchesPair(parseRule(rule), from, to))
  if (listed(policy.blacklistPairs)) return listed(policy.whitelistOverrides)
  return policy.openByDefault
}

type Rule = {
  readonly from: string
  readonly to: string
  readonly bothWays: boolean
  readonly specificity: number
}

function parseRule(text: string): Rule {
  const bothWays = text.includes("<->")
  const [from = "", to = ""] = text
    .split(bothWays ? "<->" : "->")
    .map((side) => side.trim().toLowerCase())
  return { from, to, bothWays, specificity: rank(from) * 10 + rank(to) }
}

function rank(pattern: string): number {
  if (pattern === "*") return 0
  return pattern.includes("*") ? 1 : 2
}

/** The first rule that names the asset, with the pattern that its partner must match. */
function findIsolation(
  rules: readonly Rule[],
  asset: AssetId,
): { rule: Rule; partner: string } | null {
  for (const rule of rules) {
    if (matches(rule.from, asset)) return { rule, partner: rule.to }
    if (rule.bothWays && matches(rule.to, asset)) return { rule, partner: rule.from }
  }
  return null
}

function matchesPair(rule: Rule, from: AssetId, to: AssetId): boolean {
  if (matches(rule.from, from) && matches(rule.to, to)) return true
  return rule.bothWays && matches(rule.to, from) && matches(rule.from, to)
}

/** An empty part of a pattern matches everything, as `*` does. */
function matches(pattern: string, asset: AssetId): boolean {
  const [chain = "", symbol = ""] = pattern.split(":").map((part) => part.trim())
  const [ownChain, ownSymbol] = asset.split(":")
  return (
    (chain === "" || chain === "*" || chain === ownChain) &&
    (symbol === "" || symbol === "*" || symbol === ownSymbol)
  )
}
