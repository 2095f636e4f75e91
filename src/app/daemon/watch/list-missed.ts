import type { Reason } from "#domain/reason.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import type { SettledOccurrence } from "#ports/journal/decisions.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { whyMissed } from "../views/read-missed-runs.ts"

/** A run of a scheduled rule that came to no swap; `why` for people. */
export type MissedRun = {
  readonly id: string
  readonly rule: string
  readonly atMs: number
  readonly order: string | null
  readonly why: string
}
/** `endedMs`: when it was clear that there is no swap. */
export type EndedRun = MissedRun & { readonly endedMs: number }
type MissedSource = Pick<
  Journal,
  "listOccurrences" | "findDecision" | "findOrder" | "listChangedSince"
>

/** A run is settled after a few others at most; after a silence many are new. */
const FEW_RUNS = 20
const MOST_RUNS = 500
const RECENT_MS = 5 * 60_000

/**
 * The runs that were settled without an order, or whose order ended without a swap, at this time or
 * later. A run that a person stopped is none of them.
 */
export function listMissed(
  journal: MissedSource,
  rules: readonly string[],
  { sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number },
  humanise: (reason: Reason) => Reason,
): readonly EndedRun[] {
  const limit = nowMs - sinceMs > RECENT_MS ? MOST_RUNS : FEW_RUNS
  const settled = rules.flatMap((rule) =>
    journal
      .listOccurrences(rule, limit)
      .filter(({ orderId }) => orderId === null)
      .flatMap((run) => {
        const endedMs = journal.findDecision(run.id)?.lastAtMs ?? run.atMs
        return endedMs < sinceMs ? [] : describeRun(journal, rule, run, endedMs, humanise)
      }),
  )
  const ended = journal.listChangedSince(sinceMs).flatMap((order) => {
    const run = runOf(order)
    return run === null ? [] : describeRun(journal, order.rule, run, order.updatedAtMs, humanise)
  })
  return [...settled, ...ended]
}

/** The run that an ended order came from. Its id ends with its time. */
function runOf({ id, outcome, snapshot }: OrderRow): SettledOccurrence | null {
  const occurrence = outcome === null ? null : (decodeOrNull(snapshot)?.data.occurrence ?? null)
  if (occurrence === null) return null
  const atMs = Date.parse(occurrence.slice(occurrence.lastIndexOf("@") + 1))
  return { id: occurrence, atMs, orderId: id, reasons: null }
}

function describeRun(
  journal: MissedSource,
  rule: string,
  run: SettledOccurrence,
  endedMs: number,
  humanise: (reason: Reason) => Reason,
) {
  const why = whyMissed(journal, run, humanise)
  const { id, atMs, orderId } = run
  return why === null ? [] : [{ id, rule, atMs, order: orderId, why, endedMs }]
}
