import { type Problem, problem } from "./problem.ts"
import type { Readings, RuleReading } from "./readings.ts"

/** Refusals that last until a person changes a balance or the rule. */
const LASTING_CODES = ["policy.illiquid", "policy.no_room", "policy.no_partner", "policy.empty", "policy.below_minimum"]

/** Rules that cannot reach their goal. Without a daemon the last decisions are old, and its absence is the problem. Pure. */
export function findUnmetRules({ rules, daemon }: Pick<Readings, "rules" | "daemon">): readonly Problem[] {
  return daemon.answers ? rules.filter(({ enabled, paused }) => enabled && !paused).flatMap(findUnmetRule) : []
}

function findUnmetRule({ id, verdict, reasons }: RuleReading): Problem[] {
  const lasting = reasons.find(({ code }) => LASTING_CODES.includes(code))
  if (verdict !== "declined" || lasting === undefined) return []
  const todo = "Fund one of its sources, or correct the rule's bounds, sources and limits."
  const sentence = `The rule ${id} cannot be met: ${lasting.message} [${lasting.code}]`
  const given = { about: id, todo, command: `ballast why ${id}`, needsPerson: true }
  return [problem({ level: "attention", code: "rule.unmet", sentence, ...given })]
}
