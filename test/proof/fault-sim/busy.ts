import type { FaultKind } from "./fault-kinds.ts"
import type { Random } from "./random.ts"

/*
 * A busy run has hundreds of orders, several in each turn and up to MAX_IN_FLIGHT together. It is
 * meant for a cluster: many orders are under way whenever a leader ends, so each take-over meets
 * each kind of work.
 */

/**
 * These faults stop every order of a run for long, so a run that has one would not be busy. Other
 * seeds have them.
 */
export const STOPPING: ReadonlySet<FaultKind> = new Set([
  ...([
    "service gone",
    "service down for hours",
    "service reuses a secret",
    "relay gone",
    "price above limit",
  ] as const),
  ...(["clock jumps", "clock ahead", "clock behind", "clock leaps", "machine off"] as const),
  ...(["restart after every commit"] as const),
  // Its answers hold orders, which checkers expect of directed seeds only.
  "unexpected answer",
])
const USUAL_ORDERS = 400
const ORDERS_A_TURN = 4
const MAX_IN_FLIGHT = 150

/** The part of a profile that a busy run draws differently. */
type BusyDraws = {
  readonly enabled: ReadonlySet<FaultKind>
  readonly rate: number
  readonly orders: number
  readonly activeSteps: number
  readonly ordersATurn: number
  readonly maxInFlight: number
  readonly target: null
  readonly way: "auto" | "onchain" | null
}

/** `enabled`: the faults that the seed has drawn. */
export function drawBusy(
  random: Random,
  enabled: ReadonlySet<FaultKind>,
  orders: number | null,
): BusyDraws {
  const asked = orders ?? USUAL_ORDERS
  return {
    enabled: new Set([...enabled].filter((kind) => !STOPPING.has(kind))),
    rate: random.pick([0.001, 0.003, 0.01]),
    orders: asked,
    activeSteps: Math.ceil(asked / ORDERS_A_TURN),
    ordersATurn: ORDERS_A_TURN,
    maxInFlight: MAX_IN_FLIGHT,
    target: null,
    way: random.pick([null, "auto", "onchain"] as const),
  }
}
