import type { Question } from "#nodes/node-client.ts"
import { integer, recentFees } from "./spend/recent-fees.ts"

/* Questions that the daemon's client and the probes ask alike. */

/** The newest slot of a commitment. */
export function readSlot(ask: Question, commitment: "confirmed" | "finalized"): Promise<bigint> {
  return ask("getSlot", [{ commitment }], integer)
}

/** The time of the block at this slot; `null` where the endpoint does not know it. */
export async function readBlockMs(ask: Question, slot: bigint): Promise<number | null> {
  const seconds = await ask("getBlockTime", [Number(slot)], integer.nullable())
  return seconds === null ? null : Number(seconds) * 1_000
}

/** What recent blocks charged for writes to these addresses, in micro-lamports a unit. */
export function readRecentFees(
  ask: Question,
  addresses: readonly string[],
): Promise<readonly bigint[]> {
  return ask("getRecentPrioritizationFees", [addresses], recentFees)
}
