import { YES_OPTION } from "../../confirm.ts"
import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "redeem",
  summary: "redeem a payout after Ballast has told its secret, without waiting for the service",
  details: "It never tells a secret itself: until the payout is proven it says what is missing.",
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
      "redeem",
      operands.order,
      options,
    ),
})
