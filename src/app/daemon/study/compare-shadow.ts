import { sumOutOfBand } from "#books/out-of-band.ts"
import type { Period } from "#books/period.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, parseUnits } from "#domain/amount.ts"
import type { Journal } from "#ports/journal.ts"
import { listPaperSwaps } from "../shadow/paper-book.ts"
import { readObservations } from "./read-observations.ts"
import { readReport } from "./read-report.ts"

type Side = { readonly journal: Journal; readonly config: Config }

/** Fiat in millionths. `outsideMs` of `knownMs`: added up over the rules that keep bounds. */
export type ShadowLine = {
  readonly orders: number
  readonly volumeFiat: bigint
  readonly costFiat: bigint
  readonly outsideMs: number
  readonly knownMs: number
}

/** What the daemon did in the period, and what its shadow would have done in the same time. */
export function compareShadow(
  daemon: Side,
  shadow: Side,
  period: Period,
  nowMs: number,
): { readonly daemon: ShadowLine; readonly shadow: ShadowLine } {
  const { total } = readReport({ ...daemon, nowMs }, period, "rule")
  const costs = [
    total.swapCostFiat,
    total.affiliateCostFiat,
    total.payoutCostFiat,
    total.networkFeeFiat,
  ]
  const moves = [...listPaperSwaps(shadow.journal)].filter(
    ({ atMs }) => atMs >= period.fromMs && atMs < period.untilMs,
  )
  return {
    daemon: {
      orders: Object.values(total.counts).reduce((sum, count) => sum + count, 0),
      volumeFiat: fiatOf(total.volumeFiat),
      costFiat: costs.reduce((sum, cost) => sum + fiatOf(cost), 0n),
      ...sumOutside(daemon, period, nowMs),
    },
    shadow: {
      orders: moves.length,
      volumeFiat: moves.reduce((sum, { soldFiat }) => sum + (soldFiat ?? 0n), 0n),
      costFiat: moves.reduce((sum, { costFiat }) => sum + (costFiat ?? 0n), 0n),
      ...sumOutside(shadow, period, nowMs),
    },
  }
}

function sumOutside(
  { journal, config }: Side,
  period: Period,
  nowMs: number,
): Pick<ShadowLine, "outsideMs" | "knownMs"> {
  const rules = sumOutOfBand(readObservations(journal, config, nowMs), period)
  return {
    outsideMs: rules.reduce((sum, { outOfBandMs }) => sum + outOfBandMs, 0),
    knownMs: rules.reduce((sum, { knownMs }) => sum + knownMs, 0),
  }
}

/** A cost may be negative: a quote above the market's price. */
function fiatOf(text: string): bigint {
  return text.startsWith("-") ? -fiatOf(text.slice(1)) : parseUnits(text, FIAT_DECIMALS)
}
