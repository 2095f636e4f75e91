import type { Random } from "../fault-sim/random.ts"
import { HOSTS, type Place } from "./network.ts"

/** One fault, as plain data. `leader` and `standby` are the daemons' parts at that time. */
export type Fault =
  | { readonly kind: "kill leader" | "kill standby" | "hand over" | "crash database" }
  | { readonly kind: "freeze leader" | "freeze standby"; readonly ms: number }
  | { readonly kind: "cut"; readonly between: readonly [Place, Place]; readonly ms: number }
  | {
      readonly kind: "isolate leader" | "isolate database" | "promote database"
      readonly ms: number
    }
  | {
      readonly kind: "shift leader" | "shift standby" | "shift database"
      readonly seconds: number
      readonly ms: number
    }

export type FaultKind = Fault["kind"]

const PLACES: readonly Place[] = [...HOSTS, "root"]
/**
 * Every two places that exchange packets; the two daemons and two servers do so with each other
 * too, or never.
 */
export const PAIRS: readonly (readonly [Place, Place])[] = PLACES.flatMap((one, index) =>
  PLACES.slice(index + 1).map((other) => [one, other] as const),
)

/** A fault lasts at most this long; a short run has shorter ones. */
export type Lengths = { readonly longestMs: number }

/**
 * Most faults end a leader, because the run counts take-overs. Pairs come in turn, so that each one
 * is cut.
 */
export function drawFault(random: Random, round: number, { longestMs }: Lengths): Fault {
  const ms = Math.round(100 + random.next() ** 2 * (longestMs - 100))
  const seconds = random.pick([-7_200, -60, -6, 6, 60, 7_200])
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
      return { kind: "kill leader" }
    case 3:
    case 4:
    case 5:
      return { kind: "freeze leader", ms }
    case 6:
      return { kind: "cut", between: PAIRS[round % PAIRS.length] ?? ["a", "b"], ms }
    case 7:
      return { kind: random.pick(["isolate leader", "isolate database"]), ms }
    case 8:
      return random.chance(0.6) ? { kind: "promote database", ms } : { kind: "crash database" }
    case 9:
      return { kind: "hand over" }
    case 10:
      return random.chance(0.5) ? { kind: "kill standby" } : { kind: "freeze standby", ms }
    default:
      // A lease lasts as much longer as the database's clock is set back, so that clock moves
      // little.
      return random.chance(0.4)
        ? { kind: "shift database", seconds: random.pick([-6, -3, 3, 6, 60]), ms }
        : { kind: random.pick(["shift leader", "shift standby"]), seconds, ms }
  }
}
