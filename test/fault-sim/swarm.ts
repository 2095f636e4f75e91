import { needsOf, QUARRY_DRAWS, type Quarry } from "./pursuit.ts"
import type { Random } from "./random.ts"

/** Every kind of trouble that the simulated world knows. A seed switches each on or off: few kinds at once reach deeper than all together. */
export const FAULT_KINDS = [
  "request lost",
  "answer lost",
  "duplicated",
  "delayed",
  "reordered",
  "html answer",
  "malformed body",
  "slow body",
  "service 4xx",
  "service 5xx",
  "service down",
  "service down for hours",
  "service gone",
  "service reuses a secret",
  "relay silent",
  "solver silent",
  "solver late",
  "solver funds too little",
  "solver pays too little",
  "refund raced",
  "price above limit",
  "price jumps",
  "reference jumps",
  "node refuses",
  "node unreadable",
  "node lags",
  "nodes disagree",
  "node lies: mined",
  "node lies: balance",
  "chain stands still",
  "fee spike",
  "mempool dropped",
  "blockhash expires",
  "reorganised",
  "move reorganised away",
  "transaction replaced",
  "older transaction mined",
  "nonce taken",
  "commit fails",
  "disk full",
  "killed at a write",
  "killed at an await",
  "killed between steps",
  "amnesia",
  "paused",
  "clock jumps",
  "clock ahead",
  "clock behind",
  "operator",
  "operator at work",
  "machine off",
  "configuration changed",
  "answer nobody expects",
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
  /** A directed seed is after orders in states that do not last; `null` where all troubles are blind. */
  readonly quarry: Quarry | null
  readonly confirmations: number
  /** Is there a reference price beside the quote? */
  readonly hasReference: boolean
  readonly way: "auto" | "gasless" | "onchain" | null
}

export function drawSwarm(random: Random, orders: number | null, isDirected: boolean): Swarm {
  const share = random.pick([0.06, 0.12, 0.25])
  const drawn = FAULT_KINDS.filter((kind) => kind !== "answer nobody expects")
  const on = new Set(drawn.filter((kind) => random.chance(RARE.has(kind) ? share / 3 : share)))
  const swarm = {
    on,
    rate: random.pick([0.01, 0.03, 0.1]),
    orders: orders ?? 6 + random.below(14),
    activeSteps: 80 + random.below(160),
    maxInFlight: 1 + random.below(6),
    confirmations: 2 + random.below(2),
    hasReference: random.chance(0.3),
    way: random.pick([null, "auto", "gasless", "onchain"] as const),
  }
  if (!isDirected) return { ...swarm, quarry: null }
  const helpful = HELPFUL.filter(() => random.chance(0.5))
  const quarry = random.pick(QUARRY_DRAWS)
  const way = quarry === "watch" ? ("gasless" as const) : swarm.way
  return { ...swarm, quarry, way, on: new Set([...on, ...DIRECTED, ...helpful, ...needsOf(quarry)]) }
}

/** Only directed seeds have the first; they all have the second. */
const DIRECTED = new Set<FaultKind>(["answer nobody expects", "operator at work"])
/** Without these, some states are never left in some ways. */
const HELPFUL: readonly FaultKind[] = ["paused", "nodes disagree", "killed at an await", "commit fails", "answer lost"]

/** Where it is on, one of these overshadows everything else. */
const RARE: ReadonlySet<FaultKind> = new Set([
  "amnesia",
  "service reuses a secret",
  "service gone",
  "service down for hours",
])
