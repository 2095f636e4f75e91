import { parseAssetId } from "#domain/asset.ts"
import { CORRECTIONS_MS } from "#policy/corrections.ts"
import { evaluate } from "#policy/evaluate.ts"
import type { CorrectionGoal } from "#policy/need.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import type { AssetView, Corrections, PairView } from "#policy/treasury-view.ts"
import type { DayFlow } from "#policy/values/forecast-flow.ts"
import { addHoldings, type KnownHoldings } from "#policy/values/hold-values.ts"
import type { Scenario, ScenarioPolicy } from "./scenario.ts"

const FIAT = 1_000_000n

/** The planner of this checkout, with bands that move to `goal`. */
export function planned(goal: CorrectionGoal): ScenarioPolicy {
  return (scenario) => {
    const rules = rulesOf(scenario, goal)
    const pairs = pairsOf(scenario)
    const ids = scenario.assets.map(idOf)
    const flows = ids.map((): DayFlow[] => [])
    const known: KnownHoldings = new Map()
    const done: { period: number; from: string; to: string; fiat: bigint }[] = []
    return ({ period, balances }) => {
      const assets = ids.map(
        (id, index): AssetView => ({
          id,
          decimals: 6,
          priceFiat: FIAT,
          balance: {
            readable: true,
            spendableUnits: microsOf(balances[index] ?? 0),
            inFlightInUnits: 0n,
            inFlightOutUnits: 0n,
            floorUnits: 0n,
          },
        }),
      )
      const hours = CORRECTIONS_MS / 3_600_000
      const recent = done.filter((one) => (period - one.period) * scenario.periodH < hours)
      const corrections = rules.flatMap(({ id: rule, asset }): Corrections[] => {
        const ins = recent.filter(({ to }) => to === asset)
        const outs = recent.filter(({ from }) => from === asset)
        const sum = (list: typeof recent): bigint => list.reduce((a, { fiat }) => a + fiat, 0n)
        return [
          {
            rule,
            asset,
            orders: ins.length + outs.length,
            inFiat: sum(ins),
            outFiat: sum(outs),
            overMs: CORRECTIONS_MS,
          },
        ]
      })
      const view = { assets, pairs, corrections }
      for (const [index, flow] of (scenario.flows[period] ?? []).entries())
        flows[index]?.push({ day: period, units: BigInt(Math.round(flow * 1e6)) })
      const held = addHoldings(view, rules, period, {
        flowsOf: (id) => flows[ids.indexOf(id)] ?? [],
        known,
      })
      const { proposals } = evaluate(held, rules, LIMITS)
      return proposals.map(({ from, to, units }) => {
        done.push({ period, from, to, fiat: units })
        return { from: ids.indexOf(from), to: ids.indexOf(to), usd: Number(units) / 1e6 }
      })
    }
  }
}

const LIMITS = { maxOrders: 20, maxOrder: null, split: false, maxCost: null }

function rulesOf({ assets, band }: Scenario, move: CorrectionGoal): BandRule[] {
  const ids = assets.map(idOf)
  return band.flatMap((bounds, index): BandRule[] => {
    const asset = ids[index]
    if (bounds === null || asset === undefined) return []
    const [minUnits, targetUnits, maxUnits] = bounds.map(microsOf)
    const others = ids.filter((id) => id !== asset)
    return [
      {
        id: `band-${index}`,
        kind: "band",
        asset,
        minUnits: minUnits ?? 0n,
        targetUnits: targetUnits ?? 0n,
        maxUnits: maxUnits ?? 0n,
        sources: others,
        sinks: others,
        move,
      },
    ]
  })
}

function pairsOf({ assets, K, bps }: Scenario): PairView[] {
  const ids = assets.map(idOf)
  return ids.flatMap((from) =>
    ids
      .filter((to) => to !== from)
      .map((to) => ({
        from,
        to,
        quote: {
          readable: true as const,
          available: true,
          fixedFeeFiat: microsOf(K),
          bps: BigInt(bps),
          minUnits: 1n,
          maxUnits: null,
        },
      })),
  )
}

function idOf(name: string) {
  return parseAssetId(`chain:${name}`)
}

function microsOf(usd: number): bigint {
  return BigInt(Math.round(usd * 1e6))
}
