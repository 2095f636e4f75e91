import { chainOf } from "#domain/asset.ts"
import { type Checker, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"

const SPENDING = ["approve", "deposit", "gasless"]

/** While a pause is on, and always in observe mode, no spending transaction is signed or sent. */
export function checkPause({ operator, recorder, configuration }: GroundTruth): Checker {
  return {
    onSpend: (orderId, purpose, moment) => {
      // The machine that leads may have paused while this daemon stood still before its call, which
      // `judge-calls.ts` judges.
      if (!SPENDING.includes(purpose) || moment === "former call") return []
      const row = recorder.rows.get(orderId)
      const scopes = [
        "pause",
        ...(row ? [`pause/rule/${row.rule}`, `pause/chain/${chainOf(row.from)}`] : []),
      ]
      const [on] = scopes.filter((scope) => operator.isPauseOn(scope, moment))
      return [
        ...(on === undefined
          ? []
          : [
              violation(
                "pause means pause",
                `${orderId}: ${purpose} was signed or sent under ${on}`,
              ),
            ]),
        ...(configuration().mode === "observe"
          ? [
              violation(
                "observe signs nothing",
                `${orderId}: ${purpose} was signed or sent in observe mode`,
              ),
            ]
          : []),
      ]
    },
  }
}
