import type { Reason } from "#domain/reason.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { SummaryRow } from "#ports/journal/ledger.ts"
import type {
  EventRow,
  OrderOrigin,
  OrderRow,
  OrdersQuery,
  StepRow,
} from "#ports/journal/orders.ts"
import type { NewWork } from "#ports/journal/outbox.ts"
import type { Journal } from "#ports/journal.ts"
import { linkDecision } from "./decisions.ts"
import type { Access } from "./disk/access.ts"
import type { EventPlace, KeptRow } from "./kept-rows.ts"
import { insertOccurrence } from "./occurrences.ts"
import type { StoredWork } from "./outbox.ts"
import { lastAlarm, pauseForAlarms } from "./pause-for-alarms.ts"
import { type Memory, toCounted } from "./read-open-orders.ts"
import { toEvent, toOrder } from "./read-order.ts"
import { insertRequestKey } from "./request-keys.ts"
import { reserve } from "./reservations.ts"
import { mapOne, type Row, textOrNull, toText } from "./row.ts"
import { writeBooking, writeSummary } from "./sqlite-ledger.ts"
import { settleSignatures, staleWork, storeSignature } from "./sqlite-signing-record.ts"
import { encodeChange } from "./text-change.ts"
import { insertEvent, insertOrder, updateOrder } from "./write-order.ts"

/** A snapshot is written as a whole after so many changes, so that a read takes few of them. */
const MOST_CHANGES = 32

/** Orders, their steps and their events. */
export function openOrders(
  access: Access,
): Pick<
  Journal,
  | "openOrder"
  | "commit"
  | "findOrder"
  | "listOrders"
  | "listSummaries"
  | "findSummary"
  | "listRouteSummaries"
  | "listEvents"
  | "listAlerts"
  | "countAlerts"
> {
  const { run, all, each, one, transact, memory } = access
  return {
    openOrder: (order, event, work, occurrence, origin = {}) => {
      let seq = 0
      memory.write(
        order.id,
        () =>
          transact(() => {
            seq = takeSeq(access)
            insertOrder(run, order, { seq, changes: 1 }, work)
            insertEvent(run, { seq, order, event, previous: null, change: order.snapshot })
            if (occurrence) insertOccurrence(run, occurrence, order.id, null, order.createdAtMs)
            insertOrigin(access, order, origin)
          }),
        (now) => keep(now, order, { seq, changes: 1 }, work),
      )
    },
    commit: (step) => {
      const { order } = step
      let place: EventPlace = { seq: 0, changes: 1 }
      memory.write(
        order.id,
        () =>
          transact(() => {
            place = commitStep(access, step)
            writeBooking({ run, all }, step.booking, { orderId: order.id, atMs: step.event.atMs })
            if (step.summarize) writeSummary({ run, all }, order.id, step.summarize)
          }),
        (now) => keep(now, order, place, step.work),
      )
    },

    findOrder: (id) =>
      memory.current()?.rows.find(id)?.row ??
      mapOne(one("select * from orders where id = ?", id), (row) => toOrder(one, row)),
    listOrders: (query) => listRows(all, query).map((row) => toOrder(one, row)),
    listSummaries: function* ({ fromMs, untilMs }, filter = {}) {
      const { where, values } = whereOf({ ...filter, sinceMs: fromMs, untilMs })
      const text = `select id, service, summary from orders ${where} order by created_at, rowid`
      for (const row of each(text, ...values)) yield toSummary(row)
    },
    findSummary: (id) =>
      mapOne(one("select id, service, summary from orders where id = ?", id), toSummary),
    listRouteSummaries: ({ from, to }, limit) =>
      all(ROUTE_SUMMARIES, from, to, limit).map(toSummary),
    listEvents: (orderId) => all(EVENTS, orderId).map(toEvent),
    listAlerts: (limit) =>
      all("select * from alerts order by seq desc limit ?", limit).map(toAlert),
    countAlerts: () => Number(one("select count(*) as count from alerts")?.["count"]),
  }
}

function insertOrigin(
  { run, one }: Access,
  order: OrderRow,
  { decisions = [], requestKey }: OrderOrigin,
): void {
  for (const decision of decisions) linkDecision(run, one, decision, order.id)
  if (requestKey) insertRequestKey(run, requestKey, order.id, order.createdAtMs)
}

