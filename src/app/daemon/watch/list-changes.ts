import type { ChangeSubject } from "#alerts/port.ts"
import type { DecisionRow } from "#ports/journal/decisions.ts"
import type { EventRow, OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { EndedRun, MissedRun } from "./list-missed.ts"

/** A change that a receiver is told once: `id` stays the same when it is sent again. */
export type Change = {
  readonly id: string
  readonly type: string
  readonly atMs: number
} & (
  | { readonly order: OrderRow }
  | { readonly decision: DecisionRow }
  | { readonly missed: MissedRun }
  | { readonly dailySinceMs: number }
)

export type ChangeSource = Pick<Journal, "listChangedSince" | "listEvents" | "listDecisions">

/** The states whose first moment is a change for programs of others; the rest is Ballast's work. */
const TOLD: Readonly<Record<string, string>> = {
  "awaiting-approval": "order.waiting",
  funded: "order.deposited",
  held: "order.held",
  completed: "order.completed",
  refunded: "order.refunded",
  rejected: "order.rejected",
  abandoned: "order.abandoned",
}

/** All changes of these subjects at this time or later, oldest first, also those long over. */
export function listChanges(
  journal: ChangeSource,
  subjects: readonly ChangeSubject[],
  sinceMs: number,
  listMissed: (sinceMs: number) => readonly EndedRun[],
): readonly Change[] {
  const orders = subjects.includes("orders")
    ? journal
        .listChangedSince(sinceMs)
        .flatMap((order) => changesOf(order, journal.listEvents(order.id)))
    : []
  const decisions = subjects.includes("decisions")
    ? listNewDecisions(journal, sinceMs).map((decision) => ({
        id: `decision.${decision.id}`,
        type: "decision.made",
        atMs: decision.atMs,
        decision,
      }))
    : []
  const missed = subjects.includes("missed")
    ? listMissed(sinceMs).map(
        ({ endedMs, ...run }): Change => ({
          id: `missed.${run.id}`,
          type: "rule.missed",
          atMs: endedMs,
          missed: run,
        }),
      )
    : []
  return [...orders, ...decisions, ...missed]
    .filter(({ atMs }) => atMs >= sinceMs)
    .toSorted((a, b) => a.atMs - b.atMs)
}

function changesOf(order: OrderRow, events: readonly EventRow[]): readonly Change[] {
  return events.flatMap(({ atMs, state }, index): readonly Change[] => {
    const id = `order.${order.id}.${index}`
    const opened: Change = { id: `${id}.opened`, type: "order.opened", atMs, order }
    const type = state === events[index - 1]?.state ? undefined : TOLD[state]
    const told: readonly Change[] = type === undefined ? [] : [{ id, type, atMs, order }]
    return index === 0 ? [opened, ...told] : told
  })
}

const PAGE = 200

/** The decisions of this time or later, and a few before them; newest first. */
export function listNewDecisions(
  journal: Pick<Journal, "listDecisions">,
  sinceMs: number,
): readonly DecisionRow[] {
  const found: DecisionRow[] = []
  for (;;) {
    const last = found.at(-1)
    const before = last === undefined ? {} : { before: last.id }
    const page = journal.listDecisions({ rule: null, limit: PAGE, ...before })
    found.push(...page)
    if (page.length < PAGE || page.some(({ atMs }) => atMs < sinceMs)) return found
  }
}
