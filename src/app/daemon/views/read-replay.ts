import type { Reason } from "#domain/reason.ts"
import { replayDecision } from "#engine/rules/tick/replay-decision.ts"
import type { DecisionRow, DecisionStore } from "#ports/journal/decisions.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"

export type ReplayView = AnswerOf<"Replay">

/**
 * Repeats a decision from its stored inputs; refuses one that has none, and one of another policy.
 */
export function readReplay(
  journal: DecisionStore,
  decision: DecisionRow,
):
  | { readonly ok: true; readonly body: ReplayView }
  | { readonly ok: false; readonly reasons: readonly [Reason] } {
  const inputs = decision.inputs === null ? null : journal.findInputs(decision.inputs)
  const replayed = inputs === null ? null : replayDecision(decision, inputs)
  if (replayed === null) {
    const message =
      `${decision.id} has no stored inputs, because it was not made from balances; there is ` +
      "nothing to replay"
    return { ok: false, reasons: [{ code: "decision.no_inputs", message }] }
  }
  if ("code" in replayed) return { ok: false, reasons: [replayed] }
  return { ok: true, body: { decision: decision.id, rule: decision.rule, ...replayed } }
}