/** Orders by their payout or by the time of their last change, and the time of their work. */
export function openOrdersBy({
  all,
  one,
  memory,
}: Access): Pick<Journal, "listPaidBy" | "listChangedSince" | "listRejectedFor" | "findDueMs"> {
  const read = (sql: string, ...values: (string | number)[]): readonly OrderRow[] =>
    all(sql, ...values).map((row) => toOrder(one, row))
  return {
    findDueMs: (orderId) => memory.read().outbox.find(orderId)?.dueAtMs ?? null,
    listPaidBy: (to, txid) =>
      read("select * from orders where payout_tx = ? and to_asset = ?", txid, to),
    listChangedSince: (sinceMs) => {
      const open = memory.read().orders.list()
      return [
        ...open
          .filter(({ updatedAtMs }) => updatedAtMs >= sinceMs)
          .flatMap(({ id }) => read("select * from orders where id = ?", id)),
        ...read(
          "select * from orders where outcome is null and state = 'disarmed' and updated_at >= ?",
          sinceMs,
        ),
        ...read("select * from orders where outcome is not null and updated_at >= ?", sinceMs),
      ].toSorted((a, b) => a.updatedAtMs - b.updatedAtMs)
    },
    listRejectedFor: (code, sinceMs, limit) => {
      const found: OrderRow[] = []
      const ids = all(REJECTED, sinceMs)
      for (const { id } of ids) {
        if (found.length === limit) break
        const [row] = read("select * from orders where id = ?", toText(id))
        if (row?.snapshot.includes(JSON.stringify(code)) === true) found.push(row)
      }
      return found
    },
  }
}

function listRows(all: Access["all"], { limit, ...query }: OrdersQuery): readonly Row[] {
  const { where, values } = whereOf(query)
  const text = `select * from orders ${where} order by created_at desc, rowid desc limit ?`
  // A negative limit is none.
  return all(text, ...values, limit ?? -1)
}

function whereOf(query: Omit<OrdersQuery, "limit">): {
  readonly where: string
  readonly values: Condition["values"]
} {
  const conditions = conditionsOf(query)
  const where = conditions.map(({ text }) => text).join(" and ")
  return {
    where: where === "" ? "" : `where ${where}`,
    values: conditions.flatMap(({ values }) => values),
  }
}

type Condition = { readonly text: string; readonly values: readonly (string | number)[] }

/**
 * The plus leaves the order to the index of the times: another index would find all orders of a
 * common value first, and sort them. Open orders are few, and have an index of their own.
 */
function conditionsOf(query: Omit<OrdersQuery, "limit">): readonly Condition[] {
  const { open, state, text } = query
  const given = (sql: string, ...values: (string | number | undefined)[]): readonly Condition[] => {
    const known = values.filter((value) => value !== undefined)
    return known.length === 0 ? [] : [{ text: sql, values: known }]
  }
  return [
    ...(open === true ? [{ text: "outcome is null and state <> 'disarmed'", values: [] }] : []),
    ...(state === undefined
      ? []
      : [
          {
            text: ENDS.has(state) ? "+outcome = ?" : "outcome is null and +state = ?",
            values: [state],
          },
        ]),
    ...given("? in (rule, second_rule)", query.rule),
    ...given("+service = ?", query.service),
    ...given("+from_asset = ?", query.from),
    ...given("+to_asset = ?", query.to),
    ...given("created_at >= ?", query.sinceMs),
    ...given("created_at < ?", query.untilMs),
    ...(text === undefined ? [] : [{ text: TEXT, values: [text, text, text, text] }]),
    ...given(BEFORE, query.before),
  ]
}

const ENDS: ReadonlySet<string> = new Set(["completed", "refunded", "rejected", "abandoned"])
const TEXT = "(instr(id, ?) or instr(rule, ?) or instr(from_asset, ?) or instr(to_asset, ?))"
const BEFORE = "(created_at, rowid) < (select created_at, rowid from orders where id = ?)"

function toAlert(row: Row): ReturnType<Journal["listAlerts"]>[number] {
  return {
    atMs: Number(row["at"]),
    orderId: textOrNull(row["order_id"]),
    // CAST: `commitStep` and `raiseAlert` wrote it from a Reason.
    reason: decodeJson(toText(row["reason"])) as Reason,
  }
}

function toSummary({ id, service, summary }: Row): SummaryRow {
  return { id: toText(id), service: textOrNull(service), summary: textOrNull(summary) }
}

const ROUTE_SUMMARIES = `select id, service, summary from orders
  where from_asset = ? and to_asset = ? and outcome = 'completed'
  order by updated_at desc limit ?`
