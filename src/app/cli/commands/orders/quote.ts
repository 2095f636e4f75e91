import { defineCommand } from "../../define-command.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "quote",
  summary:
    "show the best quote for a swap, the guards' judgement and the worst case; opens no order",
  operands: {
    from: { summary: "the asset to sell" },
    to: { summary: "the asset to buy" },
    amount: { summary: "the amount to sell, in the unit of FROM" },
  },
  options: { ...PASSWORD_OPTION, ...EXACT_OPTION },
  details: "The daemon asks the services; without one this process does.",
  examples: ["bitcoin_testnet:btc base_sepolia:wbtc 0.001"],
  exitCodes: {
    0: "the daemon would accept the swap now",
    1: "it would refuse it, for the reasons that are shown",
  },
  run: async (context, { operands, options }) =>
    (await import("../../actions/orders/show-quote.ts")).showQuote(context, operands, {
      passwordStdin: options["password-stdin"],
    }),
})
