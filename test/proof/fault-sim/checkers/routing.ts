import { type Checker, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"

/** Every call for an order goes to the service that created it. */
export function checkRouting({ world }: GroundTruth): Checker {
  return {
    atEnd: () =>
      world.deployments.misrouted.map((call) => violation("an order stays with its service", call)),
  }
}
