import type { AssetId } from "#domain/asset.ts"
import type { FaultKind } from "../fault-kinds.ts"
import type { Random } from "../random.ts"
import { ROUTES } from "../routes.ts"

/*
 * A run with a spending adversary. The operator asks for many orders and sets no limit that would
 * refuse them. Of the accidents none keeps Ballast from acting for long, because then nothing that
 * the adversary does would count.
 */
const ACCIDENTS: readonly FaultKind[] = [
  "request lost",
  "answer lost",
  "delayed",
  "killed at an await",
  "killed at a write",
  "killed between steps",
  "transaction reorganised",
  "paused",
]
const USUAL_ORDERS = 30
const TURNS = 80
/** Several orders share a pair, because a blinded leg stops the deposits of its pair alone. */
const ROUTES_OF_A_SEED = 5

type AdversaryDraws = {
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
  readonly routes: readonly (readonly [AssetId, AssetId])[]
}

export function drawAdversary(random: Random, orders: number | null): AdversaryDraws {
  const asked = orders ?? USUAL_ORDERS
  return {
    enabled: new Set(ACCIDENTS.filter(() => random.chance(0.25))),
    rate: random.pick([0.003, 0.01]),
    orders: asked,
    activeSteps: TURNS,
    maxInFlight: asked,
    target: null,
    hasReference: random.chance(0.5),
    hasSecondService: false,
    isLiarSteady: random.chance(0.5),
    way: random.pick(["auto", "auto", "onchain"] as const),
    routes: Array.from({ length: ROUTES_OF_A_SEED }, () => random.pick(ROUTES)),
  }
}
