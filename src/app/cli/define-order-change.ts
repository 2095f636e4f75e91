import { YES_OPTION } from "./confirm.ts"
import { type Command, defineCommand, type OperandDeclaration } from "./define-command.ts"

export const ORDER_OPERAND = {
  order: {
    summary: "the order's id, or a unique beginning of at least four characters",
    complete: "order",
  },
} as const satisfies Readonly<Record<string, OperandDeclaration>>

/** A command that has the daemon change one order, after a person's yes on a terminal. */
export function defineOrderChange(
  name: "retry" | "abandon" | "refund" | "redeem",
  about: { readonly summary: string; readonly details?: string },
): Command {
  return defineCommand({
    ...about,
    name,
    operands: ORDER_OPERAND,
    options: YES_OPTION,
    examples: ["5f3a", "5f3a --yes"],
    run: async (context, { operands, options }) =>
      (await import("./actions/orders/change-order.ts")).changeOrder(
        context,
        name,
        operands.order,
        options,
      ),
  })
}
