import type { AssetId } from "#domain/asset.ts"
import { requiresApproval } from "#guards/requires-approval.ts"
import type { Proposal } from "#policy/evaluate.ts"
import type { JudgedOrder } from "../create-judge.ts"
import { pairOf } from "../simulated-routes.ts"
import { quoteOf } from "../simulated-service.ts"
import { type PlannedStep, putOrder, runStep, type StepContext } from "./order-steps.ts"
import { depositOrder, openBacktestOrder } from "./order-transitions.ts"
import type { OrderUnderWay } from "./scenario.ts"

/** Takes admitted orders through approval and deposit to a payout or a refund. */
export type OrderProcessor = {
  readonly open: (proposal: Proposal, judged: JudgedOrder, nowMs: number) => void
  /**
   * Takes over an order with a deposit from before the run. The wallet must hold the amount.
   */
  readonly resume: (order: OrderUnderWay, nowMs: number) => void
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
      const { offer, policy, feeBudget } = judged
      const { quote, reference, prices } = offer
      const decimals = decimalsOf(treasury, quote.from, quote.to)
      const [rule = "", secondRule = null] = proposal.rules
      const { occurrence, destination } = proposal
      const asked = { id: `order-${count}`, rule, secondRule, occurrence, destination }
      const order = openBacktestOrder({
        ...asked,
        quote,
        reference,
        prices,
        decimals,
        policy,
        feeBudget,
        nowMs,
      })
      putOrder(stepContext, order, nowMs)
      measure.opened(order)
      if (!requiresApproval(order.data)) {
        runStep(stepContext, { atMs: nowMs, id: order.data.id, what: "deposit" }, nowMs)
        return
      }
      const { approvalMs } = market.sampleOrder(quote.from, quote.to, nowMs, pairOf(context, quote))
      const late = approvalMs > policy.approvalTtlMs
      const atMs = nowMs + (late ? policy.approvalTtlMs : approvalMs)
      plan({ atMs, id: order.data.id, what: late ? "expire" : "deposit" })
    },
    resume: (underWay, nowMs) => {
      count += 1
      const id = `order-${count}`
      const opened = openUnderWay(context, id, underWay, nowMs)
      treasury.add(underWay.from, -underWay.units)
      const paid = depositOrder(opened, null, nowMs)
      context.books.post(opened.data, paid.data)
      putOrder(stepContext, paid, nowMs)
      plan({ atMs: underWay.arrivesMs, id, what: "complete" })
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

function decimalsOf(treasury: StepContext["treasury"], from: AssetId, to: AssetId) {
  return { from: treasury.asset(from).decimals, to: treasury.asset(to).decimals }
}

/** The run knows no price and no fee of an order from before its start. */
function openUnderWay(
  { subject, treasury }: Pick<StepContext, "subject" | "treasury">,
  id: string,
  { rule, from, to, units }: OrderUnderWay,
  nowMs: number,
) {
  return openBacktestOrder({
    id,
    rule,
    secondRule: null,
    occurrence: null,
    destination: null,
    reference: { from: null, to: null },
    prices: { from: null, to: null, native: null },
    quote: quoteOf(treasury, { from, to, units }),
    decimals: decimalsOf(treasury, from, to),
    policy: subject.settings.policyFor(from, to),
    feeBudget: { depositUnits: 0n, refundUnits: 0n },
    nowMs,
  })
}
