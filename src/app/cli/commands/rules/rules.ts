import { defineCommand } from "../../define-command.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"

export const command = defineCommand({
  name: "rules",
  summary: "list the rules with their last decision and the next time",
  details: "Without a daemon it reads the journal.",
  options: {
    ids: { type: "flag", summary: "print only their ids, one a line" },
    ...DATA_DIR_OPTION,
    ...EXACT_OPTION,
  },
  examples: ["", "--ids"],
  run: async (context, { options }) =>
    (await import("../../actions/rules/list-rules.ts")).listRules(context, options),
})
