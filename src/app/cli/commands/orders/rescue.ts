import { defineCommand } from "../../define-command.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"
import { usageError } from "../../usage-error.ts"

export const command = defineCommand({
  name: "rescue",
  summary:
    "show all data for recovering an order's funds without Ballast; needs neither wallet " +
    "keys nor a running daemon",
  details:
    "It reads only the journal. With our own secret it also gives the redemption of the " +
    "payout, and the secret once Ballast has decided to tell it: that needs `secrets.key`.",
  operands: {
    order: {
      summary: "the order's id, or a unique beginning of it",
      complete: "order",
      optional: true,
    },
  },
  options: {
    encrypt: {
      type: "text",
      value: "FILE",
      summary:
        "write the data to a new file that the password in BALLAST_RESCUE_PASSWORD opens; " +
        "without it, asks for one",
    },
    all: {
      type: "text",
      value: "FOLDER",
      summary:
        "write such a file into this folder for each open order with a deposit, and another " +
        "one once its secret is told",
    },
    open: {
      type: "text",
      value: "FILE",
      summary: "show the data in such a file; needs no journal and no configuration",
    },
    ...PASSWORD_OPTION,
    ...DATA_DIR_OPTION,
  },
  examples: [
    "5f3a",
    "5f3a --json",
    "5f3a --encrypt order.rescue",
    "--all /var/lib/ballast-rescue",
    "--open order.rescue",
  ],
  run: async (context, { operands: { order }, options }) => {
    const { all, open, encrypt, "data-dir": asked, "password-stdin": passwordStdin } = options
    const { sealAllRescues, showRescue, showSealedRescue } = await import(
      "../../actions/orders/show-rescue.ts"
    )
    if (order !== null && open === null && all === null)
      return showRescue(context, order, { asked, encrypt, passwordStdin })
    const isAlone = order === null && encrypt === null
    if (isAlone && open !== null && all === null) return showSealedRescue(context, open)
    if (isAlone && open === null && all !== null)
      return sealAllRescues(context, all, { asked, passwordStdin })
    throw usageError("expected either an order, --all FOLDER, or --open FILE")
  },
})
