import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "refund",
  summary: "refund a deposit as soon as the HTLC allows it",
  operands: { order: { summary: "the order's id" } },
  examples: ["5f3a"],
  run: async (context, { operands }) =>
    (await import("../actions/change-order.ts")).changeOrder(context, "refund", operands.order),
})
