import { decodeSwap } from "#books/swap-text.ts"
import type { AssetId } from "#domain/asset.ts"
import type { OrderData } from "#order/data.ts"
import { learnRouteWait, MOST_ORDERS, type RouteWait, waitForPayout } from "#order/route-wait.ts"
import type { Order } from "#order/step.ts"
import type { Journal } from "#ports/journal.ts"
import { waitsForEvent } from "../orders/waits-for-event.ts"

type Route = { readonly from: AssetId; readonly to: AssetId }
type Waits = ReadonlyMap<string, readonly number[]>

/** By route, newest first. The journal's summaries have them after a restart. */
const known = new WeakMap<Pick<Journal, "listRouteSummaries">, Map<string, readonly number[]>>()

/**
 * The usual wait from a deposit to its payout on this route; `null` while too few of its orders
 * were paid.
 */
export function readRouteWait(
  journal: Pick<Journal, "listRouteSummaries">,
  route: Route,
): RouteWait | null {
  const routes: Waits | undefined = known.get(journal)
  const waits = routes?.get(keyOf(route)) ?? readWaits(journal, route)
  if (routes?.has(keyOf(route)) !== true) keep(journal, route, waits)
  return learnRouteWait(waits)
}

/** The order is completed, so its own wait counts for the next ones. */
export function noteRouteWait(journal: Journal, { state, data: { request, seen } }: Order): void {
  const waits = known.get(journal)?.get(keyOf(request))
  const waitMs = waitOf(seen.sourceInitiated?.at ?? null, seen.destinationRedeemed?.at ?? null)
  if (state !== "completed" || waits === undefined || waitMs === null) return
  keep(journal, request, [waitMs, ...waits].slice(0, MOST_ORDERS))
}

/**
 * The wait before the order is observed again, where the learnt wait of its route counts; else the
 * one that it has.
 */
export function learntWaitMs(journal: Journal, { state, data }: Order, nowMs: number): number {
  const { waitMs: backoffMs, policy } = data
  if (!awaitsPayout(state, data) || data.seen.sourceInitiated === null) return backoffMs
  const waitedMs = nowMs - data.seen.sourceInitiated.at
  const { pollMinMs, pollMaxMs } = policy
  return waitForPayout(readRouteWait(journal, data.request), {
    waitedMs,
    backoffMs,
    pollMinMs,
    pollMaxMs,
  })
}

/**
 * Nothing but the payout is missing. With a secret of our own the payout depends on our own steps.
 */
export function awaitsPayout(state: string, data: OrderData): boolean {
  return (
    state === "funded" &&
    data.seen.sourceInitiated !== null &&
    data.ownSecret == null &&
    waitsForEvent(data)
  )
}

function readWaits(journal: Pick<Journal, "listRouteSummaries">, route: Route): readonly number[] {
  return journal.listRouteSummaries(route, MOST_ORDERS).flatMap(({ id, summary }) => {
    const swap = summary === null ? null : decodeSwap(id, summary)
    const waitMs = swap === null ? null : waitOf(swap.depositedAtMs, swap.redeemedAtMs)
    return waitMs === null ? [] : [waitMs]
  })
}

function keep(
  journal: Pick<Journal, "listRouteSummaries">,
  route: Route,
  waits: readonly number[],
): void {
  const routes = known.get(journal) ?? new Map<string, readonly number[]>()
  known.set(journal, routes)
  routes.set(keyOf(route), waits)
}

function waitOf(depositedAtMs: number | null, paidAtMs: number | null): number | null {
  return depositedAtMs === null || paidAtMs === null ? null : paidAtMs - depositedAtMs
}

function keyOf({ from, to }: Route): string {
  return `${from} ${to}`
}
