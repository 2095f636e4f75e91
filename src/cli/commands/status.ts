import { DATA_DIR_OPTION } from "../data-dir-option.ts"
import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "status",
  summary: "show whether the daemon runs, the pause with its reason, orders in flight and the last alarms",
  details: "Without a daemon it reads the journal. It also works with a damaged configuration file.",
  options: DATA_DIR_OPTION,
  examples: ["", "--data-dir /var/lib/ballast"],
  run: async (context, { options }) =>
    (await import("../actions/show-status.ts")).showStatus(context, options["data-dir"]),
})
