import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "retry",
  summary: "let a held order continue",
  operands: { order: { summary: "the order's id" } },
  examples: ["5f3a"],
  run: async (context, { operands }) =>
    (await import("../actions/change-order.ts")).changeOrder(context, "retry", operands.order),
})
