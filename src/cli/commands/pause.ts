import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "pause",
  summary: "stop new deposits and signatures of everything, one chain or one rule; survives restarts",
  options: {
    chain: { type: "text", value: "CHAIN", summary: "only orders whose source is this chain" },
    rule: { type: "text", value: "RULE", summary: "only this rule" },
  },
  examples: ["", "--chain base_sepolia"],
  run: async (context, { options }) => (await import("../actions/set-pause.ts")).setPause(context, "pause", options),
})
