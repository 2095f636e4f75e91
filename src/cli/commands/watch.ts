import { DATA_DIR_OPTION } from "../data-dir-option.ts"
import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "watch",
  summary: "show the status on a live screen until Ctrl-C",
  details: "Without a terminal it prints the verdict whenever it changes, one line each.",
  options: {
    every: { type: "number", min: 1, max: 3_600, default: 2, summary: "the seconds between two looks" },
    ...DATA_DIR_OPTION,
  },
  examples: ["", "--every 10"],
  run: async (context, { options }) =>
    (await import("../actions/watch-status.ts")).watchStatus(context, options.every, options["data-dir"]),
})
