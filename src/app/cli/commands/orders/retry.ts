import { YES_OPTION } from "../../confirm.ts"
import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "retry",
  summary: "let a held order continue",
  operands: {
    order: {
      summary: "the order's id, or a unique beginning of at least four characters",
      complete: "order",
    },
  },
  options: YES_OPTION,
  examples: ["5f3a", "5f3a --yes"],
  run: async (context, { operands, options }) =>
    (await import("../../actions/orders/change-order.ts")).changeOrder(
      context,
      "retry",
      operands.order,
      options,
    ),
})
