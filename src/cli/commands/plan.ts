import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "plan",
  summary:
    "preview the next decisions: every proposal with its cost, every declined rule with its reasons; writes nothing",
  details: "The running daemon makes the plan; without one, this process asks nodes and service.",
  examples: ["", "--json"],
  run: async (context) => (await import("../actions/show-plan.ts")).showPlan(context),
})
