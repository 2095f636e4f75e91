import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "order",
  summary: "show one order with its timeline",
  operands: { id: { summary: "the order's id, or a unique beginning of it" } },
  examples: ["5f3a"],
  run: async (context, { operands }) => (await import("../actions/show-order.ts")).showOrder(context, operands.id),
})
