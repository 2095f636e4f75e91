import type { Reason } from "#domain/reason.ts"
import type { EngineContext } from "#engine/context.ts"
import type { Engine } from "#engine/engine.ts"
import { encodeJson } from "#lib/json.ts"
import type { Evaluation } from "#policy/evaluate.ts"
import { type Decimals, type PlanView, type ProposalView, viewPlanSummary, viewProposal } from "./view-decision.ts"

/** The plan of a tick now: every proposal with the guards' refusals, and for every rule the reasons to propose no more. */
export type PlanAnswer = {
  readonly at: string
  readonly mode: "live" | "observe"
  readonly plan: PlanView
  readonly proposals: readonly (ProposalView & {
    /** Empty: an order would be opened. Each proposal is judged by itself, without the others. */
    readonly refused: readonly Reason[]
  })[]
  readonly declined: readonly { readonly rule: string; readonly reasons: readonly Reason[] }[]
}

/** Reads nodes and service, and writes nothing. */
export async function readPlan(context: EngineContext, engine: Engine): Promise<PlanAnswer> {
  const { settings } = context
  const { atMs, evaluation, refusals } = await engine.preview()
  const decimals: Decimals = new Map([...settings.assets.values()].map((asset) => [asset.id, asset.decimals]))
  const proposals = evaluation.proposals.map((proposal, index) => ({
    ...viewProposal(proposal, decimals),
    refused: refusals[index] ?? [],
  }))
  const spoken = new Set([
    ...evaluation.proposals.flatMap(({ rules }) => rules),
    ...evaluation.declined.map(({ rule }) => rule),
  ])
  const silent = settings.rules
    .filter(({ id }) => !spoken.has(id))
    .map((rule) => {
      const nextMs = engine.nextMs(rule)
      return { rule: rule.id, reasons: [rule.enabled === false ? disabled(rule.id) : notDue(rule.id, nextMs)] }
    })
  return {
    at: new Date(atMs).toISOString(),
    mode: settings.mode,
    plan: viewPlanSummary(evaluation.plan),
    proposals,
    declined: [...mergeDeclined(evaluation.declined), ...silent],
  }
}

/** One entry for each rule, each reason once. */
function mergeDeclined(declined: Evaluation["declined"]): { rule: string; reasons: readonly Reason[] }[] {
  return [...new Set(declined.map(({ rule }) => rule))].map((rule) => {
    const reasons = declined.filter((one) => one.rule === rule).flatMap((one) => one.reasons)
    return { rule, reasons: [...new Map(reasons.map((reason) => [encodeJson(reason), reason])).values()] }
  })
}

function disabled(rule: string): Reason {
  return { code: "policy.disabled", message: `${rule} is not enabled`, rule }
}

function notDue(rule: string, nextMs: number | null): Reason {
  const next = nextMs === null || !Number.isFinite(nextMs) ? "never" : new Date(nextMs).toISOString()
  return { code: "policy.not_due", message: `${rule} is due next at ${next}`, rule, next }
}
