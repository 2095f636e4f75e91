import { hashOf } from "../../support/fake-chain.ts"
import type { Conduct, FakeOrder } from "../../support/fake-service.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { Random } from "./random.ts"

/*
 * A run with collusion: service, solver and the last of three endpoints of each chain lie together.
 * The service behaves well until a deposit is signed, because without deposits it can take nothing,
 * and the operator asks for many orders and sets no limit that would refuse them.
 */

/**
 * The service and its relay cheat in these ways, beside the scheme that they have for each order.
 */
const CHEATS: readonly FaultKind[] = [
  "payout only reported",
  "payout only reported",
  "relay silent",
  "swap id of a stranger",
  "endpoint head too high",
]
/** Accidents of networks, chains and machines, of which the liars take advantage. */
const ACCIDENTS: readonly FaultKind[] = [
  "request lost",
  "answer lost",
  "delayed",
  "killed at an await",
  "killed at a write",
  "transaction reorganised",
  "fee spike",
]
const USUAL_ORDERS = 50
const TURNS = 120

/** The part of a profile that a run with collusion draws differently. */
type CollusionDraws = {
  readonly enabled: ReadonlySet<FaultKind>
  readonly rate: number
  readonly orders: number
  readonly activeSteps: number
  readonly maxInFlight: number
  readonly target: null
  readonly hasReference: boolean
  readonly hasSecondService: boolean
  readonly isLiarSteady: boolean
  readonly way: "auto" | "onchain"
}

export function drawCollusion(random: Random, orders: number | null): CollusionDraws {
  const cheats = CHEATS.filter(() => random.chance(0.4))
  const accidents = ACCIDENTS.filter(() => random.chance(0.1))
  const asked = orders ?? USUAL_ORDERS
  return {
    enabled: new Set([...cheats, ...accidents]),
    rate: random.pick([0.003, 0.01]),
    orders: asked,
    activeSteps: TURNS,
    // A theft keeps its order in flight until an operator ends it.
    maxInFlight: asked,
    target: null,
    hasReference: false,
    hasSecondService: false,
    isLiarSteady: random.chance(0.5),
    way: random.pick(["auto", "auto", "onchain"] as const),
  }
}

/**
 * What service and solver do with one order: most schemes take the deposit, keep the payout, or
 * wait for a mistake at the timelock.
 */
const SCHEMES: readonly Partial<Conduct>[] = [
  {},
  { fills: false, takesSource: true },
  { fills: false, takesSource: true },
  { fills: false, takesSource: false },
  { fills: false, takesSource: false },
  { fillShortUnits: 100n },
  { shortUnits: 100n },
  { redeems: false },
  { racesRefund: true },
]

/** The scheme for each order of a run, which stays the same in every turn. */
export function createSchemes(
  salt: string,
): (order: Pick<FakeOrder, "secretHash">) => Partial<Conduct> {
  return ({ secretHash }) => {
    const draw = Number.parseInt(hashOf(`${salt} ${secretHash}`).slice(0, 6), 16)
    return SCHEMES[draw % SCHEMES.length] ?? {}
  }
}
