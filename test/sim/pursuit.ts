import { chainOf } from "#domain/asset.ts"
import type { OrderRow } from "#journal/port.ts"
import type { Random } from "./random.ts"
import type { FaultKind, Swarm } from "./swarm.ts"

/**
 * What a directed seed is after: orders in states that do not last, where blind troubles hit one in a thousand. The world first leads orders
 * there, and then strikes where they are.
 */
export type Quarry = keyof typeof QUARRIES

export const QUARRIES = {
  early: /^(verifying|allowing|awaiting-approval|gasless-signing)$/,
  approve: /^approve-/,
  gasless: /^gasless-/,
  deposit: /^deposit-/,
  void: /^void-/,
  watch: /^(funded|redeem-reported|refund-watch)$/,
  refund: /^refund-(?!watch)/,
  revoke: /^revoke-/,
  disarmed: /^disarmed$/,
} as const

// CAST: the keys of the table.
export const QUARRY_NAMES = Object.keys(QUARRIES) as [Quarry, ...Quarry[]]

/** Signatures that a relay gets, and allowances that are taken back, need a token's deposit. */
const OF_TOKENS: readonly Quarry[] = ["approve", "gasless", "revoke", "disarmed"]

export function isChased({ quarry }: Swarm, { state }: Pick<OrderRow, "state">): boolean {
  return quarry !== null && QUARRIES[quarry].test(state)
}

export function wantsTokens({ quarry }: Swarm): boolean {
  return quarry !== null && OF_TOKENS.includes(quarry)
}

/** The service, by itself, leads orders there: what it does not do while a seed is after them. */
export function leavesUndone({ quarry }: Swarm): { readonly fills: boolean; readonly relays: boolean } {
  return { fills: quarry === "refund", relays: quarry === "revoke" || quarry === "disarmed" || quarry === "gasless" }
}

/** Where something is chased now: the chains of those orders, and the service. */
export function listPorts(swarm: Swarm, rows: Iterable<OrderRow>): ReadonlySet<string> {
  const ports = new Set<string>()
  for (const row of rows) {
    if (!isChased(swarm, row)) continue
    ports.add("service").add(chainOf(row.from))
    // Only what is watched is looked at on both sides.
    if (swarm.quarry === "disarmed" || swarm.quarry === "watch") ports.add(chainOf(row.to))
  }
  return ports
}

const TROUBLES = [
  "fee spike",
  "fee spike",
  "chain stands still",
  "node unreadable",
  "mempool dropped",
  "transaction replaced",
  "move reorganised away",
  "nodes disagree",
] as const satisfies readonly FaultKind[]

/** What strikes a chain where something is chased, in this turn. */
export function drawTrouble(random: Random, { quarry }: Swarm): (typeof TROUBLES)[number] | null {
  if (!random.chance(0.2)) return null
  return quarry === "disarmed" ? "node unreadable" : random.pick(TROUBLES)
}
