import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "simulate",
  summary:
    "backtest the rules in random or recorded markets before you turn them on; needs no keys",
  options: {
    days: {
      type: "number",
      min: 1,
      max: 3_650,
      summary: "the length; without it, that of the record or 90",
    },
    within: {
      type: "number",
      min: 1,
      max: 86_400,
      summary: "take fewer days if more seconds than these are expected",
    },
    seeds: { type: "number", min: 1, max: 10_000, default: 20, summary: "the number of runs" },
    seed: {
      type: "number",
      min: 0,
      max: 2_147_483_648,
      default: 1,
      summary: "the seed of the first run",
    },
    against: {
      type: "text",
      value: "FILE",
      summary: "compare with the rules of this configuration",
    },
    scenario: { type: "text", value: "FILE", summary: "the assumptions" },
    balances: { type: "text", value: "ASSET=AMOUNT,…", summary: "the balances at the start" },
    flows: { type: "text", value: "FILE", summary: "recorded deposits and withdrawals (CSV)" },
    quotes: { type: "text", value: "FILE", summary: "recorded quotes (CSV)" },
    plot: { type: "text", value: "FILE", summary: "write an SVG drawing" },
  },
  examples: ["--days 365 --seeds 50 --plot simulation.svg", "--against wider-bands.yaml"],
  run: async (context, { options }) =>
    (await import("../../actions/rules/run-backtest.ts")).runBacktest(context, options),
})
