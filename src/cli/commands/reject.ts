import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "reject",
  summary: "end an order that waits for approval",
  operands: { order: { summary: "the order's id" } },
  examples: ["5f3a"],
  run: async (context, { operands }) =>
    (await import("../actions/change-order.ts")).changeOrder(context, "reject", operands.order),
})
