import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "balances",
  summary: "show the balances of the wallets",
  examples: ["", "--json"],
  exitCodes: { 75: "a balance is unreadable" },
  run: async (context) => (await import("../actions/show-balances.ts")).showBalances(context),
})
