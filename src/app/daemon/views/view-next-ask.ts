import { awaitsPayout, readRouteWait } from "#engine/rules/route-waits.ts"
import type { Order } from "#order/step.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"

type NextAskView = NonNullable<AnswerOf<"OrderWithEvents">["nextAsk"]>

/**
 * `null` for an order without work. A daemon knows the true time. Another process reads the one
 * that was written last; a time that is over then means that the daemon rests the order for at most
 * its longest wait.
 */
export function viewNextAsk(
  journal: Pick<Journal, "findDueMs" | "listRouteSummaries">,
  { state, data }: Order,
  nowMs: number,
): NextAskView | null {
  const dueMs = journal.findDueMs(data.id)
  if (dueMs === null) return null
  const latestMs = dueMs < nowMs ? nowMs + data.policy.pollMaxMs : dueMs
  return { at: new Date(latestMs).toISOString(), why: whyOf(journal, { state, data }) }
}

function whyOf(journal: Pick<Journal, "listRouteSummaries">, { state, data }: Order): string {
  if (!awaitsPayout(state, data)) return "the next step of the order, or a change on its chains"
  const wait = readRouteWait(journal, data.request)
  return wait === null
    ? "too few orders of this route were paid to know the usual wait; a change on its chains " +
        "makes it earlier"
    : `usually paid after ${seconds(wait.usualMs)} s, from ${wait.orders} orders; a change on ` +
        "its chains makes it earlier"
}

function seconds(ms: number): string {
  return ms < 10_000 ? (ms / 1_000).toFixed(1) : Math.round(ms / 1_000).toString()
}
