import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "advise",
  summary:
    "what changes of the rules would have done with the flows of the last weeks in the books",
  examples: ["", "--json"],
  run: async (context) => (await import("../../actions/rules/show-advice.ts")).showAdvice(context),
})
