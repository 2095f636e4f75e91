import { defineCommand } from "../../define-command.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"

export const command = defineCommand({
  name: "why",
  summary:
    "show the last decisions of a rule, with their reasons and the changes that would alter them",
  operands: { rule: { summary: "the rule's id", complete: "rule" } },
  options: EXACT_OPTION,
  examples: ["weekly"],
  run: async (context, { operands }) =>
    (await import("../../actions/rules/explain-rule.ts")).explainRule(context, operands.rule),
})
