import { listCycleGroups } from "#backtest/cycles/list-cycle-groups.ts"
import type { Config } from "#config/config.ts"
import { type ConfigFinding, findingOf } from "#config/judge/finding.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"

/** One finding for each circle that the rules would sell round, at assumed prices and costs. */
export async function judgeCycles(config: Config): Promise<ConfigFinding[]> {
  if (listCycleGroups(config.rules, config.guards.maxOrder).length === 0) return []
  const [{ findCycles }, { toScenarioTraits, toSubject }] = await Promise.all([
    import("#backtest/cycles/find-cycles.ts"),
    import("#daemon/study/to-subject.ts"),
  ])
  return findCycles(toSubject("check", config), config.chains.map(toScenarioTraits)).map(
    ({ rules, assets, dailyFiat, isAlarmed }) => {
      const cost = formatUnits(
        dailyFiat - (dailyFiat % 10n ** BigInt(FIAT_DECIMALS - 2)),
        FIAT_DECIMALS,
      )
      const circle = [...assets, assets[0]].join(" → ")
      const stops =
        config.guards.onAlarm === "pause" ? "alarm.churn pauses them" : "alarm.churn tells you"
      const end = isAlarmed ? stops : "too slowly for alarm.churn"
      const price = `at assumed prices, without windows, it costs about ${cost} usd a day (${end})`
      return findingOf("rulesInCircle", {
        path: ["rules", config.rules.findIndex(({ id }) => rules.includes(id))],
        subjects: rules,
        message: `rules ${rules.join(", ")} undo each other's work: ${circle}; ${price}`,
        todo: "change or disable one of them; `ballast simulate` shows the effect",
      })
    },
  )
}
