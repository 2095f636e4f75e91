import { chainOf } from "#domain/asset.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { Random } from "./random.ts"
import { ROUTES, TOKEN_ROUTES } from "./routes.ts"

/**
 * The short-lived states that a directed seed targets. A random fault meets an order in such a
 * state once in a thousand times, so the simulator first steers orders into the target states and
 * then injects faults on their chains.
 */
export type Target = keyof typeof TARGETS

export const TARGETS = {
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
const TARGET_NAMES = Object.keys(TARGETS) as Target[]

/** Targets as often as each is drawn. `watch` is drawn most: a watched deposit rarely vanishes. */
export const TARGET_DRAWS: readonly [Target, ...Target[]] = ["watch", "watch", ...TARGET_NAMES]

/** Targets that only a token's deposit reaches: relayed signatures and revoked allowances. */
const TOKEN_TARGETS: readonly Target[] = [
  "early",
  "approve",
  "gasless",
  "revoke",
  "disarmed",
  "watch",
]

/** The part of a fault profile that steers. */
type Steered = { readonly target: Target | null }

export function isTargeted({ target }: Steered, { state }: Pick<OrderRow, "state">): boolean {
  return target !== null && TARGETS[target].test(state)
}

/** The routes that a directed seed mostly swaps on. */
export function routesOf({ target }: Steered): typeof ROUTES | typeof TOKEN_ROUTES {
  return target !== null && TOKEN_TARGETS.includes(target) ? TOKEN_ROUTES : ROUTES
}

/** The service's actions that would lead orders past the target states: it withholds them. */
export function listWithheld(
  { target }: Steered,
  rows: Iterable<OrderRow>,
): { readonly fills: boolean; readonly relays: boolean } {
  const states = [...rows].map(({ state }) => state)
  const relayed = states.filter((state) => TARGETS.gasless.test(state))
  const waitsForHeld = target === "watch" && !states.includes("held") && relayed.length < 2
  return {
    fills: target === "refund",
    relays: waitsForHeld || /^(revoke|disarmed|gasless)$/.test(target ?? ""),
  }
}

/** The ports that targeted orders use now: the service and the chains. */
export function listTargetedPorts(profile: Steered, rows: Iterable<OrderRow>): ReadonlySet<string> {
  const ports = new Set<string>()
  for (const row of rows) {
    if (!isTargeted(profile, row) && !isSoonTargeted(profile, row)) continue
    ports.add("service").add(chainOf(row.from))
    // The daemon observes the destination too for watched and disarmed orders only.
    if (profile.target === "disarmed" || profile.target === "watch") ports.add(chainOf(row.to))
  }
  return ports
}

/** Fault kinds without which the target states are left in only one way. */
export function requiredFaults(target: Target): readonly FaultKind[] {
  return /^(approve|deposit|void|refund|revoke)$/.test(target)
    ? ["malformed body", "request lost"]
    : []
}

/**
 * The factor by which unexpected answers are more frequent for targets. It is greatest for a call
 * that a state makes only once.
 */
export function unexpectedAnswerFactor({ target }: Steered, method: string): number {
  if (method === "planBump") return 30
  return target === "watch" ? 8 : 4
}

const TARGET_FAULTS = [
  "fee spike",
  "fee spike",
  "chain stands still",
  "chain stands still",
  "older transaction mined",
  "node unreadable",
  "mempool dropped",
  "transaction replaced",
  "transaction reorganised",
  "nodes disagree",
] as const satisfies readonly FaultKind[]

/** The situation on a chain with targeted orders. */
export type TargetChain = {
  /** A transaction of ours is in its mempool. */
  readonly hasPending: boolean
  /** A block that is not final holds a transaction that concerns us. */
  readonly hasRecentTransaction: boolean
  /** An order waits until its relayed deposit shows on chain. */
  readonly isDepositAwaited: boolean
}

/** The fault to inject on a targeted chain in this turn; `null` for none. */
export function sampleTargetFault(
  random: Random,
  { target }: Steered,
  { hasPending, hasRecentTransaction, isDepositAwaited }: TargetChain,
): (typeof TARGET_FAULTS)[number] | null {
  if (target === "watch") {
    if (!hasRecentTransaction || !random.chance(0.7)) return null
    return isDepositAwaited ? "chain stands still" : random.pick(RECENT_TRANSACTION_FAULTS)
  }
  if (hasPending && random.chance(0.3)) return "fee spike"
  if (!random.chance(0.2)) return null
  return target === "disarmed" ? "node unreadable" : random.pick(TARGET_FAULTS)
}

const RECENT_TRANSACTION_FAULTS = ["chain stands still", "transaction reorganised"] as const

/** An order of this chain waits until its relayed deposit shows on chain. */
export function isDepositAwaitedOn(chain: string, rows: Iterable<OrderRow>): boolean {
  return [...rows].some(({ from, state }) => chainOf(from) === chain && TARGETS.gasless.test(state))
}

/**
 * A watched deposit can only vanish before it is final. That is possible for a relayed deposit of a
 * held order, so those are steered first.
 */
function isSoonTargeted({ target }: Steered, { state }: Pick<OrderRow, "state">): boolean {
  return target === "watch" && (state === "held" || TARGETS.gasless.test(state))
}
