import { defineCommand } from "../../define-command.ts"
import { TOKEN_OPTION } from "../../token-option.ts"

export const command = defineCommand({
  name: "proposals",
  summary: "list the changes of rules that agents propose, show one, or dismiss it",
  details:
    "A proposal has a backtest of the rules in force and of the change. To apply it, change the " +
    "file, then `ballast reload`; no command and no agent changes it.",
  operands: { proposal: { summary: "the id of a proposal", optional: true } },
  options: {
    dismiss: { type: "flag", summary: "the change is not wanted" },
    ...TOKEN_OPTION,
  },
  examples: ["", "5f3a00119c41d2e8", "5f3a00119c41d2e8 --dismiss --token env:ANNA_TOKEN"],
  exitCodes: { 1: "there is no such open proposal" },
  run: async (context, { operands, options }) =>
    (await import("../../actions/rules/show-proposals.ts")).showProposals(
      context,
      operands.proposal,
      options,
    ),
})
