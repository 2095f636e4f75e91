import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Proposal } from "#policy/evaluate.ts"
import type { NewDecision } from "#ports/journal/decisions.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { Reservations } from "#ports/journal/reservations.ts"
import type {
  Configured,
  HasJournal,
  Naming,
  OfferContext,
  Remembering,
  Stoppable,
} from "../../context.ts"
import { reasonOf } from "../../orders/observe/job.ts"
import { isPaused } from "../../watches/pause.ts"
import { type Admission, admitSwap, judgeSwap, type SwapRequest } from "../admission.ts"
import { toRequest } from "../decide/judge.ts"
import { type DueEntry, toOccurrence } from "./due-list.ts"

/**
 * Asks admission for one proposal. Observe mode runs all guards too, so its records are those of
 * live mode.
 */
export async function admitProposal(
  context: HasJournal & Stoppable & Naming & Remembering & OfferContext,
  proposal: Proposal,
  served: readonly DueEntry[],
  decisions: (orderId: string) => readonly NewDecision[],
): Promise<Admission> {
  const request = requestOf(context, proposal, served)
  const paused = proposal.rules.find(
    (rule) => rule !== request.rule && isPaused(context, rule, request.from),
  )
  try {
    if (context.settings.mode === "observe")
      return { ok: false, reasons: await judgeSwap(context, request) }
    if (paused !== undefined) return { ok: false, reasons: [pausedRule(paused)] }
    return await admitSwap(context, { ...request, decisions })
  } catch (error) {
    if (error instanceof AppError) return { ok: false, reasons: [reasonOf(error)] }
    throw error
  }
}

/** The reasons with which the guards would refuse the proposal now. */
export function judgeProposal(
  context: HasJournal<FlagStore & OrderSums & Reservations> &
    Stoppable &
    Remembering &
    OfferContext,
  proposal: Proposal,
  served: readonly DueEntry[],
): Promise<readonly Reason[]> {
  return judgeSwap(context, requestOf(context, proposal, served))
}

function requestOf(
  context: Configured,
  proposal: Proposal,
  served: readonly DueEntry[],
): SwapRequest {
  const occurrence = served.find(({ at }) => at !== null)?.at ?? null
  return {
    ...toRequest(context.settings.rules, proposal),
    occurrence: occurrence === null ? null : toOccurrence(occurrence),
    needsQuote: occurrence !== null && occurrence.closesMs > occurrence.dueMs,
  }
}

function pausedRule(rule: string): Reason {
  return {
    code: "paused",
    message: `Rule ${rule} is paused; \`ballast resume --rule ${rule}\` lifts it`,
    rule,
  }
}
