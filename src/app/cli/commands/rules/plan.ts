import { defineCommand } from "../../define-command.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "plan",
  summary:
    "preview the next decisions: every proposal with its cost, every declined rule with its " +
    "reasons; writes nothing",
  details: "The running daemon makes the plan; without one, this process asks nodes and service.",
  options: { ...PASSWORD_OPTION, ...EXACT_OPTION },
  examples: ["", "--json"],
  run: async (context, { options }) =>
    (await import("../../actions/rules/show-plan.ts")).showPlan(context, {
      passwordStdin: options["password-stdin"],
    }),
})
