import { DATA_DIR_OPTION } from "../data-dir-option.ts"
import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "rescue",
  summary: "show all data for recovering an order's funds without Ballast; needs neither keys nor a running daemon",
  details: "It reads only the journal.",
  operands: { order: { summary: "the order's id, or a unique beginning of it" } },
  options: DATA_DIR_OPTION,
  examples: ["5f3a", "5f3a --json"],
  run: async (context, { operands, options }) =>
    (await import("../actions/show-rescue.ts")).showRescue(context, operands.order, options["data-dir"]),
})
