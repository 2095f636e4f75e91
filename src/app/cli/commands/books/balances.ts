import { defineCommand } from "../../define-command.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "balances",
  summary: "show the balances of the wallets",
  options: { ...PASSWORD_OPTION, ...EXACT_OPTION },
  examples: ["", "--json"],
  exitCodes: { 75: "a balance is unreadable" },
  run: async (context, { options }) =>
    (await import("../../actions/books/show-balances.ts")).showBalances(context, {
      passwordStdin: options["password-stdin"],
    }),
})
