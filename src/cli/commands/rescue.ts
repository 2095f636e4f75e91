import { DATA_DIR_OPTION } from "../data-dir-option.ts"
import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "rescue",
  summary:
    "show all data for recovering an order's funds without Ballast; needs neither wallet keys nor a running daemon",
  details:
    "It reads only the journal. With our own secret it also gives the redemption of the payout, and the secret once Ballast has decided to tell it: that needs `secrets.key`.",
  operands: { order: { summary: "the order's id, or a unique beginning of it" } },
  options: {
    encrypt: {
      type: "text",
      value: "FILE",
      summary:
        "write the data to a new file that the password in BALLAST_RESCUE_PASSWORD opens; without it, asks for one",
    },
    ...DATA_DIR_OPTION,
  },
  examples: ["5f3a", "5f3a --json", "5f3a --encrypt order.rescue"],
  run: async (context, { operands, options }) =>
    (await import("../actions/show-rescue.ts")).showRescue(
      context,
      operands.order,
      options["data-dir"],
      options.encrypt,
    ),
})
