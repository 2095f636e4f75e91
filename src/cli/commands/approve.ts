import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "approve",
  summary: "approve an order that waits for approval",
  operands: { order: { summary: "the order's id" } },
  options: { intent: { type: "text", value: "HASH", summary: "approve only this intent" } },
  examples: ["5f3a --intent 9c41"],
  run: async (context, { operands, options }) =>
    (await import("../actions/change-order.ts")).changeOrder(context, "approve", operands.order, options.intent),
})
