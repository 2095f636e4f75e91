import { defineCommand } from "../../define-command.ts"
import { EXACT_OPTION } from "../../format/short-amounts.ts"

export const command = defineCommand({
  name: "report",
  summary: "report volume, costs, rates and times",
  options: {
    period: {
      type: "text",
      value: "day|week|month|FROM..TO",
      summary: "the period; without it, 30 days",
    },
    by: {
      type: "choice",
      values: ["rule", "pair", "period", "kind", "service", "solver"],
      default: "pair",
      summary: "the grouping",
    },
    affiliate: {
      type: "flag",
      summary: "report affiliate fees by week instead; without --period, of all time",
    },
    against: {
      type: "choice",
      values: ["shadow"],
      summary: "compare orders, cost and time outside with the shadow's (`run --shadow`)",
    },
    ...EXACT_OPTION,
  },
  examples: ["--period week --by rule", "--affiliate", "--against shadow"],
  run: async (context, { options }) => {
    if (options.against !== null)
      return (await import("../../actions/books/compare-with-shadow.ts")).compareWithShadow(
        context,
        options.period ?? "month",
      )
    return options.affiliate
      ? (await import("../../actions/books/report-affiliate.ts")).reportAffiliate(
          context,
          options.period,
        )
      : (await import("../../actions/books/report-swaps.ts")).reportSwaps(
          context,
          options.period ?? "month",
          options.by,
        )
  },
})
