import { sayDays } from "#backtest/plot/draw-plots.ts"
import type { Simulation } from "../answers.ts"
import { money, nameAsset, percentOf, shortAmount } from "../format.ts"
import type { Known } from "../known.ts"

/** One figure of the middle run, with and without the change. */
export type Comparison = {
  readonly name: string
  readonly now: string
  readonly changed: string
  readonly difference: string
}

type Summary = Simulation["subjects"][number]["summary"]

const FIAT = 1_000_000

/** What the change does to the middle run; none without two subjects. */
export function compareSubjects(
  found: Simulation,
  rule: string,
  known: Pick<Known, "amountOf">,
): readonly Comparison[] {
  const [now, then] = found.subjects.map(({ summary }) => summary)
  if (now === undefined || then === undefined) return []
  const row = (
    name: string,
    of: (summary: Summary) => number,
    show: (value: number) => string,
  ): Comparison => {
    const a = of(now)
    const b = of(then)
    return { name, now: show(a), changed: show(b), difference: differenceOf(b - a, show) }
  }
  const fiat = (value: number): string => money(value.toFixed(2))
  const isMeasured = now.rules.some((one) => one.rule === rule)
  const goal = row("Time off its goal", (summary) => outsideBpsOf(summary, rule), percentOf)
  return [
    row("Swaps", ({ moves }) => moves.p50, String),
    row("Moved", ({ volumeFiat }) => Number(volumeFiat.p50) / FIAT, fiat),
    row("Cost", ({ feesFiat }) => Number(feesFiat.p50) / FIAT, fiat),
    row("Of it network fees", ({ networkFeesFiat }) => Number(networkFeesFiat.p50) / FIAT, fiat),
    row(
      "Cost of what moved",
      ({ feesHundredthBps }) => Number(feesHundredthBps.p50) / 100,
      (bps) => `${bps.toFixed(1)} bps`,
    ),
    row("Refunded", ({ refunded }) => refunded.p50, String),
    ...(isMeasured ? [goal] : []),
    ...found.plots.map(({ asset }) =>
      row(
        `Mean value of ${nameAsset(asset).symbol} held`,
        (summary) => meanFiatOf(summary, asset) / FIAT,
        fiat,
      ),
    ),
    ...found.plots.map(({ asset }) =>
      row(
        `Lowest ${nameAsset(asset).symbol}, 19 of 20 runs`,
        ({ assets }) => {
          const units = assets.find((one) => one.asset === asset)?.lowestUnits.p5 ?? "0"
          return Number(known.amountOf(units, asset))
        },
        (amount) => shortAmount(String(amount)),
      ),
    ),
  ]
}

/** The comparison in one sentence, and why it is of a shorter time than the one asked for. */
export function verdictOf(found: Simulation, rule: string, askedDays: number): string {
  const [now, then] = found.subjects.map(({ summary }) => summary)
  if (now === undefined || then === undefined) return "The change was not simulated."
  const moves = then.moves.p50 - now.moves.p50
  const cost = (Number(then.feesFiat.p50) - Number(now.feesFiat.p50)) / FIAT
  const swaps =
    moves === 0
      ? "As many swaps"
      : `${Math.abs(moves)} ${moves < 0 ? "fewer" : "more"} swap${Math.abs(moves) === 1 ? "" : "s"}`
  const price =
    Math.abs(cost) < 0.005
      ? "the same cost"
      : `${money(Math.abs(cost).toFixed(2))} ${cost < 0 ? "less" : "more"} cost`
  const held = found.plots.reduce(
    (sum, { asset }) => sum + meanFiatOf(then, asset) - meanFiatOf(now, asset),
    0,
  )
  const before = percentOf(outsideBpsOf(now, rule))
  const after = percentOf(outsideBpsOf(then, rule))
  const time = now.rules.every((one) => one.rule !== rule)
    ? ""
    : `; the rule is off its goal ${after} of the time` +
      (before === after ? ", as now" : ` instead of ${before}`)
  const doubt =
    found.comparison?.cheaper === null && Math.abs(cost) >= 0.005
      ? " The runs do not agree which is cheaper."
      : ""
  const { days } = found.scenario
  const span = sayDays(days)
  const short =
    days < askedDays
      ? ` The rules look too often to simulate ${askedDays} days within a minute, so this is of ` +
        `${span}.`
      : ""
  return `${swaps} and ${price} in ${span}${heldText(held / FIAT)}${time}.${doubt}${short}`
}

/** What the assets of the plots are worth on average; a cent more or less is the same. */
function heldText(change: number): string {
  if (Math.abs(change) < 0.01) return ""
  return `, ${money(Math.abs(change).toFixed(2))} ${change < 0 ? "less" : "more"} held`
}

function meanFiatOf({ assets }: Summary, asset: string): number {
  return Number(assets.find((one) => one.asset === asset)?.meanFiat.p50 ?? 0)
}

function outsideBpsOf({ rules }: Summary, rule: string): number {
  return rules.find((one) => one.rule === rule)?.outsideBps.p50 ?? 0
}

function differenceOf(value: number, show: (value: number) => string): string {
  const shown = show(Math.abs(value))
  return shown === show(0) ? "same" : `${value < 0 ? "▾" : "▴"} ${shown}`
}
