import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "resume",
  summary: "lift a pause of everything, one chain or one rule",
  options: {
    chain: { type: "text", value: "CHAIN", summary: "lift the pause of orders whose source is this chain" },
    rule: { type: "text", value: "RULE", summary: "lift the pause of this rule" },
  },
  examples: ["", "--chain base_sepolia"],
  run: async (context, { options }) => (await import("../actions/set-pause.ts")).setPause(context, "resume", options),
})
