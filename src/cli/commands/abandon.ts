import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "abandon",
  summary: "abandon an order, as far as that is safe",
  operands: { order: { summary: "the order's id" } },
  examples: ["5f3a"],
  run: async (context, { operands }) =>
    (await import("../actions/change-order.ts")).changeOrder(context, "abandon", operands.order),
})
