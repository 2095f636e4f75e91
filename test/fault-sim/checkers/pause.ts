import { chainOf } from "#domain/asset.ts"
import { type Checker, violation } from "../checker.ts"
import type { Truth } from "../truth.ts"

const SPENDING = ["approve", "deposit", "gasless"]

/** From its answer on, and until it is lifted, a pause lets nothing out that spends; in observe mode nothing ever is. */
export function checkPause({ operator, witness, configuration }: Truth): Checker {
  return {
    onSpend: (orderId, purpose) => {
      if (!SPENDING.includes(purpose)) return []
      const row = witness.rows.get(orderId)
      const scopes = ["pause", ...(row ? [`pause/rule/${row.rule}`, `pause/chain/${chainOf(row.from)}`] : [])]
      const [on] = scopes.filter(operator.isPauseOn)
      return [
        ...(on === undefined
          ? []
          : [violation("pause means pause", `${orderId}: ${purpose} was signed or sent under ${on}`)]),
        ...(configuration().mode === "observe"
          ? [violation("observe signs nothing", `${orderId}: ${purpose} was signed or sent in observe mode`)]
          : []),
      ]
    },
  }
}
