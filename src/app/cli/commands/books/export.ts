import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "export",
  summary: "export swaps for a tax tool, or the books as plain-text accounting",
  options: {
    format: {
      type: "choice",
      values: ["csv", "json", "ledger", "koinly", "cointracker"],
      summary: "without it, csv, or json with --json",
    },
    from: { type: "text", value: "DATE", summary: "the first day or moment, in UTC" },
    to: { type: "text", value: "DATE", summary: "the last day or moment, in UTC" },
    output: { type: "text", value: "FILE", short: "o", summary: "write to this file" },
  },
  examples: [
    "--format csv --from 2026-01-01 --output swaps.csv",
    "--format ledger -o books.journal",
    "--format koinly --from 2026-01-01 --to 2026-12-31 -o koinly.csv",
  ],
  run: async (context, { options }) =>
    (await import("../../actions/books/export-books.ts")).exportBooks(context, options),
})
