import { defineCommand } from "../../define-command.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"

export const command = defineCommand({
  name: "orders",
  summary: "list orders, newest first",
  options: {
    open: { type: "flag", summary: "only orders without an outcome" },
    limit: { type: "number", min: 1, default: 50, summary: "the highest number of orders" },
    "idempotency-key": {
      type: "text",
      value: "KEY",
      summary: "only the order of the swap with this key",
    },
    ...DATA_DIR_OPTION,
  },
  examples: ["--open", "--limit 500 --json"],
  run: async (context, { options }) =>
    (await import("../../actions/orders/list-orders.ts")).listOrders(context, options),
})
