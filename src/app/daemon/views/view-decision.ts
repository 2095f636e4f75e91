import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { type ProposalResult, readDecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import { decodeJson } from "#lib/json.ts"
import type { PlanSummary, Proposal } from "#policy/evaluate.ts"
import type { CostParts } from "#policy/list-cost-parts.ts"
import type { DecisionRow } from "#ports/journal.ts"

export type Decimals = ReadonlyMap<AssetId, number>

/** A decision in the form for people and other programs. */
export type DecisionView = Omit<DecisionRow, "body"> & {
  readonly at: string
  readonly lastAt: string
  /** The scheduled time of the decision; `null` for a rule without a schedule. */
  readonly occurrence: string | null
  readonly proposals: readonly (ProposalView & { readonly outcome: ProposalResult })[]
  /** The policy's reasons, then the guards'. */
  readonly reasons: readonly Reason[]
  readonly plan: PlanView | null
  readonly body: unknown
}

/** Amounts in the asset's own unit, with `…Units` beside them; `cost` in the reference currency. */
export type ProposalView = {
  readonly rules: readonly string[]
  readonly from: AssetId
  readonly to: AssetId
  readonly destination: string | null
  readonly amount: string
  readonly amountUnits: string
  readonly receive: string | null
  readonly receiveUnits: string | null
  readonly cost: string | null
  /** The parts of the cost; `null` where it is unknown, and in decisions of an earlier version. */
  readonly costParts: CostPartsView | null
  readonly why: readonly Reason[]
}

/**
 * In the reference currency. `swap`: service fee, spread and the payout's own network fee.
 * `network`: deposit and approval. `refund`: beside the cost, when the swap fails. `refundRisk`:
 * that refund by its probability; `locked`: for the money that the order locks; ceilings count
 * both. `null`: no estimate.
 */
export type CostPartsView = {
  readonly swap: string
  readonly network: string | null
  readonly refund: string | null
  readonly refundRisk: string | null
  readonly locked: string | null
}

/** `exact`: no cheaper plan exists. */
export type PlanView = {
  readonly orders: number
  readonly cost: string | null
  readonly exact: boolean
}

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
  const { rules, from, to, destination, units, receiveUnits, costFiat, why } = proposal
  const show = (amount: bigint, asset: AssetId): string =>
    formatUnits(amount, decimals.get(asset) ?? 0)
  return {
    rules,
    from,
    to,
    destination,
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
            // A decision of an earlier version has neither.
            refundRisk: showFiat(parts.refundRiskFiat ?? null),
            locked: showFiat(parts.lockedFiat ?? null),
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
