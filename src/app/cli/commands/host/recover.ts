import { YES_OPTION } from "../../confirm.ts"
import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "recover",
  summary: "after the loss of a journal: find the orders that hold our money, and go on with them",
  details:
    "It asks the running daemon, which must be paused: each service lists the orders of our " +
    "wallets, the key of our own secrets gives theirs, and our nodes tell where the money " +
    "is. It goes on with the orders that have a deposit on chain; running it again finds " +
    "only what is new. An order that was never funded needs nothing.",
  options: YES_OPTION,
  examples: ["", "--yes"],
  exitCodes: {
    1: "an order is unclear, a list could not be read, or the daemon is not paused",
    75: "no daemon answers",
  },
  run: async (context, { options }) =>
    (await import("../../actions/host/show-recovered.ts")).showRecovered(context, options),
})
