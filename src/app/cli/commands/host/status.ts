import { defineCommand } from "../../define-command.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"

export const command = defineCommand({
  name: "status",
  summary:
    "show in one sentence how it is, and then what needs you, nodes, balances, orders, " +
    "limits and alarms",
  details:
    "Without a daemon it reads the journal and says when the daemon was last seen. It also " +
    "works with a damaged configuration file. Monitors need only the exit code.",
  options: {
    ...DATA_DIR_OPTION,
    since: {
      type: "text",
      value: "TIME",
      summary: "also what happened since then: a span such as 8h, a date or a time (UTC)",
    },
    ...EXACT_OPTION,
  },
  examples: ["", "--since 8h", "--json", "--data-dir /var/lib/ballast"],
  exitCodes: {
    0: "all is well",
    1: "something needs attention, and no money or order is affected; or there is no journal yet",
    2: "trouble: an order, money or the daemon itself is affected",
  },
  run: async (context, { options }) =>
    (await import("../../actions/host/show-status.ts")).showStatus(context, {
      dataDir: options["data-dir"],
      since: options.since,
    }),
})
