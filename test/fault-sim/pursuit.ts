import { chainOf } from "#domain/asset.ts"
import type { OrderRow } from "#journal/port.ts"
import type { Random } from "./random.ts"
import { ROUTES, TOKEN_ROUTES } from "./routes.ts"
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
const NAMES = Object.keys(QUARRIES) as Quarry[]

/** As often as each is drawn: what is watched is the hardest to see vanish. */
export const QUARRY_DRAWS: readonly [Quarry, ...Quarry[]] = ["watch", "watch", ...NAMES]

/** Signatures that a relay gets, and allowances that are taken back, need a token's deposit. */
const OF_TOKENS: readonly Quarry[] = ["early", "approve", "gasless", "revoke", "disarmed", "watch"]

export function isChased({ quarry }: Swarm, { state }: Pick<OrderRow, "state">): boolean {
  return quarry !== null && QUARRIES[quarry].test(state)
}

/** From where a directed seed mostly swaps. */
export function routesOf({ quarry }: Swarm): typeof ROUTES | typeof TOKEN_ROUTES {
  return quarry !== null && OF_TOKENS.includes(quarry) ? TOKEN_ROUTES : ROUTES
}

/** The service, by itself, leads orders there: what it does not do while a seed is after them. */
export function leavesUndone(
  { quarry }: Swarm,
  rows: Iterable<OrderRow>,
): { readonly fills: boolean; readonly relays: boolean } {
  const states = [...rows].map(({ state }) => state)
  const sought = states.filter((state) => QUARRIES.gasless.test(state))
  const waits = quarry === "watch" && !states.includes("held") && sought.length < 2
  return { fills: quarry === "refund", relays: waits || /^(revoke|disarmed|gasless)$/.test(quarry ?? "") }
}

/** Where something is chased now: the chains of those orders, and the service. */
export function listPorts(swarm: Swarm, rows: Iterable<OrderRow>): ReadonlySet<string> {
  const ports = new Set<string>()
  for (const row of rows) {
    if (!isChased(swarm, row) && !isSoonChased(swarm, row)) continue
    ports.add("service").add(chainOf(row.from))
    // Only what is watched is looked at on both sides.
    if (swarm.quarry === "disarmed" || swarm.quarry === "watch") ports.add(chainOf(row.to))
  }
  return ports
}

/** Without these kinds there is nothing to be had from such a chase. */
export function needsOf(quarry: Quarry): readonly FaultKind[] {
  return /^(approve|deposit|void|refund|revoke)$/.test(quarry) ? ["malformed body", "request lost"] : []
}

/** How much more often than elsewhere an answer is one that nobody expects. What is asked once in a state's short life is surprised most. */
export function surpriseOf({ quarry }: Swarm, method: string): number {
  if (method === "planBump") return 30
  return quarry === "watch" ? 8 : 4
}

const TROUBLES = [
  "fee spike",
  "fee spike",
  "chain stands still",
  "chain stands still",
  "older transaction mined",
  "node unreadable",
  "mempool dropped",
  "transaction replaced",
  "move reorganised away",
  "nodes disagree",
] as const satisfies readonly FaultKind[]

/** What a chain is like where something is chased. */
export type Prospect = {
  /** A transaction of ours is in its mempool. */
  readonly waits: boolean
  /** Something that concerns us lies in a block that is not final. */
  readonly isYoung: boolean
  /** A relay's deposit is still being looked for. */
  readonly isSought: boolean
}

/** What strikes there in this turn. */
export function drawTrouble(
  random: Random,
  { quarry }: Swarm,
  { waits, isYoung, isSought }: Prospect,
): (typeof TROUBLES)[number] | null {
  if (quarry === "watch") return isYoung && random.chance(0.7) ? (isSought ? YOUNG[0] : random.pick(YOUNG)) : null
  if (waits && random.chance(0.3)) return "fee spike"
  if (!random.chance(0.2)) return null
  return quarry === "disarmed" ? "node unreadable" : random.pick(TROUBLES)
}

const YOUNG = ["chain stands still", "move reorganised away"] as const

/** Is a relay's deposit being looked for on this chain? */
export function isSoughtOn(chain: string, rows: Iterable<OrderRow>): boolean {
  return [...rows].some(({ from, state }) => chainOf(from) === chain && QUARRIES.gasless.test(state))
}

/** What is watched may vanish only while it is young: what a relay does for an order that is held, or about to be. */
function isSoonChased({ quarry }: Swarm, { state }: Pick<OrderRow, "state">): boolean {
  return quarry === "watch" && (state === "held" || QUARRIES.gasless.test(state))
}
