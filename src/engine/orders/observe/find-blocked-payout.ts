import type { Reason } from "#domain/reason.ts"
import { isRevealed } from "#order/guards.ts"
import type { ChainPort } from "#ports/chain.ts"
import { destinationQuery } from "../leg-queries.ts"
import type { Job } from "./job.ts"

/** Why the payout, which is in its HTLC, cannot reach its owner now. */
export async function findUnpayable(
  { data }: Job,
  destination: ChainPort,
): Promise<readonly Reason[]> {
  const { asset, owner, htlc, units } = destinationQuery(data, destination.traits)
  return (await destination.contracts?.checkPayout(asset, owner, { htlc, units })) ?? []
}

/** The alarm about a payout that our own check finds blocked; none without a reason. Pure. */
export function describeBlocked({ data }: Job, faults: readonly Reason[]): readonly Reason[] {
  const [first] = faults
  if (first === undefined) return []
  const { to, destinationOwner } = data.request
  const state = isRevealed(data)
    ? "Our secret is told, and its redemption is tried all the same"
    : "Our secret stays ours, and without a change the deposit waits for its refund"
  const block = `The payout in ${to} cannot reach ${destinationOwner} now: ${first.message}`
  const message = `${block}. ${state}`
  return [{ code: "alarm.payout_blocked", message, cause: first.code }]
}
