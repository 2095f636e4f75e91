import type { AssetId } from "#domain/asset.ts"
import { type JudgePort, toGas } from "#engine/rules/decide/judge.ts"
import {
  combineLimits,
  gasSources,
  listSecretLimits,
  type NeededPair,
} from "#engine/rules/tick/plan-limits.ts"
import { readUsage } from "#engine/rules/usage.ts"
import type { ChainGas, PlanLimits } from "#policy/planner/limits.ts"
import { readFeeCoin } from "./judge-port.ts"
import { quietAt, windowsChangeAt } from "./limit-changes.ts"
import type { RunContext } from "./run-context.ts"
import { serviceOf } from "./simulated-service.ts"
import { findFaults } from "./world/active-faults.ts"

/** The limits of a plan, and whether they still hold while the treasury stays the same. */
type LimitReader = (
  general: PlanLimits,
  pairs: readonly NeededPair[],
) => { readonly limits: PlanLimits; readonly holds: () => boolean }

/** Reads what admission would judge by, as `engine/rules/tick/plan-limits.ts` does. */
export function createLimitReader(context: RunContext, port: JudgePort): LimitReader {
  const { orders, subject } = context
  const { now } = port.clock
  const { limits: guards, ownSecrets } = subject.settings
  const service = serviceOf(subject)
  const secrets = { ownSecrets, paysUs: ({ destination }: NeededPair) => destination === null }

  /** A coin whose balance cannot be read now has no entry. */
  const gasOf = (from: AssetId): ChainGas | null => {
    const read = readFeeCoin(context, findFaults(context.scenario, now()), from)
    return "cause" in read ? null : toGas(port, from, read)
  }

  return (general, pairs) => {
    const nowMs = now()
    const limits = combineLimits(port, general, pairs, {
      refusalsOf: (pair) => port.findBlocks({ ...pair, sourceUnits: 1n }),
      gas: gasSources(pairs).flatMap((from) => gasOf(from) ?? []),
      servicesLeft:
        guards.maxInFlightPerService == null
          ? null
          : Math.max(0, guards.maxInFlightPerService - port.countWith(service)),
      orderLimits: listSecretLimits({ ...secrets, services: [service] }, pairs),
    })
    const cooled = pairs.map(
      (pair) => readUsage(port, { ...pair, exceptOrder: null }).cooldownUntilMs ?? 0,
    )
    const changes = cooled.filter((untilMs) => untilMs > nowMs)
    const untilMs = Math.min(windowsChangeAt(guards, orders, nowMs), ...changes)
    const quiet = quietAt(guards, nowMs)
    return { limits, holds: () => now() < untilMs && quietAt(guards, now()) === quiet }
  }
}
