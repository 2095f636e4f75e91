import type { Asset, AssetId } from "#domain/asset.ts"
import type { FeeBudget } from "#domain/order.ts"
import type { SimulatedJournal } from "./simulated-journal.ts"
import type { Subject } from "./subject.ts"
import type { Scenario } from "./world/scenario.ts"
import { chainIn, type Treasury } from "./world/treasury.ts"

export type RunContext = {
  readonly subject: Subject
  readonly scenario: Scenario
  readonly treasury: Treasury
  readonly orders: SimulatedJournal
}

/** The coin in which a chain takes its fees, also when it is not configured. */
export function coinOf({ scenario }: Pick<RunContext, "scenario">, id: AssetId): AssetId {
  return chainIn(scenario, id).coin
}

/**
 * The native coin of an asset's chain when it is a configured asset; guards and planner can only
 * read configured assets.
 */
export function configuredCoin(
  context: Pick<RunContext, "subject" | "scenario">,
  id: AssetId,
): Asset | null {
  const coin = coinOf(context, id)
  return context.subject.assets.find((asset) => asset.id === coin) ?? null
}

/** The network fee of a deposit at this time. */
export function depositFeeAt(scenario: Scenario, from: AssetId, nowMs: number): bigint {
  const { depositFeeUnits, fees = [] } = chainIn(scenario, from)
  return fees.findLast(({ atMs }) => atMs <= nowMs)?.value ?? depositFeeUnits
}

/** What the guards keep back for the deposit and the refund of an order. */
export function feeBudgetOf(scenario: Scenario, from: AssetId): FeeBudget {
  const { depositFeeUnits, refundFeeUnits, worstFactor } = chainIn(scenario, from)
  return { depositUnits: depositFeeUnits * worstFactor, refundUnits: refundFeeUnits * worstFactor }
}
