import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "earnings",
  summary: "compare our affiliate earnings with what the services state",
  details:
    "The sums of our own orders are of all time (`ballast report --affiliate` has the weeks). " +
    "Ballast claims nothing: the table shows the figures and the contract for a claim by hand.",
  examples: ["", "--json"],
  exitCodes: { 0: "every asset is the same", 1: "one differs, or could not be compared" },
  run: async (context) =>
    (await import("../../actions/books/show-earnings.ts")).showEarnings(context),
})
