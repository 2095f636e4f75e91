import { type Checker, violation } from "../checker.ts"
import type { Truth } from "../truth.ts"

/** A service that is gone for ever keeps nothing: what was deposited is redeemed or refunded in the end, by nobody's help but ours. */
export function checkLeftBehind({ world, listSwaps, witness }: Truth): Checker {
  return {
    atEnd: () => {
      // In peace every service redeems, unless it is gone.
      if (world.service.conduct.redeems) return []
      // Who was paid has no resource to it any more, and the solver its own time to take it.
      const paid = [...witness.rows.values()].filter(({ state }) => state === "completed")
      const left = listSwaps().filter(
        ({ payer, redeemed, refunded, secretHash }) =>
          payer === "wallet" && !redeemed && !refunded && !paid.some((row) => row.secretHash === secretHash),
      )
      return left.map(({ asset, units, key }) =>
        violation("nothing left behind", `${units} ${asset} stay in ${key.slice(0, 40)}, and the service is gone`),
      )
    },
  }
}
