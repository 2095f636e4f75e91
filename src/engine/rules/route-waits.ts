import type { Swap } from "#books/read-swap.ts"
import { decodeSwap } from "#books/swap-text.ts"
import type { AssetId } from "#domain/asset.ts"
import type { OrderData } from "#order/data.ts"
import { learnRouteWait, MOST_ORDERS, type RouteWait, waitForPayout } from "#order/route-wait.ts"
import type { Order } from "#order/step.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { Journal } from "#ports/journal.ts"
import type { HasJournal, Remembering } from "../context.ts"
import { waitsForEvent } from "../orders/waits-for-event.ts"

type Route = { readonly from: AssetId; readonly to: AssetId }
type Summaries = Pick<Journal, "listRouteSummaries">
type Context = HasJournal<Ledger> & Remembering

/**
 * The usual wait from a deposit to its payout on this route; `null` while too few of its orders
 * were paid. The journal's summaries have the waits also after a restart.
 */
export function readRouteWait(journal: Summaries, route: Route): RouteWait | null {
  return learnRouteWait(readWaits(journal, route))
}

/** How long the parts of an order of this route usually take; `null` while too few are known. */
export function readUsualTimes(
  journal: Summaries,
  route: Route,
): { readonly depositMs: number; readonly payoutMs: number; readonly endMs: number } | null {
  const swaps = readPaid(journal, route)
  const usual = (begin: keyof Times, end: keyof Times): number | null =>
    learnRouteWait(swaps.flatMap((swap) => waitOf(swap[begin], swap[end]) ?? []))?.usualMs ?? null
  const depositMs = usual("askedAtMs", "depositedAtMs")
  const payoutMs = usual("depositedAtMs", "redeemedAtMs")
  const endMs = usual("redeemedAtMs", "endedAtMs")
  if (depositMs === null || payoutMs === null || endMs === null) return null
  return { depositMs, payoutMs, endMs }
}

type Times = Pick<Swap, "askedAtMs" | "depositedAtMs" | "redeemedAtMs" | "endedAtMs">

/** The order is completed, so its own wait counts for the next ones. */
export function noteRouteWait({ memory }: Remembering, order: Order): void {
  const { request, seen } = order.data
  const waits = memory.routeWaits.get(keyOf(request))
  const waitMs = waitOf(seen.sourceInitiated?.at ?? null, seen.destinationRedeemed?.at ?? null)
  if (order.state !== "completed" || waits === undefined || waitMs === null) return
  memory.routeWaits.set(keyOf(request), [waitMs, ...waits].slice(0, MOST_ORDERS))
}

/**
 * The wait before the order is observed again, where the learnt wait of its route counts; else the
 * one that it has.
 */
export function learntWaitMs(context: Context, { state, data }: Order, nowMs: number): number {
  const { waitMs: backoffMs, policy } = data
  if (!awaitsPayout(state, data) || data.seen.sourceInitiated === null) return backoffMs
  const waitedMs = nowMs - data.seen.sourceInitiated.at
  const { pollMinMs, pollMaxMs } = policy
  return waitForPayout(learnRouteWait(knownWaits(context, data.request)), {
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

function knownWaits({ journal, memory }: Context, route: Route): readonly number[] {
  const waits = memory.routeWaits.get(keyOf(route)) ?? readWaits(journal, route)
  memory.routeWaits.set(keyOf(route), waits)
  return waits
}

function readWaits(journal: Summaries, route: Route): readonly number[] {
  return readPaid(journal, route).flatMap(
    ({ depositedAtMs, redeemedAtMs }) => waitOf(depositedAtMs, redeemedAtMs) ?? [],
  )
}

function readPaid(journal: Summaries, route: Route): readonly Swap[] {
  return journal
    .listRouteSummaries(route, MOST_ORDERS)
    .flatMap(({ id, summary }) => (summary === null ? [] : (decodeSwap(id, summary) ?? [])))
}

function waitOf(depositedAtMs: number | null, paidAtMs: number | null): number | null {
  return depositedAtMs === null || paidAtMs === null ? null : paidAtMs - depositedAtMs
}

function keyOf({ from, to }: Route): string {
  return `${from} ${to}`
}
