import type { FeeBudget, OrderPolicy } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import {
  type JudgePort,
  judge,
  type PricedOffer,
  policyOf,
  readUnblocked,
  toRequest,
} from "#engine/rules/decide/judge.ts"
import { runAtOnce } from "#engine/rules/decide/steps.ts"
import { readUsage } from "#engine/rules/usage.ts"
import { mustExist } from "#lib/assert.ts"
import type { Proposal } from "#policy/evaluate.ts"
import { quietAt, windowsChangeAt } from "./limit-changes.ts"
import type { RunContext } from "./run-context.ts"

/** The reasons against a proposal, or everything that its order keeps. */
export type Judged =
  | { readonly ok: false; readonly reasons: readonly Reason[] }
  | ({ readonly ok: true } & JudgedOrder)

export type JudgedOrder = {
  readonly offer: PricedOffer
  readonly policy: OrderPolicy
  readonly feeBudget: FeeBudget
}

/**
 * Asks admission (`engine/rules/decide/judge.ts`) and caches a refusal for as long as it must hold:
 * until the treasury changes, a cool-down or quiet hours begin or end, or an order leaves a window.
 * A rule that is evaluated every minute gets the same refusal most of the time.
 */
export function createJudge(
  { subject, treasury, orders }: RunContext,
  port: JudgePort,
): (proposal: Proposal, nowMs: number) => Judged {
  const { limits, rules } = subject.settings
  const refusals = new WeakMap<Proposal, Refusal>()

  function judgeNow(proposal: Proposal): Judged {
    const request = toRequest(rules, proposal)
    const read = runAtOnce(readUnblocked(port, request))
    if (!read.ok) return read
    const reasons = judge(port, request, read)
    if (reasons.length > 0) return { ok: false, reasons }
    const offer = mustExist(read.offer, "the quote of the simulated service")
    return { ok: true, offer, policy: policyOf(port, request), feeBudget: read.funds.budget }
  }

  function changesAt(proposal: Proposal, nowMs: number): number {
    const { from, to, rule, secondRule = null } = toRequest(rules, proposal)
    const { cooldownUntilMs } = readUsage(port, { from, to, rule, secondRule, exceptOrder: null })
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
    const judged = judgeNow(proposal)
    if (!judged.ok) {
      const untilMs = changesAt(proposal, nowMs)
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
