import type { Reason } from "#domain/reason.ts"
import type { EngineContext } from "#engine/context.ts"
import type { Engine } from "#engine/engine.ts"
import { type Decimals, type PlanView, type ProposalView, viewPlanSummary, viewProposal } from "./view-decision.ts"

/** What would happen now: every move with what the guards say of it, and for every rule why it moves no more than that. */
export type PlanAnswer = {
  readonly at: string
  readonly mode: "live" | "observe"
  readonly plan: PlanView
  readonly proposals: readonly (ProposalView & {
    /** Empty: an order would be opened. Each proposal is judged by itself, as if the others were not there. */
    readonly refused: readonly Reason[]
  })[]
  readonly declined: readonly { readonly rule: string; readonly reasons: readonly Reason[] }[]
}

/** Asks nodes and service, and writes nothing. */
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
    declined: [...evaluation.declined.map(({ rule, reasons }) => ({ rule, reasons })), ...silent],
  }
}

function disabled(rule: string): Reason {
  return { code: "policy.disabled", message: `${rule} is not enabled`, rule }
}

function notDue(rule: string, nextMs: number | null): Reason {
  const next = nextMs === null || !Number.isFinite(nextMs) ? "never" : new Date(nextMs).toISOString()
  return { code: "policy.not_due", message: `${rule} is due next at ${next}`, rule, next }
}
