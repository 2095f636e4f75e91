import { defineCommand } from "../../define-command.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"

export const command = defineCommand({
  name: "orders",
  summary: "list orders, newest first",
  options: {
    open: { type: "flag", summary: "only orders without an outcome" },
    state: { type: "text", value: "STATE", summary: "only orders in this state, such as held" },
    rule: { type: "text", value: "RULE", summary: "only orders of this rule, or manual" },
    since: {
      type: "text",
      value: "TIME",
      summary: "only orders from then on: a duration such as 2h, or a date such as 2026-11-30",
    },
    ids: { type: "flag", summary: "print only their ids, one a line" },
    limit: { type: "number", min: 1, default: 50, summary: "the highest number of orders" },
    "idempotency-key": {
      type: "text",
      value: "KEY",
      summary: "only the order of the swap with this key",
    },
    ...DATA_DIR_OPTION,
    ...EXACT_OPTION,
  },
  examples: ["--open", "--rule hot-wallet --since 24h", "--limit 500 --json"],
  run: async (context, { options }) =>
    (await import("../../actions/orders/list-orders.ts")).listOrders(context, options),
})
