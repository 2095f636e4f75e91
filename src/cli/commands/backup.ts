import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "backup",
  summary: "copy the journal, also of a running daemon, and check the copy",
  options: { to: { type: "text", value: "FILE", summary: "the copy; without it, a new file in the data directory" } },
  examples: ["--to /backup/ballast.db"],
  run: async (context, { options }) => (await import("../actions/write-backup.ts")).writeBackup(context, options.to),
})
