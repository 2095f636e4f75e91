import type { AgentLimits } from "#domain/agent.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"

/** The orders of the agent that are open or ended within a day. */
export type AgentUsage = {
  /** What they sell or sold; rejected and abandoned orders sold nothing. */
  readonly fiat: bigint
  /** Orders of an unknown value, which could use up the day. */
  readonly unknown: number
  /** Requests that became orders, however they ended. */
  readonly count: number
  readonly inFlight: number
}

type AgentRequest = {
  readonly from: AssetId
  readonly to: AssetId
  /** By the quote and our prices; `null` where no source gives a value. */
  readonly fiat: bigint | null
}

export const AGENT_DAY_MS = 86_400_000

/** All reasons against the request by the agent's own limits. */
export function admitAgent(
  { from, to, fiat }: AgentRequest,
  usage: AgentUsage,
  limits: AgentLimits,
): Reason[] {
  const reasons: Reason[] = []
  const refuse = (code: string, message: string, numbers: Record<string, string>): void =>
    void reasons.push({ code, message, ...numbers })
  if (!limits.pairs.some((pair) => pair.from === from && pair.to === to))
    refuse("agent.pair", `The agent may not swap ${from} for ${to}`, { from, to })
  if (usage.inFlight >= limits.maxInFlight)
    refuse("agent.in_flight", "The agent has as many orders in flight as it may have", {
      inFlight: String(usage.inFlight),
      max: String(limits.maxInFlight),
    })
  if (usage.count >= limits.maxDayCount)
    refuse("agent.day_count", "The agent has opened as many orders today as it may open", {
      count: String(usage.count),
      max: String(limits.maxDayCount),
    })
  if (fiat === null || usage.unknown > 0) {
    refuse("agent.unpriced", "The value of the agent's orders is not known", {
      unknown: String(usage.unknown),
    })
    return reasons
  }
  if (fiat > limits.maxOrderFiat)
    refuse("agent.order", "The order is larger than the agent may ask for", {
      value: show(fiat),
      max: show(limits.maxOrderFiat),
    })
  if (usage.fiat + fiat > limits.maxDayFiat)
    refuse("agent.day", "With this order the agent would swap more in a day than it may", {
      value: show(fiat),
      used: show(usage.fiat),
      max: show(limits.maxDayFiat),
    })
  return reasons
}

/** Rounded up, so that a refused amount never looks allowed. */
function show(fiat: bigint): string {
  const cents = (fiat + 9_999n) / 10_000n
  return `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`
}
