import { defineCommand } from "../../define-command.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "watch",
  isService: true,
  summary: "show the status on a live screen until Ctrl-C; or guard orders on another machine",
  details:
    "Without a terminal it prints the verdict whenever it changes, one line each. With " +
    "--rescue it is a watchtower: it redeems or refunds the orders of rescue files in the " +
    "last part of their locks if the daemon has not. Then --config names the tower's own " +
    "file, with nodes and keys that only pay fees.",
  options: {
    every: {
      type: "number",
      min: 1,
      max: 3_600,
      default: 2,
      summary: "the seconds between two looks",
    },
    rescue: {
      type: "text",
      value: "FILE",
      summary:
        "guard the order of this file of `ballast rescue --encrypt` until its money is back, " +
        "or the orders of all such files in a folder",
    },
    ...PASSWORD_OPTION,
    ...DATA_DIR_OPTION,
    ...EXACT_OPTION,
  },
  examples: ["", "--every 10", "--rescue order.rescue --config tower.yaml"],
  run: async (context, { options }) =>
    options.rescue === null
      ? (await import("../../actions/host/watch-status.ts")).watchStatus(
          context,
          options.every,
          options["data-dir"],
        )
      : (await import("../../actions/orders/watch-rescue.ts")).watchRescue(
          context,
          options.rescue,
          {
            passwordStdin: options["password-stdin"],
          },
        ),
})
