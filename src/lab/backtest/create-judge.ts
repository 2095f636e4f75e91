import type { Proposal } from "#policy/evaluate.ts"
import { type BacktestContext, type Judged, judgeInBacktest } from "./judge-in-backtest.ts"
import { quietAt, windowsChangeAt } from "./limit-changes.ts"

/**
 * Asks the guards and caches a refusal for as long as it must hold: until the treasury changes, a
 * cool-down or quiet hours begin or end, or an order leaves a window. A rule that is evaluated
 * every minute gets the same refusal most of the time.
 */
export function createJudge(
  context: Omit<BacktestContext, "nowMs">,
): (proposal: Proposal, nowMs: number) => Judged {
  const { subject, treasury, orders } = context
  const { limits } = subject.settings
  const refusals = new WeakMap<Proposal, Refusal>()

  function changesAt({ cooldownUntilMs }: Judged, nowMs: number): number {
    const cooled = cooldownUntilMs === null || cooldownUntilMs <= nowMs ? NEVER : cooldownUntilMs
    return Math.min(cooled, windowsChangeAt(limits, orders, nowMs))
  }

  return (proposal, nowMs) => {
    const known = refusals.get(proposal)
    const holds =
      known?.version === treasury.version() &&
      nowMs < known.untilMs &&
      known.quiet === quietAt(limits, nowMs)
    if (known && holds) return known.judged
    const judged = judgeInBacktest({ ...context, nowMs }, proposal)
    if (judged.reasons.length > 0) {
      const untilMs = changesAt(judged, nowMs)
      refusals.set(proposal, {
        judged,
        untilMs,
        version: treasury.version(),
        quiet: quietAt(limits, nowMs),
      })
    }
    return judged
  }
}

const NEVER = Number.POSITIVE_INFINITY

type Refusal = {
  readonly judged: Judged
  readonly untilMs: number
  readonly version: number
  readonly quiet: string
}