/** From the last event back, because the events have no index of orders. */
const EVENTS = `with recursive steps (seq, previous, at, type, state, body) AS (
    select seq, previous, at, type, state, body from events
      where seq = (select last_event from orders where id = ?)
    union all
    select events.seq, events.previous, events.at, events.type, events.state, events.body
      from steps cross join events on events.seq = steps.previous
  ) select * from steps order by seq`
/**
 * The plus keeps the index of the times: the one of the outcomes leads to all rejected orders ever.
 */
const REJECTED = `select id from orders
  where outcome is not null and +outcome = 'rejected' and updated_at >= ? order by updated_at desc`

/** The memory has the order as the step has written it. */
function keep(
  { orders, outbox, rows, endings }: Memory,
  order: OrderRow,
  place: EventPlace,
  work: NewWork | null,
): void {
  const { pieces, ...row } = order
  const counted = toCounted(row)
  endings.note(counted, orders.find(row.id))
  orders.put(counted)
  outbox.put(row.id, work === null ? null : toWork(row, place.seq, work))
  // An order that has ended has no next step.
  if (row.outcome !== null) rows.drop(row.id)
  else
    rows.keep(
      row.id,
      { row, place, pieces: isWhole(pieces, row.snapshot) ? pieces : null },
      waitOf(row, work),
    )
}

/** Without work an order waits for an operator, or has ended. */
function waitOf({ updatedAtMs }: OrderRow, work: NewWork | null): number {
  return work === null ? Number.POSITIVE_INFINITY : work.dueAtMs - updatedAtMs
}

function toWork(
  { id, from, to, service, updatedAtMs }: OrderRow,
  seq: number,
  { body, dueAtMs }: NewWork,
): StoredWork {
  return {
    id: seq,
    orderId: id,
    body,
    dueAtMs,
    begun: 0,
    isAhead: false,
    from,
    to,
    service: service ?? "",
    updatedAtMs,
  }
}

function commitStep(access: Access, step: StepRow): EventPlace {
  const { run, one, memory } = access
  const { order, event, cause, work } = step
  const { orders, rows } = memory.read()
  const kept = rows.find(order.id)
  const last = kept?.place ?? readPlace(one, order.id)
  const change = changeOf(kept, last.changes, order, event)
  const place = { seq: takeSeq(access), changes: change === null ? 1 : last.changes + 1 }
  if (!updateOrder(run, one, { order, place, work, before: orders.find(order.id), cause }))
    throw staleWork(order.id)
  const previous = last.seq === 0 ? null : last.seq
  insertEvent(run, { seq: place.seq, order, event, previous, change: change ?? order.snapshot })
  if (step.release === "all") run("delete from reservations where order_id = ?", order.id)
  else if (step.release !== null) {
    run(
      "delete from reservations where order_id = ? and substr(resource, 1, ?) = ?",
      ...[order.id, step.release.length, step.release],
    )
  }
  for (const resource of step.reserve) reserve(run, one, order.id, resource)
  for (const signed of [step.signedBeside, step.signed])
    if (signed) storeSignature(run, one, order.id, signed)
  if (step.settle) settleSignatures(run, order.id, step.settle)
  for (const purpose of step.alsoSettle ?? []) settleSignatures(run, order.id, purpose)
  const stopping = step.alerts.flatMap((alert) => {
    run(
      "insert into alerts (at, order_id, reason) values (?, ?, ?)",
      event.atMs,
      order.id,
      encodeJson(alert),
    )
    return step.pausing?.includes(alert) === true
      ? [lastAlarm(one, order.id, event.atMs, alert)]
      : []
  })
  if (stopping.length > 0) pauseForAlarms(run, one, stopping, event.atMs)
  return place
}

function isWhole(
  pieces: readonly string[] | undefined,
  snapshot: string,
): pieces is readonly string[] {
  return pieces?.join("") === snapshot
}

/** The change of the snapshot by this step; `null` when the whole snapshot is to be written. */
function changeOf(
  kept: KeptRow | null,
  changes: number,
  order: OrderRow,
  event: EventRow,
): string | null {
  if (kept?.pieces == null || !isWhole(order.pieces, order.snapshot) || changes >= MOST_CHANGES)
    return null
  return encodeChange(kept.pieces, order.pieces, event.body)
}

function takeSeq({ memory, eventIds }: Access): number {
  eventIds.last = Math.max(eventIds.last, memory.read().lastEvent) + 1
  return eventIds.last
}

function readPlace(one: Access["one"], orderId: string): EventPlace {
  const row = one("select last_event, changes from orders where id = ?", orderId)
  return { seq: Number(row?.["last_event"] ?? 0), changes: Number(row?.["changes"] ?? 0) }
}
