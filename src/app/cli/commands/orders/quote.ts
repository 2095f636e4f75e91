import { defineCommand } from "../../define-command.ts"
import { EXACT_OUT_OPTIONS, readAmounts } from "../../exact-out-options.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "quote",
  summary:
    "show the best quote for a swap, the guards' judgement and the worst case; opens no order",
  operands: {
    from: { summary: "the asset to sell" },
    to: { summary: "the asset to buy" },
    amount: { summary: "the amount to sell, in the unit of FROM", optional: true },
  },
  options: { ...EXACT_OUT_OPTIONS, ...PASSWORD_OPTION, ...EXACT_OPTION },
  details: "The daemon asks the services; without one this process does.",
  examples: [
    "bitcoin_testnet:btc base_sepolia:wbtc 0.001",
    "base_sepolia:wbtc bitcoin_testnet:btc --to-amount 0.001",
  ],
  exitCodes: {
    0: "the daemon would accept the swap now",
    1: "it would refuse it, for the reasons that are shown",
  },
  run: async (context, { operands, options }) =>
    (await import("../../actions/orders/show-quote.ts")).showQuote(
      context,
      readAmounts(operands, options),
      { passwordStdin: options["password-stdin"] },
    ),
})
