import type { Foresight } from "./foresight.ts"
import type { Scenario } from "./scenario.ts"

/** The scenario for an observer of the future, by the rules of `runScenario`. */
export function foreseeScenario({ assets, start, band, K, bps, flows }: Scenario): Foresight {
  const ends = [...assets.keys()]
  const pairs = ends.flatMap((from) =>
    ends.filter((to) => to !== from).map((to) => ({ from, to, fixed: K, share: bps / 10_000 })),
  )
  return {
    start,
    goals: band.map((bounds) => bounds?.[1] ?? null),
    share: bps / 10_000,
    pairs,
    penalty: null,
    periods: flows.map((flow) => ({
      flows: flow,
      prices: assets.map(() => 1),
      least: band.map((bounds) => bounds?.[0] ?? 0),
      most: band.map((bounds) => bounds?.[2] ?? null),
      largest: pairs.map(({ from, to }) => Math.min(roomOf(from, 1), roomOf(to, -1))),
    })),
  }

  /** From bound to bound, and the flows that came last: more than one day moves at once. */
  function roomOf(asset: number, sign: 1 | -1): number {
    const bounds = band[asset]
    if (bounds === null || bounds === undefined) return start[asset] ?? 0
    const most = Math.max(0, ...flows.map((flow) => sign * (flow[asset] ?? 0)))
    return bounds[2] - bounds[0] + most + K + (bps / 10_000) * (bounds[2] + most)
  }
}
