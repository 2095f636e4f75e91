import type { Backtest } from "../backtest-policies.ts"
import type { Subject } from "../subject.ts"
import type { Scenario } from "../world/scenario.ts"
import { drawSvg } from "./draw-svg.ts"
import { readPlot, readSpent } from "./read-plots.ts"

/** The backtest as one SVG, with the drawings of the desk's own page. */
export function plotBacktest(
  backtest: Backtest,
  subjects: readonly Subject[],
  { assets, days }: Pick<Scenario, "assets" | "days">,
): string {
  return drawSvg({
    plots: assets.map((asset) => readPlot(asset, backtest, subjects)),
    subjects: backtest.subjects.map((one) => ({ name: one.name, ...readSpent(one) })),
    days,
  })
}
