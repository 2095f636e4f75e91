import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { readPause } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import { findClockJump } from "#engine/rules/limit-clock.ts"
import type { Clock } from "#lib/clock.ts"
import type { Samples } from "#ops/metric-families.ts"
import type { BalanceView, Operations } from "#ops/operations.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { decodeOrder } from "#order/step.ts"
import { type OrderView, type TxidFormOf, viewOrder } from "#order/view.ts"
import type { OrderCount, OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { viewOrderWithEvents } from "../view-order-with-events.ts"
import { readReplay } from "../views/read-replay.ts"
import { viewDecision } from "../views/view-decision.ts"
import { viewServices } from "../views/view-services.ts"
import { viewReconciliation } from "../watch/reconciliation.ts"

/**
 * Calls its argument with the journal. A standby opens its copy for each call, because the copy may
 * be replaced in between.
 */
export type ReadJournal = <Value>(use: (journal: Journal) => Value) => Value

type JournalOperations = Pick<
  Operations,
  "orders" | "order" | "decisions" | "replay" | "reconciliation" | "bookings" | "audit"
>

/** The operations that read the journal alone, for a daemon and for a standby. */
export function createJournalOperations(
  read: ReadJournal,
  decimals: () => ReadonlyMap<AssetId, number>,
  clock: Pick<Clock, "now">,
  txidFormOf: TxidFormOf,
): JournalOperations {
  const view = ({ snapshot, updatedAtMs }: OrderRow): OrderView =>
    viewOrder(decodeOrder(snapshot), decimals(), updatedAtMs, txidFormOf)
  return {
    orders: (query) =>
      read((journal) => {
        const rows = findPage(journal, query)
        if (rows === null) return null
        const shown = rows.filter(({ snapshot }) => decodeOrNull(snapshot) !== null)
        return { orders: shown.map(view), next: nextOf(rows, query, ({ id }) => id) }
      }),
    order: (id) =>
      read((journal) => {
        const row = journal.findOrder(id)
        if (row === null) return null
        const surroundings = { decimals: decimals(), nowMs: clock.now(), txidFormOf }
        return viewOrderWithEvents(journal, row, surroundings)
      }),
    decisions: ({ cursor, rule = null, limit }) =>
      read((journal) => {
        if (cursor !== undefined && journal.findDecision(cursor) === null) return null
        const before = cursor === undefined ? {} : { before: cursor }
        const rows = journal.listDecisions({ rule, limit, ...before })
        const shown = rows.map((decision) => viewDecision(decision, decimals()))
        return { decisions: shown, next: nextOf(rows, { limit }, ({ id }) => id) }
      }),
    bookings: (query) => read((journal) => viewBookings(journal, query, decimals())),
    audit: ({ cursor, subject, limit }) =>
      read((journal) => {
        const before = parseCursor(cursor)
        if (before === null) return null
        const about = subject === undefined ? {} : { subject }
        const rows = journal.listOperatorCalls({ ...about, ...before, limit })
        const calls = rows.map(({ seq: _, atMs, ...call }) => ({
          at: new Date(atMs).toISOString(),
          ...call,
        }))
        return { calls, next: nextOf(rows, { limit }, ({ seq }) => String(seq)) }
      }),
    replay: (id) =>
      read((journal) => {
        const decision = journal.findDecision(id)
        return decision === null ? null : readReplay(journal, decision)
      }),
    reconciliation: () =>
      read((journal) => journal.listReconciliations()).map((row) =>
        viewReconciliation(row, decimals()),
      ),
  }
}

type OrdersQuery = Parameters<Operations["orders"]>[0]

/** `null` for a cursor that no page has given. */
function findPage(
  journal: Journal,
  { cursor, external_id: externalId, since, until, ...query }: OrdersQuery,
): readonly OrderRow[] | null {
  if (cursor !== undefined && journal.findOrder(cursor) === null) return null
  if (externalId !== undefined) {
    const id = journal.findRequestKey(externalId)?.orderId ?? null
    const row = id === null || cursor !== undefined ? null : journal.findOrder(id)
    return row === null ? [] : [row]
  }
  return journal.listOrders({
    ...query,
    ...(since === undefined ? {} : { sinceMs: Date.parse(since) }),
    ...(until === undefined ? {} : { untilMs: Date.parse(until) }),
    ...(cursor === undefined ? {} : { before: cursor }),
  })
}

/** The cursor behind a full page. */
function nextOf<Row>(
  rows: readonly Row[],
  { limit }: { readonly limit: number },
  cursorOf: (row: Row) => string,
): string | null {
  const last = rows.at(-1)
  return last === undefined || rows.length < limit ? null : cursorOf(last)
}

function parseCursor(cursor: string | undefined): { readonly before?: number } | null {
  if (cursor === undefined) return {}
  return /^\d{1,15}$/.test(cursor) ? { before: Number(cursor) } : null
}

function viewBookings(
  journal: Journal,
  { cursor, limit, order, since, until }: Parameters<Operations["bookings"]>[0],
  decimals: ReadonlyMap<AssetId, number>,
): ReturnType<Operations["bookings"]> {
  const after = parseCursor(cursor)
  if (after === null) return null
  const rows = journal.listEntries({
    afterId: after.before ?? 0,
    limit,
    ...(order === undefined ? {} : { orderId: order }),
    ...(since === undefined ? {} : { fromMs: Date.parse(since) }),
    ...(until === undefined ? {} : { untilMs: Date.parse(until) }),
  })
  const bookings = rows.map(({ atMs, orderId, postings, ...entry }) => ({
    ...entry,
    at: new Date(atMs).toISOString(),
    order: orderId,
    postings: postings.map(({ account, asset, units, fiat }) => ({
      account,
      asset,
      amount: formatUnits(units, decimals.get(asset) ?? 0),
      units: units.toString(),
      fiat: fiat === null ? null : formatUnits(fiat, FIAT_DECIMALS),
    })),
  }))
  return { bookings, next: nextOf(rows, { limit }, ({ id }) => String(id)) }
}

/** A balance that could not be read is never zero. */
export function viewUnreadBalance(
  asset: AssetId,
  account: string,
  { code, message }: Pick<Reason, "code" | "message">,
): BalanceView {
  return {
    asset,
    account,
    amount: null,
    amountUnits: null,
    spendable: null,
    spendableUnits: null,
    error: { code, message },
  }
}

type Status = ReturnType<Operations["status"]>

type StatusSources = {
  readonly journal: Journal
  readonly nowMs: number
  readonly mode: Config["mode"]
  readonly services: readonly { readonly name: string }[]
  readonly chains: Status["chains"]
  readonly configHash: string
  readonly startedAtMs: number
}

export function viewStatus(sources: StatusSources): Status {
  const { journal, nowMs, mode, services, chains, configHash, startedAtMs } = sources
  return {
    mode,
    paused: journal.readFlag("pause") !== null,
    pause: readPause(journal),
    inFlight: journal.countInFlight(),
    held: sumCounts(journal.countOrders().filter(({ state }) => state === "held")),
    alerts: journal.listAlerts(20),
    clockJump: findClockJump(journal, nowMs),
    chains,
    services: viewServices(journal, services, nowMs),
    configHash,
    startedAt: new Date(startedAtMs).toISOString(),
    now: new Date(nowMs).toISOString(),
  }
}

/** The samples of the journal. */
export function readJournalSamples({
  journal,
  nowMs,
  services,
}: Pick<StatusSources, "journal" | "nowMs" | "services">): Samples {
  const orders = journal.countOrders()
  const viewed = viewServices(journal, services, nowMs)
  const differing = journal.listReconciliations().filter(({ state }) => state === "difference")
  return {
    ballast_orders: [...countStates(orders)].map(([state, value]) => ({
      labels: { state },
      value,
    })),
    ballast_orders_in_flight: [{ value: journal.countInFlight() }],
    ballast_paused: [{ value: Number(journal.readFlag("pause") !== null) }],
    ballast_alerts_recent: [{ value: journal.listAlerts(1_000).length }],
    ballast_books_differences: [{ value: differing.length }],
    ballast_service_resting: viewed.map(({ name: service, rest }) => ({
      labels: { service },
      value: Number(rest !== null),
    })),
    ballast_service_orders: viewed.flatMap(({ name: service, inFlight }) => [
      { labels: { service, state: "in_flight" }, value: inFlight },
      ...[...countOutcomesOf(orders, service)].map(([state, value]) => ({
        labels: { service, state },
        value,
      })),
    ]),
    ballast_clock_jumped: [{ value: Number(findClockJump(journal, nowMs) !== null) }],
  }
}

function countOutcomesOf(orders: readonly OrderCount[], name: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { outcome, service, count } of orders) {
    if (outcome === null || service !== name) continue
    counts.set(outcome, (counts.get(outcome) ?? 0) + count)
  }
  return counts
}

function countStates(orders: readonly OrderCount[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { state, count } of orders) counts.set(state, (counts.get(state) ?? 0) + count)
  return counts
}

function sumCounts(orders: readonly OrderCount[]): number {
  return orders.reduce((sum, { count }) => sum + count, 0)
}
