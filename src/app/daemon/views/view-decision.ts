import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { readDecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import { decodeJson } from "#lib/json.ts"
import type { PlanSummary, Proposal } from "#policy/evaluate.ts"
import type { CostParts } from "#policy/list-cost-parts.ts"
import type { DecisionRow } from "#ports/journal/decisions.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"

export type Decimals = ReadonlyMap<AssetId, number>

export type DecisionView = AnswerOf<"Decisions">["decisions"][number]
type ProposalView = Omit<AnswerOf<"Plan">["proposals"][number], "refused">
export type CostPartsView = NonNullable<ProposalView["costParts"]>
type PlanView = AnswerOf<"Plan">["plan"]

export function viewDecision(row: DecisionRow, decimals: Decimals): DecisionView {
  const body = readDecisionBody(row.body)
  const at = new Date(row.atMs).toISOString()
  const lastAt = new Date(row.lastAtMs).toISOString()
  if (body === null) {
    return {
      ...row,
      at,
      lastAt,
      occurrence: null,
      proposals: [],
      reasons: [],
      plan: null,
      body: decodeJson(row.body),
    }
  }
  const { decided, outcomes, occurrence, costs } = body
  const reasons = reasonsIn(body)
  const proposals = decided.proposals.map((proposal, index) => ({
    ...viewProposal(proposal, decimals, costs?.[index] ?? null),
    outcome: outcomes[index] ?? null,
  }))
  const plan = decided.plan === null ? null : viewPlanSummary(decided.plan)
  return { ...row, at, lastAt, occurrence, proposals, reasons, plan, body: { ...body, reasons } }
}

export function viewProposal(
  proposal: Proposal,
  decimals: Decimals,
  parts: CostParts | null,
): ProposalView {
  const { rules, from, to, destination, units, receiveUnits, costFiat, why, kind } = proposal
  const show = (amount: bigint, asset: AssetId): string =>
    formatUnits(amount, decimals.get(asset) ?? 0)
  return {
    rules,
    from,
    to,
    destination,
    ...(kind === undefined ? {} : { kind }),
    amount: show(units, from),
    amountUnits: units.toString(),
    receive: receiveUnits === null ? null : show(receiveUnits, to),
    receiveUnits: receiveUnits?.toString() ?? null,
    cost: showFiat(costFiat),
    costParts:
      parts === null
        ? null
        : {
            swap: formatUnits(parts.swapFiat, FIAT_DECIMALS),
            network: showFiat(parts.networkFiat),
            refund: showFiat(parts.refundFiat),
            refundRisk: showFiat(parts.refundRiskFiat),
            locked: showFiat(parts.lockedFiat),
          },
    why,
  }
}

function showFiat(fiat: bigint | null): string | null {
  return fiat === null ? null : formatUnits(fiat, FIAT_DECIMALS)
}

export function viewPlanSummary({ orders, costFiat, exact }: PlanSummary): PlanView {
  return { orders, cost: costFiat === null ? null : formatUnits(costFiat, FIAT_DECIMALS), exact }
}
