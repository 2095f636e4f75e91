import { DATA_DIR_OPTION } from "../data-dir-option.ts"
import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "alerts",
  summary: "list the alarms whose cause lasts; with --all also those that are over",
  details: "It reads the journal, so it needs no daemon.",
  options: {
    all: { type: "flag", summary: "also alarms whose cause is gone" },
    limit: { type: "number", min: 1, max: 200, default: 50, summary: "the highest number of alarms" },
    ...DATA_DIR_OPTION,
  },
  examples: ["", "--all --limit 200"],
  run: async (context, { options }) => (await import("../actions/list-alerts.ts")).listAlerts(context, options),
})
