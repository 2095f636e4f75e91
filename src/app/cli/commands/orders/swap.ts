import { YES_OPTION } from "../../confirm.ts"
import { defineCommand } from "../../define-command.ts"
import { EXACT_OUT_OPTIONS, readAmounts } from "../../exact-out-options.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "swap",
  summary: "ask the daemon for one swap, through the same guards as the swap of a rule",
  operands: {
    from: { summary: "the asset to sell" },
    to: { summary: "the asset to buy" },
    amount: { summary: "the amount to sell, in the unit of FROM", optional: true },
  },
  options: {
    ...EXACT_OUT_OPTIONS,
    wait: { type: "flag", summary: "wait for the outcome of the order" },
    deposit: {
      type: "choice",
      values: ["auto", "gasless", "onchain"],
      summary: "the way to deposit",
    },
    "dry-run": {
      type: "flag",
      summary: "show deposit, signatures and worst case, and sign nothing",
    },
    ...YES_OPTION,
    ...PASSWORD_OPTION,
    destination: {
      type: "text",
      value: "ADDRESS",
      summary: "pay this address of guards.destinations",
    },
    "idempotency-key": {
      type: "text",
      value: "KEY",
      summary:
        "however often the command runs with this key, it opens one order; without it each " +
        "run has its own",
    },
  },
  details:
    "On a terminal it shows the quote, the guards and the worst case, asks, and then shows " +
    "each stage with its links until the order ends or needs you. A pipe, a timer and --json " +
    "are not asked; --wait waits there too. --dry-run needs no daemon: this process asks " +
    "nodes and service, and opens no order of its own. The service gets a real request for " +
    "an order, because only its answer says how to deposit; that order stays unfunded and " +
    "lapses. When the answer of the daemon is lost, the command asks by the key whether the " +
    "order was opened.",
  examples: [
    "bitcoin_testnet:btc base_sepolia:wbtc 0.001 --wait",
    "base_sepolia:wbtc bitcoin_testnet:btc 0.001 --dry-run",
    "base_sepolia:wbtc bitcoin_testnet:btc --to-amount 0.001 --max-amount 0.0011",
  ],
  exitCodes: {
    0: "accepted (with --wait: completed)",
    1: "refused (with --wait: or another outcome)",
    75: "no order was opened, or a dry run had to wait: try later",
    76: "the order may be open: look before you repeat",
  },
  run: async (context, { operands, options }) => {
    const asked = readAmounts(operands, options)
    return options["dry-run"]
      ? (await import("../../actions/orders/dry-run-swap.ts")).showDryRun(context, asked, {
          ...options,
          passwordStdin: options["password-stdin"],
        })
      : (await import("../../actions/orders/request-swap.ts")).requestSwap(context, asked, options)
  },
})
