import { formatUnits } from "#domain/amount.ts"
import type { Reason } from "#domain/reason.ts"
import type { EngineContext } from "#engine/context.ts"
import type { Engine } from "#engine/engine.ts"
import { listMissingTokenAccounts } from "#engine/watches/token-account-opener.ts"
import { formatSecond } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"
import type { Evaluation } from "#policy/evaluate.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { listPauses } from "./list-pauses.ts"
import { type Decimals, viewPlanSummary, viewProposal } from "./view-decision.ts"

export type PlanAnswer = AnswerOf<"Plan">
export type OpeningView = PlanAnswer["tokenAccounts"][number]

/** Reads nodes and service, and writes nothing. */
export async function readPlan(context: EngineContext, engine: Engine): Promise<PlanAnswer> {
  const { settings } = context
  const { atMs, evaluation, refusals, costs, explained } = await engine.preview()
  const decimals: Decimals = new Map(
    [...settings.assets.values()].map((asset) => [asset.id, asset.decimals]),
  )
  const proposals = evaluation.proposals.map((proposal, index) => ({
    ...viewProposal(proposal, decimals, costs[index] ?? null),
    explained: [...(explained[index] ?? [])],
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
      return {
        rule: rule.id,
        reasons: [rule.enabled === false ? disabled(rule.id) : notDue(rule.id, nextMs)],
      }
    })
  return {
    at: new Date(atMs).toISOString(),
    mode: settings.mode,
    paused: listPauses(context.journal, [...context.chains.keys()], settings.rules),
    plan: viewPlanSummary(evaluation.plan),
    proposals,
    tokenAccounts: await readTokenAccounts(context),
    declined: [...mergeDeclined(evaluation.declined), ...silent],
  }
}

/** A node that does not answer leaves the list empty: the rest of the plan is still of use. */
async function readTokenAccounts(context: EngineContext): Promise<readonly OpeningView[]> {
  try {
    return (await listMissingTokenAccounts(context)).map(
      ({ asset, address, port, costUnits, refused }) => {
        const { decimals, symbol } = port.traits.nativeCoin
        const cost = `${formatUnits(costUnits, decimals)} ${symbol}`
        return { asset, address, cost, costUnits: costUnits.toString(), refused }
      },
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.log.warn({ err: error }, "The token accounts could not be read for the plan")
    return []
  }
}

/** One entry for each rule, each reason once. */
function mergeDeclined(
  declined: Evaluation["declined"],
): { rule: string; reasons: readonly Reason[] }[] {
  return [...new Set(declined.map(({ rule }) => rule))].map((rule) => {
    const reasons = declined.filter((one) => one.rule === rule).flatMap((one) => one.reasons)
    return {
      rule,
      reasons: [...new Map(reasons.map((reason) => [encodeJson(reason), reason])).values()],
    }
  })
}

function disabled(rule: string): Reason {
  return { code: "policy.disabled", message: "It is not enabled", rule }
}

function notDue(rule: string, nextMs: number | null): Reason {
  const next = nextMs === null || !Number.isFinite(nextMs) ? null : new Date(nextMs).toISOString()
  const message = next === null ? "It has no next time" : `It is due next at ${formatSecond(next)}`
  return { code: "policy.not_due", message, rule, next: next ?? "never" }
}
