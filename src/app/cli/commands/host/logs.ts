import { defineCommand } from "../../define-command.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"

export const command = defineCommand({
  name: "logs",
  summary: "show the newest lines of the running daemon's log",
  details:
    "The daemon keeps its newest 2 000 lines, whatever takes its output. Older lines, and those " +
    "of a daemon that has ended, are where its supervisor writes them: `journalctl -u ballast`, " +
    "`pm2 logs ballast`, or the log of the container.",
  options: {
    follow: { type: "flag", short: "f", summary: "go on with each new line until Ctrl-C" },
    level: {
      type: "choice",
      values: ["debug", "info", "warn", "error"],
      default: "info",
      summary: "only lines of this level and above",
    },
    order: { type: "text", value: "ID", summary: "only lines of this order; a beginning will do" },
    limit: { type: "number", min: 1, max: 1_000, default: 50, summary: "the number of lines" },
    ...DATA_DIR_OPTION,
  },
  examples: ["", "--follow --level warn", "--order 5f3a0011"],
  run: async (context, { options }) =>
    (await import("../../actions/host/show-log.ts")).showLog(context, options),
})
