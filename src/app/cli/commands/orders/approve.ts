import { YES_OPTION } from "../../confirm.ts"
import { defineCommand } from "../../define-command.ts"
import { ORDER_OPERAND } from "../../define-order-change.ts"
import { TOKEN_OPTION } from "../../token-option.ts"

export const command = defineCommand({
  name: "approve",
  summary: "approve an order that waits for approval",
  operands: ORDER_OPERAND,
  options: {
    intent: { type: "text", value: "HASH", summary: "approve only this intent" },
    ...TOKEN_OPTION,
    ...YES_OPTION,
  },
  examples: ["5f3a", "5f3a --intent 9c41 --yes", "5f3a --token env:ANNA_TOKEN"],
  run: async (context, { operands, options }) =>
    (await import("../../actions/orders/change-order.ts")).changeOrder(
      context,
      "approve",
      operands.order,
      options,
    ),
})
