import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { paused } from "#engine/watches/pause.ts"
import type { Scenario, ScenarioFault } from "./scenario.ts"

/** The faults of a scenario at one instant, with the reasons that the daemon gives for them. */
export type ActiveFaults = {
  /** The service has no offer for the pair. */
  readonly declinesPair: (from: AssetId, to: AssetId) => boolean
  readonly declinesOrders: () => boolean
  /** The reason against an order of the rules, or `null`. */
  readonly paused: (rules: readonly string[], from: AssetId) => Reason | null
  /** The reason for the missing balance, or `null`. */
  readonly unreadable: (asset: AssetId) => Reason | null
  /** The reason for the missing price, or `null`. */
  readonly unpriced: (asset: AssetId) => Reason | null
}

export function findFaults(
  { faults = NONE }: Pick<Scenario, "faults">,
  nowMs: number,
): ActiveFaults {
  const active = faults.filter(({ fromMs, untilMs }) => fromMs <= nowMs && nowMs < untilMs)
  return active.length === 0 ? NO_FAULTS : describeFaults(active)
}

/** The scope of a pause of everything. Another scope is a chain or the id of a rule. */
const PAUSE_ALL = "all"

const NONE: readonly ScenarioFault[] = []

const NO_FAULTS: ActiveFaults = {
  declinesPair: () => false,
  declinesOrders: () => false,
  paused: () => null,
  unreadable: () => null,
  unpriced: () => null,
}

function describeFaults(active: readonly ScenarioFault[]): ActiveFaults {
  return {
    declinesPair: (from, to) =>
      active.some((one) => one.kind === "pair" && one.from === from && one.to === to),
    declinesOrders: () => active.some(({ kind }) => kind === "service"),
    paused: (rules, from) => {
      const scopes = [PAUSE_ALL, chainOf(from), ...rules]
      const pause = active.find((one) => one.kind === "pause" && scopes.includes(one.scope))
      return pause === undefined ? null : paused("new orders are refused")
    },
    unreadable: (asset) => {
      const fails = active.some((one) => one.kind === "balance" && one.asset === asset)
      return fails
        ? { code: "view.silent", message: `No node returns the balance of ${asset}`, asset }
        : null
    },
    unpriced: (asset) => {
      const fails = active.some((one) => one.kind === "price" && one.asset === asset)
      return fails
        ? { code: "prices.unavailable", message: `No source has a price of ${asset}`, asset }
        : null
    },
  }
}
