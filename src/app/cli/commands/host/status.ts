import { defineCommand } from "../../define-command.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"

export const command = defineCommand({
  name: "status",
  summary:
    "show in one sentence how it is, and then what needs you, nodes, balances, orders, " +
    "limits and alarms",
  details:
    "Without a daemon it reads the journal and says when the daemon was last seen. It also " +
    "works with a damaged configuration file. Monitors need only the exit code.",
  options: DATA_DIR_OPTION,
  examples: ["", "--json", "--data-dir /var/lib/ballast"],
  exitCodes: {
    0: "all is well",
    1: "something needs attention, and no money or order is affected; or there is no journal yet",
    2: "trouble: an order, money or the daemon itself is affected",
  },
  run: async (context, { options }) =>
    (await import("../../actions/host/show-status.ts")).showStatus(context, options["data-dir"]),
})
