import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "backup",
  summary: "make a verified copy of the journal, also while the daemon runs",
  options: {
    to: {
      type: "text",
      value: "FILE",
      summary: "the copy; without it, a new file in the data directory",
    },
  },
  examples: ["--to /backup/ballast.db"],
  run: async (context, { options }) =>
    (await import("../../actions/host/write-backup.ts")).writeBackup(context, options.to),
})
