import type { Random } from "./random.ts"

/** Every kind of trouble that the simulated world knows. A seed switches each on or off: few kinds at once reach deeper than all together. */
export const FAULT_KINDS = [
  "request lost",
  "answer lost",
  "duplicated",
  "delayed",
  "service 4xx",
  "service 5xx",
  "service down",
  "service reuses a secret",
  "relay silent",
  "solver silent",
  "price above limit",
  "node refuses",
  "node unreadable",
  "node lags",
  "chain stands still",
  "fee spike",
  "mempool dropped",
  "reorganised",
  "move reorganised away",
  "transaction replaced",
  "nonce taken",
  "commit fails",
  "killed at a write",
  "killed at an await",
  "killed between steps",
  "amnesia",
  "paused",
  "clock jumps",
  "operator",
  "machine off",
  "configuration changed",
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

/** What one seed is about. */
export type Swarm = {
  readonly on: ReadonlySet<FaultKind>
  /** How often a fault that is on strikes where it can. */
  readonly rate: number
  readonly orders: number
  readonly activeSteps: number
  readonly maxInFlight: number
  readonly confirmations: number
  readonly way: "auto" | "gasless" | "onchain" | null
}

export function drawSwarm(random: Random, orders: number | null): Swarm {
  const share = random.pick([0.15, 0.3, 0.5])
  const on = new Set(FAULT_KINDS.filter((kind) => random.chance(RARE.has(kind) ? share / 3 : share)))
  return {
    on,
    rate: random.pick([0.01, 0.03, 0.1]),
    orders: orders ?? 3 + random.below(9),
    activeSteps: 80 + random.below(160),
    maxInFlight: 1 + random.below(6),
    confirmations: 2 + random.below(2),
    way: random.pick([null, "auto", "gasless", "onchain"]),
  }
}

/** Where it is on, this one overshadows everything else. */
const RARE: ReadonlySet<FaultKind> = new Set(["amnesia", "service reuses a secret"])
