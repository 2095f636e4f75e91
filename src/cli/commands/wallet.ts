import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "wallet",
  summary: "show the addresses to fund",
  examples: [""],
  run: async (context) => (await import("../actions/show-wallets.ts")).showWallets(context),
})
