import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "replay",
  summary: "repeat a decision from its stored inputs; the result must be the same",
  operands: {
    decision: { summary: "the decision's id from `ballast why`, or a unique beginning of it" },
  },
  examples: ["d41c"],
  exitCodes: { 0: "the same result", 1: "another result or not found" },
  run: async (context, { operands }) =>
    (await import("../../actions/rules/replay-stored-decision.ts")).replayStoredDecision(
      context,
      operands.decision,
    ),
})
