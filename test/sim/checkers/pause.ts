import { type Checker, violation } from "../checker.ts"
import type { Truth } from "../truth.ts"

const SPENDING = ["approve", "deposit", "gasless"]

/** From its answer on, and until it is lifted, a pause lets nothing out that spends. */
export function checkPause({ operator }: Truth): Checker {
  return {
    onSpend: (orderId, purpose) =>
      operator.isPauseOn() && SPENDING.includes(purpose)
        ? [violation("pause means pause", `${orderId}: ${purpose} was signed or sent while paused`)]
        : [],
  }
}
