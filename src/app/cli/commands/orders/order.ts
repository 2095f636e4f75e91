import { defineCommand } from "../../define-command.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"

export const command = defineCommand({
  name: "order",
  summary: "show one order with its timeline; a unique beginning of the id is enough",
  operands: { id: { summary: "the order's id or its beginning", complete: "order" } },
  options: { ...DATA_DIR_OPTION, ...EXACT_OPTION },
  examples: ["5f3a"],
  run: async (context, { operands, options }) =>
    (await import("../../actions/orders/show-order.ts")).showOrder(
      context,
      operands.id,
      options["data-dir"],
    ),
})
