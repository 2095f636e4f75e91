import { YES_OPTION } from "../../confirm.ts"
import { defineCommand } from "../../define-command.ts"
import { ORDER_OPERAND } from "../../define-order-change.ts"
import { TOKEN_OPTION } from "../../token-option.ts"

export const command = defineCommand({
  name: "reject",
  summary: "end an order that waits for approval",
  operands: ORDER_OPERAND,
  options: { ...TOKEN_OPTION, ...YES_OPTION },
  examples: ["5f3a", "5f3a --yes"],
  run: async (context, { operands, options }) =>
    (await import("../../actions/orders/change-order.ts")).changeOrder(
      context,
      "reject",
      operands.order,
      options,
    ),
})
