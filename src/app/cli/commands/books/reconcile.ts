import { YES_OPTION } from "../../confirm.ts"
import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "reconcile",
  summary: "compare the books with the chains now",
  options: {
    accept: { type: "text", value: "ASSET", summary: "book the difference of this asset" },
    as: {
      type: "choice",
      values: ["outside", "unexplained"],
      summary: "the kind of booking; without it, outside",
    },
    ...YES_OPTION,
  },
  examples: ["", "--accept base_sepolia:wbtc --as outside"],
  exitCodes: {
    1: "an asset differs or refused",
    75: "an asset is unreadable or no daemon answers",
  },
  run: async (context, { options }) =>
    (await import("../../actions/books/reconcile-books.ts")).reconcileBooks(context, options),
})
