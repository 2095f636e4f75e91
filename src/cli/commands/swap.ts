import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "swap",
  summary: "ask the daemon for one swap, through the same guards as the swap of a rule",
  operands: {
    from: { summary: "the asset to sell" },
    to: { summary: "the asset to buy" },
    amount: { summary: "the amount to sell, in the unit of FROM" },
  },
  options: {
    wait: { type: "flag", summary: "wait for the outcome of the order" },
    deposit: { type: "choice", values: ["auto", "gasless", "onchain"], summary: "the way to deposit" },
    destination: { type: "text", value: "ADDRESS", summary: "pay this address of guards.destinations" },
  },
  examples: ["bitcoin_testnet:btc base_sepolia:wbtc 0.001 --wait"],
  exitCodes: { 0: "accepted (with --wait: completed)", 1: "refused (with --wait: or another outcome)" },
  run: async (context, { operands, options }) =>
    (await import("../actions/request-swap.ts")).requestSwap(context, operands, options),
})
