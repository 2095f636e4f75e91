import { listCycleGroups } from "#backtest/list-cycle-groups.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"

/** One sentence for each circle that the rules would sell round, at assumed prices and costs. */
export async function warnOfCycles(config: Config): Promise<string[]> {
  if (listCycleGroups(config.rules, config.guards.maxOrder).length === 0) return []
  const [{ findCycles }, { toScenarioTraits, toSubject }] = await Promise.all([
    import("#backtest/find-cycles.ts"),
    import("../simulate/to-subject.ts"),
  ])
  return findCycles(toSubject("check", config), config.chains.map(toScenarioTraits)).map(
    ({ rules, assets, dailyFiat, isAlarmed }) => {
      const cost = formatUnits(dailyFiat - (dailyFiat % 10n ** BigInt(FIAT_DECIMALS - 2)), FIAT_DECIMALS)
      const path = [...assets, assets[0]].join(" → ")
      const stops = config.guards.onAlarm === "pause" ? "alarm.churn pauses them" : "alarm.churn tells you"
      const end = isAlarmed ? stops : "too slowly for alarm.churn"
      return `rules ${rules.join(", ")} undo each other's work: ${path}; at assumed prices this costs about ${cost} usd a day (${end})`
    },
  )
}
