import { type Checker, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"

/**
 * If the service is gone for ever, every deposit is redeemed or refunded in the end, without any
 * help of the service.
 */
export function checkLeftBehind({ world, listSwaps, recorder }: GroundTruth): Checker {
  return {
    atEnd: () => {
      // In the quiet time every service redeems, unless it is gone.
      if (world.service.conduct.redeems) return []
      // The source of a paid order belongs to the solver, which redeems it at a time of its own.
      const paid = [...recorder.rows.values()].filter(({ state }) => state === "completed")
      const left = listSwaps().filter(
        ({ payer, redeemed, refunded, secretHash }) =>
          payer === "wallet" &&
          !redeemed &&
          !refunded &&
          !paid.some((row) => row.secretHash === secretHash),
      )
      return left.map(({ asset, units, key }) =>
        violation(
          "nothing left behind",
          `${units} ${asset} stay in ${key.slice(0, 40)}, and the service is gone`,
        ),
      )
    },
  }
}
