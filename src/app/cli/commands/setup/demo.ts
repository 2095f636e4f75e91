import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "demo",
  isService: true,
  summary: "run daemon and sandbox together, with a live table of orders",
  options: {
    orders: { type: "number", min: 0, summary: "make this many swaps, then print a summary" },
    routes: {
      type: "choice",
      values: ["all"],
      summary: "one swap for every ordered pair of chains, and USDC by burn and mint",
    },
    chains: { type: "text", value: "A,B", summary: "run only these chains" },
    dialect: {
      type: "choice",
      values: ["contract", "2026"],
      summary: "the form of the service's answers",
    },
  },
  examples: ["", "--orders 6 --json", "--routes all"],
  exitCodes: { 0: "all orders completed", 1: "an order did not complete" },
  run: async (context, { options }) => {
    ;(await import("../../sandbox/require-sandbox.ts")).requireSandbox()
    return (await import("../../actions/setup/run-demo.ts")).runDemo(context, options)
  },
})
