import { requiresApproval } from "#guards/requires-approval.ts"
import type { Proposal } from "#policy/evaluate.ts"
import type { Judged } from "./judge-in-backtest.ts"
import { type PlannedStep, putOrder, runStep, type StepContext } from "./order-steps.ts"
import { openBacktestOrder } from "./order-transitions.ts"

/** Takes admitted orders through approval and deposit to a payout or a refund. */
export type OrderProcessor = {
  readonly open: (proposal: Proposal, judged: Judged, nowMs: number) => void
  /** Runs all steps that are due. */
  readonly advance: (nowMs: number) => void
  readonly nextMs: () => number
}

export function createOrderProcessor(context: Omit<StepContext, "plan">): OrderProcessor {
  const { treasury, market, measure } = context
  const steps: PlannedStep[] = []
  let count = 0

  function plan(step: PlannedStep): void {
    const index = steps.findIndex(({ atMs }) => atMs > step.atMs)
    steps.splice(index < 0 ? steps.length : index, 0, step)
  }

  const stepContext: StepContext = { ...context, plan }

  return {
    open: (proposal, judged, nowMs) => {
      count += 1
      const { quote, reference, decimals, policy, feeBudget } = judged
      const rule = proposal.rules[0] ?? ""
      const { occurrence, destination } = proposal
      const asked = { id: `order-${count}`, rule, occurrence, destination }
      const order = openBacktestOrder({ ...asked, quote, reference, decimals, policy, feeBudget, nowMs })
      putOrder(stepContext, order, nowMs)
      measure.opened(order)
      if (!requiresApproval(order.data)) {
        runStep(stepContext, { atMs: nowMs, id: order.data.id, what: "deposit" }, nowMs)
        return
      }
      const { approvalMs } = market.sampleOrder(quote.from, quote.to, nowMs, treasury.pair(quote.from, quote.to))
      const late = approvalMs > policy.approvalTtlMs
      const atMs = nowMs + (late ? policy.approvalTtlMs : approvalMs)
      plan({ atMs, id: order.data.id, what: late ? "expire" : "deposit" })
    },
    advance: (nowMs) => {
      for (let next = steps[0]; next !== undefined && next.atMs <= nowMs; next = steps[0]) {
        steps.shift()
        runStep(stepContext, next, nowMs)
      }
    },
    nextMs: () => steps[0]?.atMs ?? Number.POSITIVE_INFINITY,
  }
}
