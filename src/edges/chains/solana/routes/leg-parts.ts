import type { Finality } from "../finality.ts"
import type { Commitment } from "../node.ts"
import type { Endpoints } from "../nodes/endpoints.ts"
import type { PlanningNode } from "../nodes/planning-node.ts"
import type { Wallet } from "../wallet.ts"

/** The parts of a chain that the leg of a route kind works with. */
export type LegParts = {
  readonly wallet: Wallet
  readonly endpoints: Endpoints
  readonly planning: PlanningNode
  readonly finality: Finality
  readonly commitment: Commitment
}
