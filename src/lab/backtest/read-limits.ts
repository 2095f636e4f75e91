import { chainOf } from "#domain/asset.ts"
import { combineLimits, gasSources, type NeededPair } from "#engine/rules/tick/plan-limits.ts"
import { readUsage } from "#engine/rules/usage.ts"
import type { ChainGas, PlanLimits } from "#policy/planner/limits.ts"
import {
  type BacktestContext,
  coinOf,
  configuredCoin,
  feeBudgetOf,
  findPause,
  SERVICE_SCOPE,
} from "./judge-in-backtest.ts"
import { quietAt, windowsChangeAt } from "./limit-changes.ts"
import { findFaults } from "./world/active-faults.ts"

/** The limits of a plan, and whether they still hold while the treasury stays the same. */
type LimitReader = (
  general: PlanLimits,
  pairs: readonly NeededPair[],
) => { readonly limits: PlanLimits; readonly holds: () => boolean }

/** Reads what admission would judge by, as `engine/rules/tick/plan-limits.ts` does. */
export function createLimitReader(
  context: Omit<BacktestContext, "nowMs">,
  now: () => number,
): LimitReader {
  const { orders, subject } = context
  const counting = { journal: orders, settings: subject.settings, clock: { now } }
  const { limits: guards } = subject.settings

  return (general, pairs) => {
    const nowMs = now()
    const limits = combineLimits(counting, general, pairs, {
      refusalsOf: ({ rule, from }) => {
        const paused = findPause({ ...context, nowMs }, [rule], from)
        return paused === null ? [] : [paused]
      },
      gas: gasSources(pairs).flatMap((from) => gasOf({ ...context, nowMs }, from) ?? []),
      servicesLeft:
        guards.maxInFlightPerService == null
          ? null
          : Math.max(0, guards.maxInFlightPerService - orders.countInFlight(SERVICE_SCOPE)),
    })
    const cooled = pairs.map(
      (pair) => readUsage(counting, { ...pair, exceptOrder: null }).cooldownUntilMs ?? 0,
    )
    const changes = cooled.filter((untilMs) => untilMs > nowMs)
    const untilMs = Math.min(windowsChangeAt(guards, orders, nowMs), ...changes)
    const quiet = quietAt(guards, nowMs)
    return { limits, holds: () => now() < untilMs && quietAt(guards, now()) === quiet }
  }
}

/** As `readGas` of admission. A coin whose balance cannot be read now has no entry. */
function gasOf(context: BacktestContext, from: NeededPair["from"]): ChainGas | null {
  const { subject, scenario, treasury, orders, nowMs } = context
  const coin = configuredCoin(context, from)?.id ?? null
  const { depositUnits, refundUnits } = feeBudgetOf(scenario, from)
  const chain = chainOf(from)
  const gas = { chain, coin, perOrderUnits: depositUnits + refundUnits }
  if (from === coinOf(context, from)) return { ...gas, leftUnits: null }
  if (coin === null || findFaults(scenario, nowMs).unreadable(coin) !== null) return null
  const minNative = subject.settings.minNative.get(chain) ?? 0n
  const kept = orders.sumReservedFees(from) + orders.sumCommitted(coin) + minNative
  return { ...gas, leftUnits: treasury.units(coin) - kept }
}
