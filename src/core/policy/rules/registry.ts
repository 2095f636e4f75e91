import { mustExist } from "#lib/assert.ts"
import type { Schedule } from "../schedule/due-occurrences.ts"
import { band } from "./band/band.ts"
import { gas } from "./gas/gas.ts"
import { recurring } from "./recurring/recurring.ts"
import type { ReasonTraits, Rule, RuleFile, RuleKind } from "./rule-kind.ts"
import { sweep } from "./sweep/sweep.ts"
import { weights } from "./weights/weights.ts"

/**
 * Every kind of rule. The order is the order in messages, in the JSON Schema and in docs/CONFIG.md.
 */
export const RULE_KINDS = [
  recurring,
  band,
  weights,
  sweep,
  gas,
] as const satisfies readonly RuleKind[]

type Kind = (typeof RULE_KINDS)[number]
type RuleOf<Record> = Record extends { watchedAssets(rule: infer R): unknown } ? R : never

/** A rule of any kind, as decisions store it. */
export type PolicyRule = RuleOf<Kind>
/** A rule that reads balances at an interval. */
type StandingRule = RuleOf<Extract<Kind, { readonly wake: "every" }>>
/** A rule that a cron schedule triggers. */
type ScheduledRule = RuleOf<Extract<Kind, { readonly wake: "schedule" }>>
/** A rule of the configuration: a standing rule also says how often the daemon evaluates it. */
export type TimedRule = ScheduledRule | (StandingRule & { readonly everyMs: number })

/** A rule as `buildRule` makes it. */
export type ConfiguredRule = ReturnType<Kind["build"]>

/** `null` for an unknown name. */
export function findRuleKind(name: string): RuleKind | null {
  return RULE_KINDS.find(({ kind }) => kind === name) ?? null
}

/** Throws `bug.assertion` for a rule of an unknown kind: the configuration accepts none. */
export function ruleKindOf({ kind }: Pick<Rule, "kind">): RuleKind {
  return mustExist(findRuleKind(kind), `the rule kind ${kind}`)
}

/**
 * The rule of a file that passed all checks. `decimalsOf` throws `bug.assertion` for an unknown
 * asset.
 */
export function buildRule(file: RuleFile, decimalsOf: (asset: string) => number): ConfiguredRule {
  // CAST: the record belongs to RULE_KINDS, so its `build` returns one of the rules that
  // ConfiguredRule lists.
  return ruleKindOf(file).build(file, decimalsOf) as ConfiguredRule
}

/** The cron schedule of a scheduled rule; `null` for a standing rule. */
export function scheduleOf(rule: Rule): Schedule | null {
  const kind = ruleKindOf(rule)
  return kind.wake === "schedule" ? kind.scheduleOf(rule) : null
}

/** The interval of a standing rule; `null` for a scheduled rule. */
export function everyMsOf(rule: TimedRule): number | null {
  return "everyMs" in rule ? rule.everyMs : null
}

/** The reason codes of the given kinds; of all kinds unless told. */
export function ruleReasons(
  kinds: readonly RuleKind[] = RULE_KINDS,
): ReadonlyMap<string, ReasonTraits> {
  return new Map(kinds.flatMap(({ reasons }) => Object.entries<ReasonTraits>(reasons)))
}
