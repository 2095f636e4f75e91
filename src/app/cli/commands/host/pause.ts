import { defineCommand } from "../../define-command.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"

export const command = defineCommand({
  name: "pause",
  summary:
    "stop new deposits and signatures of everything, one chain or one rule; survives restarts",
  details:
    "It works with a damaged configuration file, and without an answer of the daemon: then " +
    "it writes the pause into the journal, which a running daemon reads before each " +
    "signature. A file PAUSE in the data directory and the signal SIGUSR2 pause too.",
  options: {
    chain: { type: "text", value: "CHAIN", summary: "only orders whose source is this chain" },
    rule: { type: "text", value: "RULE", summary: "only this rule" },
    ...DATA_DIR_OPTION,
  },
  examples: ["", "--chain base_sepolia"],
  run: async (context, { options }) =>
    (await import("../../actions/host/set-pause.ts")).setPause(context, "pause", options),
})
