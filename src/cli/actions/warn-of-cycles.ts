import { ASSUMED_PRICES, guessPrice } from "#backtest/assumptions.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { findCycles } from "#policy/find-cycles.ts"

/** One sentence for each circle that the rules would sell round, at assumed prices and costs. An asset without an assumed price is left out. */
export function warnOfCycles({ rules, assets, guards }: Pick<Config, "rules" | "assets" | "guards">): string[] {
  const priced = assets.map(({ id, decimals }) => {
    const name = guessPrice(id)
    return { id, decimals, priceFiat: name === null ? 0n : (ASSUMED_PRICES[name]?.startFiat ?? 0n) }
  })
  return findCycles(rules, priced, guards.maxCost).map(({ rules: names, assets: circle, dailyFiat }) => {
    const cost = formatUnits(dailyFiat - (dailyFiat % 10n ** BigInt(FIAT_DECIMALS - 2)), FIAT_DECIMALS)
    const path = [...circle, circle[0]].join(" → ")
    return `rules ${names.join(", ")} undo each other's work: ${path}; at assumed prices this costs about ${cost} usd a day (alarm.churn pauses them)`
  })
}
