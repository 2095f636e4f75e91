import { type Checker, violation } from "../checker.ts"
import type { Truth } from "../truth.ts"

/** A service that is gone for ever keeps nothing: what was deposited is redeemed or refunded in the end, by nobody's help but ours. */
export function checkLeftBehind({ world, listSwaps }: Truth): Checker {
  return {
    atEnd: () => {
      // In peace every service redeems, unless it is gone.
      if (world.service.conduct.redeems) return []
      const left = listSwaps().filter(({ payer, redeemed, refunded }) => payer === "wallet" && !redeemed && !refunded)
      return left.map(({ asset, units, key }) =>
        violation("nothing left behind", `${units} ${asset} stay in ${key.slice(0, 40)}, and the service is gone`),
      )
    },
  }
}
