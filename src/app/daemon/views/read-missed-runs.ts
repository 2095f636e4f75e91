import type { Reason } from "#domain/reason.ts"
import type { MissedRuns } from "#health/readings.ts"
import { decodeJson } from "#lib/json.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import type { SettledOccurrence } from "#ports/journal/decisions.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"

/** The longest row of missed runs that is counted. */
const MOST_READ = 20

/**
 * The newest runs of a scheduled rule that swapped nothing, up to the first one that did or may
 * still do. A run counts when it has no order, or when its order ended without a swap; also a run
 * from a time without a daemon, because nothing made up for it. A person's own decision is no
 * missed run: a pause, and mode observe. A run whose order has only begun shows nothing yet: where
 * each order fails, the next one is often open.
 */
export function readMissedRuns(
  journal: Pick<Journal, "listOccurrences" | "findOrder">,
  rule: string,
  humanise: (reason: Reason) => Reason,
): MissedRuns | null {
  const listed = journal.listOccurrences(rule, MOST_READ)
  const runs = listed.filter(
    ({ orderId }) => orderId === null || !hasOnlyBegun(journal.findOrder(orderId)),
  )
  const [first, ...others] = runs.map((run) => ({ run, reason: whyMissed(journal, run, humanise) }))
  if (first === undefined || first.reason === null) return null
  const ends = others.findIndex(({ reason }) => reason === null)
  const missed = [first, ...(ends === -1 ? others : others.slice(0, ends))]
  const oldest = missed.at(-1) ?? first
  const cause = missed.find(({ reason }) => !SYMPTOMS.test(reason ?? "")) ?? first
  return {
    count: missed.length,
    isMore: listed.length === MOST_READ && missed.length === runs.length,
    sinceMs: oldest.run.atMs,
    reason: cause.reason ?? first.reason,
  }
}

/** Open, without a deposit, and a person need not approve it. */
function hasOnlyBegun(order: OrderRow | null): boolean {
  if (order === null || order.outcome !== null || order.deposited) return false
  return order.state !== "awaiting-approval"
}

/** An earlier run of the row says why its order failed or still waits. */
const SYMPTOMS = /\[limit\.(cooldown|in_flight)/

/** `null` for a run that swapped, that may still swap, or that a person stopped. */
export function whyMissed(
  journal: Pick<Journal, "findOrder">,
  { orderId, reasons: text }: SettledOccurrence,
  humanise: (reason: Reason) => Reason,
): string | null {
  if (orderId !== null) {
    const row = journal.findOrder(orderId)
    return row === null ? null : whyUnswapped({ ...row, id: orderId }, humanise)
  }
  // CAST: `settleOccurrence` wrote reasons.
  const reasons = text === null ? [] : (decodeJson(text) as readonly Reason[])
  if (reasons.some(({ code }) => isChosen(code))) return null
  const [reason] = reasons
  if (reason === undefined) return "the run asked for no order"
  const { message, code } = humanise(reason)
  return `${message} [${code}]`
}

/** `null` for an order that swapped, or that may still swap. */
function whyUnswapped(
  { id, outcome, snapshot }: OrderRow,
  humanise: (reason: Reason) => Reason,
): string | null {
  if (outcome === null || outcome === "completed") return null
  const [why] = decodeOrNull(snapshot)?.data.reasons ?? []
  const said = why === undefined ? "" : `: ${humanise(why).message} [${why.code}]`
  return `its order ${id.slice(0, 8)} ended ${outcome}${said}`
}

/**
 * Why the newest order of a rule swapped nothing, for a rule that rests after it; `null` without
 * one, and after a person's own decision.
 */
export function whyResting(
  journal: Pick<Journal, "listOrders">,
  rule: string,
  humanise: (reason: Reason) => Reason,
): string | null {
  const [newest] = journal.listOrders({ rule, limit: 1 })
  const why = newest === undefined ? null : whyUnswapped(newest, humanise)
  return why === null || /\[(operator|approval)\./.test(why) ? null : why
}

function isChosen(code: string): boolean {
  return code === "mode.observe" || code.startsWith("pause") || code.endsWith(".paused")
}
