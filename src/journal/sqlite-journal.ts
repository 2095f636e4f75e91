import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import type { PauseAlarm } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { createDatabaseSpace } from "#lib/database-space.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { openCounts, openRefs } from "./counts.ts"
import { linkDecision, readDecision, recordDecision } from "./decisions.ts"
import { createGroup, type Group, type GroupOptions } from "./group-commit.ts"
import { openDatabase } from "./open-database.ts"
import type { Counted } from "./open-orders.ts"
import type { StoredWork } from "./outbox.ts"
import { pauseForAlarms, putFlag } from "./pause-for-alarms.ts"
import type { EventRow, Journal, NewWork, Occurrence, OrderRow, StepRow } from "./port.ts"
import { createOpenOrdersReader, type Memory, type OpenOrdersReader, toCounted } from "./read-open-orders.ts"
import { toEvent, toOrder } from "./read-order.ts"
import { type GroupLog, type Replication, replicateGroups } from "./replicate-groups.ts"
import { reserve } from "./reservations.ts"
import { mapOne, type One, type Row, type Run, textOrNull, toText } from "./row.ts"
import { listAccounts, listEntries, listReconciliations, saveReconciliation, writeBooking } from "./sqlite-ledger.ts"
import { openSigningRecord, settleSignatures, staleWork, storeSignature } from "./sqlite-signing-record.ts"
import { openBookSums } from "./sum-books.ts"
import { insertOrder, updateOrder } from "./write-order.ts"

export type JournalOptions = {
  /** Tests kill the process here, after a write is on disk. */
  readonly afterCommit?: () => void
  readonly keptDecisions?: number
  /** With it the steps until its call are one group (`group-commit.ts`); without it each step is on disk when its call returns. */
  readonly group?: Omit<GroupOptions, "onCommit"> & Partial<Pick<GroupOptions, "onCommit">>
  /** Needs `group`. Each group is durable only when it is in this log too. */
  readonly groupLog?: GroupLog
}

/** The journal on SQLite. */
export function openJournal(
  file: string,
  { afterCommit, keptDecisions, group, groupLog }: JournalOptions = {},
): Journal {
  const db = openDatabase(file)
  const replication = group === undefined || groupLog === undefined ? null : replicateGroups(db, groupLog)
  const prepare = createStatements(db)
  const run = (sql: string, ...values: SQLInputValue[]): number => Number(prepare(sql).run(...values).changes)
  const all = (sql: string, ...values: SQLInputValue[]): Row[] => prepare(sql).all(...values)
  const one = (sql: string, ...values: SQLInputValue[]): Row | undefined => prepare(sql).get(...values)
  const changes = (): number => Number(one("select total_changes() as n")?.["n"])
  let counted = afterCommit === undefined ? 0 : changes()
  let isCounted = false
  // A repeated claim changes nothing, so it is no moment for a test to kill the process.
  const onCommit = (): void => {
    replication?.deliver()
    group?.onCommit?.()
    if (afterCommit === undefined) return
    const isMoment = isCounted && changes() !== counted
    counted = changes()
    isCounted = false
    if (isMoment) afterCommit()
  }
  const memory = createOpenOrdersReader(one, all)
  const space = file === ":memory:" ? null : createDatabaseSpace(db)
  const onFailure = (error: unknown): void => {
    replication?.discard()
    memory.forget()
    space?.reuse(error)
    group?.onFailure(error)
  }
  const beforeCommit = (): void => {
    group?.beforeCommit?.()
    replication?.capture()
  }
  const steps =
    group === undefined ? createSteps(db, onCommit) : createGroup(db, { ...group, beforeCommit, onCommit, onFailure })
  const transact = (body: () => void): void => {
    isCounted = true
    steps.step(body)
  }

  const access: Access = { run, all, one, transact, note: steps.step, memory, workIds: { last: 0 } }
  return {
    ...openOrders(access),
    ...openWork(access),
    ...openSigningRecord(access),
    ...openCounts(one, all, () => memory.read().orders),
    ...openRefs(all, () => memory.read().orders),
    ...openDecisions(access, keptDecisions),
    ...openBooks(access),
    ...openBookSums(all),
    ...openOrdersBy(all),
    ...openFlags(access),
    ...openOperatorCalls(access),
    ...durability(steps, replication),
    keepSpace: (bytes) => space?.keep(bytes, steps.flush) ?? true,
    abandon: () => {
      steps.abandon()
      replication?.discard()
      memory.forget()
    },
    close: () => {
      steps.flush()
      db.close()
    },
  }
}

/** On disk first, then in the log. */
function durability(steps: Group, replication: Replication | null): Pick<Journal, "durable" | "isPending"> {
  if (replication === null) return { durable: steps.durable, isPending: steps.isPending }
  return {
    durable: async () => {
      await steps.durable()
      await replication.delivered()
    },
    isPending: () => steps.isPending() || replication.isDelivering(),
  }
}

/** The database's statements. `transact` is one step: all of it is written, or nothing. */
type Access = {
  readonly run: (sql: string, ...values: SQLInputValue[]) => number
  readonly all: (sql: string, ...values: SQLInputValue[]) => Row[]
  readonly one: (sql: string, ...values: SQLInputValue[]) => Row | undefined
  readonly transact: (body: () => void) => void
  /** As `transact`, for a record that the next try repeats: a kill after it would test nothing. */
  readonly note: (body: () => void) => void
  readonly memory: OpenOrdersReader
  readonly workIds: WorkIds
}

/**
 * The highest number that a work of the outbox ever had in this process. A group that is undone gives its numbers back to the database, and a
 * late result of undone work would count as the result of the work that got its number.
 */
type WorkIds = { last: number }

function openOrders({
  run,
  all,
  one,
  transact,
  memory,
  workIds,
}: Access): Pick<Journal, "openOrder" | "commit" | "findOrder" | "listOrders" | "listEvents" | "listAlerts"> {
  return {
    openOrder: (order, event, work, occurrence, decisions = []) => {
      let row: StoredWork | null = null
      memory.write(
        order.id,
        () =>
          transact(() => {
            insertOrder(run, order)
            insertEvent(run, order.id, event)
            row = work && insertWork(one, workIds, order, work)
            if (occurrence) insertOccurrence(run, occurrence, order.id, null, order.createdAtMs)
            for (const decision of decisions) linkDecision(run, decision, order.id)
          }),
        ({ orders, outbox }) => {
          orders.put(toCounted(order))
          outbox.put(order.id, row)
        },
      )
    },
    commit: (step) => {
      const { order } = step
      let row: StoredWork | null = null
      memory.write(
        order.id,
        () =>
          transact(() => {
            row = commitStep({ run, one, workIds }, step, memory.read().orders.find(order.id))
            writeBooking({ run, all }, step.booking, { orderId: order.id, atMs: step.event.atMs })
          }),
        ({ orders, outbox }) => {
          orders.put(toCounted(order))
          outbox.put(order.id, row)
        },
      )
    },

    findOrder: (id) => mapOne(one("select * from orders where id = ?", id), toOrder),
    listOrders: ({ limit, open }) =>
      all(
        `select * from orders ${open ? "where outcome is null and state <> 'disarmed'" : ""} order by created_at desc, rowid desc limit ?`,
        // A negative limit is none.
        limit ?? -1,
      ).map(toOrder),
    listEvents: (orderId) => all("select * from events where order_id = ? order by seq", orderId).map(toEvent),
    listAlerts: (limit) =>
      all("select * from alerts order by seq desc limit ?", limit).map((row) => ({
        atMs: Number(row["at"]),
        orderId: textOrNull(row["order_id"]),
        // CAST: `commitStep` and `raiseAlert` wrote it from a Reason.
        reason: decodeJson(toText(row["reason"])) as Reason,
      })),
  }
}

/** Orders by their payout or by the time of their last change. */
function openOrdersBy(all: Access["all"]): Pick<Journal, "listPaidBy" | "listChangedSince" | "listRejectedFor"> {
  return {
    listPaidBy: (to, txid) => all("select * from orders where payout_tx = ? and to_asset = ?", txid, to).map(toOrder),
    listChangedSince: (sinceMs) => all("select * from orders where updated_at >= ?", sinceMs).map(toOrder),
    // The plus keeps the index of the times: the one of the outcomes leads to all rejected orders ever.
    listRejectedFor: (code, sinceMs, limit) =>
      all(
        "select * from orders where +outcome = 'rejected' and updated_at >= ? and instr(snapshot, ?) > 0 order by updated_at desc limit ?",
        ...[sinceMs, JSON.stringify(code), limit],
      ).map(toOrder),
  }
}

function openWork({
  run,
  all,
  one,
  transact,
  memory,
}: Access): Pick<
  Journal,
  | "listDueWork"
  | "beginWork"
  | "postponeWork"
  | "restWork"
  | "hasWork"
  | "listReserved"
  | "findHolder"
  | "isSecretHashKnown"
> {
  const change = (id: number, write: () => number, next: (row: StoredWork) => StoredWork): void => {
    const orderId = textOrNull(one("select order_id from outbox where id = ?", id)?.["order_id"])
    const put = ({ outbox }: Memory): void => {
      const row = orderId === null ? null : outbox.find(orderId)
      if (row !== null) outbox.put(row.orderId, next(row))
    }
    memory.write(orderId ?? "", () => transact(write), put)
  }
  return {
    listDueWork: (untilMs, limit, nowMs = Number.MAX_SAFE_INTEGER) =>
      memory.read().outbox.listDue(untilMs, limit, nowMs),
    beginWork: (id) =>
      change(
        id,
        () => run("update outbox set begun = begun + 1 where id = ?", id),
        (row) => ({ ...row, begun: row.begun + 1 }),
      ),
    postponeWork: (id, dueAtMs) =>
      change(
        id,
        () => run("update outbox set due_at = ? where id = ?", dueAtMs, id),
        (row) => ({ ...row, dueAtMs }),
      ),
    restWork: (id, dueAtMs, atMs) => {
      const orderId = textOrNull(one("select order_id from outbox where id = ?", id)?.["order_id"])
      const { outbox } = memory.read()
      const row = orderId === null ? null : outbox.find(orderId)
      if (row === null) throw staleWork(String(id))
      outbox.put(row.orderId, { ...row, dueAtMs, updatedAtMs: atMs })
    },
    hasWork: (id) => one("select 1 as found from outbox where id = ?", id) !== undefined,

    listReserved: (prefix, exceptOrder) =>
      new Set(
        all(
          // A range of the key, with the first character that no resource contains as its end.
          "select resource from reservations where resource >= ? and resource < ? || char(1114111) and order_id <> ?",
          prefix,
          prefix,
          exceptOrder ?? "",
        ).map((row) => toText(row["resource"]).slice(prefix.length)),
      ),
    findHolder: (resource) => {
      const row = one("select order_id from reservations where resource = ?", resource)
      return row === undefined ? null : toText(row["order_id"])
    },
    isSecretHashKnown: (secretHash, exceptOrder) =>
      one("select 1 as found from orders where secret_hash = ? and id <> ?", secretHash, exceptOrder) !== undefined,
  }
}

function openDecisions(
  { run, all, one, transact }: Access,
  keptDecisions: number | undefined,
): Pick<
  Journal,
  "findOccurrence" | "settleOccurrence" | "recordDecision" | "findDecision" | "findInputs" | "listDecisions"
> {
  return {
    findOccurrence: (id) =>
      mapOne(one("select order_id, settled_at from occurrences where id = ?", id), (row) => ({
        orderId: textOrNull(row["order_id"]),
        settledAtMs: Number(row["settled_at"]),
      })),
    settleOccurrence: (occurrence, reasons, decision) =>
      transact(() => {
        insertOccurrence(run, occurrence, null, reasons, occurrence.atMs)
        if (decision) recordDecision(run, one, decision, keptDecisions)
      }),
    recordDecision: (decision) => {
      let fresh = false
      transact(() => {
        fresh = recordDecision(run, one, decision, keptDecisions)
      })
      return fresh
    },
    findDecision: (id) => mapOne(one("select * from decisions where id = ?", id), (row) => readDecision(all, row)),
    findInputs: (hash) =>
      mapOne(one("select body from decision_inputs where hash = ?", hash), (row) => toText(row["body"])),
    listDecisions: ({ rule, limit }) =>
      (rule === null
        ? all("select * from decisions order by seq desc limit ?", limit)
        : all("select * from decisions where rule = ? order by seq desc limit ?", rule, limit)
      ).map((row) => readDecision(all, row)),
  }
}

function openBooks({
  run,
  one,
  all,
  transact,
  note,
}: Access): Pick<
  Journal,
  "book" | "listEntries" | "listAccounts" | "listReconciliations" | "saveReconciliation" | "raiseAlert"
> {
  return {
    book: (booking, at) => note(() => writeBooking({ run, all }, booking, at)),
    listEntries: (query) => listEntries({ run, all }, query),
    listAccounts: (prefix) => listAccounts({ run, all }, prefix),
    listReconciliations: () => listReconciliations({ run, all }),
    saveReconciliation: (row) => note(() => saveReconciliation({ run, all }, row)),
    raiseAlert: (atMs, reason, effect = "alert") =>
      transact(() => {
        run("insert into alerts (at, reason) values (?, ?)", atMs, encodeJson(reason))
        if (effect === "pause") pauseForAlarms(run, one, [toAlarm(one, null, atMs, reason)], atMs)
      }),
  }
}

function openOperatorCalls({ run, all, note }: Access): Pick<Journal, "recordOperatorCall" | "listOperatorCalls"> {
  return {
    recordOperatorCall: ({ atMs, caller, source, action, subject, body }) =>
      note(() =>
        run(
          "insert into operator_calls (at, caller, source, action, subject, body) values (?, ?, ?, ?, ?, ?)",
          ...[atMs, caller, source, action, subject, body],
        ),
      ),
    listOperatorCalls: ({ subject, limit }) =>
      (subject === undefined
        ? all("select * from operator_calls order by seq desc limit ?", limit)
        : all("select * from operator_calls where subject = ? order by seq desc limit ?", subject, limit)
      ).map((row) => ({
        atMs: Number(row["at"]),
        caller: toText(row["caller"]),
        source: toText(row["source"]),
        action: toText(row["action"]),
        subject: textOrNull(row["subject"]),
        body: toText(row["body"]),
      })),
  }
}

function openFlags({ run, one, transact, note }: Access): Pick<Journal, "readFlag" | "writeFlag"> {
  return {
    readFlag: (key) => mapOne(one("select value from flags where key = ?", key), (row) => toText(row["value"])),
    writeFlag: (key, value, weight) =>
      (weight === "note" ? note : transact)(() =>
        value === null ? run("delete from flags where key = ?", key) : putFlag(run, key, value),
      ),
  }
}

/** Compiles each statement once: there are a few dozen, and most are used often. */
function createStatements(db: DatabaseSync): (sql: string) => StatementSync {
  const known = new Map<string, StatementSync>()
  return (sql) => {
    const statement = known.get(sql) ?? db.prepare(sql)
    known.set(sql, statement)
    return statement
  }
}

/** Each step is a transaction of its own, and on disk when it returns. */
function createSteps(db: DatabaseSync, onCommit: () => void): Group {
  const none = (): void => undefined
  return {
    step: (body) => {
      db.exec("begin immediate")
      try {
        body()
        db.exec("commit")
      } catch (error) {
        if (db.isTransaction) db.exec("rollback")
        throw error
      }
      onCommit()
    },
    durable: () => Promise.resolve(),
    ...{ isPending: () => false, flush: none, abandon: none },
  }
}

/** `before`: the order's columns as they are, if it is under way. */
function commitStep(
  { run, one, workIds }: Pick<Access, "run" | "one" | "workIds">,
  step: StepRow,
  before: Counted | null,
): StoredWork | null {
  const { order } = step
  if (
    step.cause !== null &&
    one("select 1 as found from outbox where id = ? and order_id = ?", step.cause, order.id) === undefined
  ) {
    throw staleWork(order.id)
  }
  updateOrder(run, one, order, before)
  insertEvent(run, order.id, step.event)
  run("delete from outbox where order_id = ?", order.id)
  const work = step.work && insertWork(one, workIds, order, step.work)
  if (step.release === "all") run("delete from reservations where order_id = ?", order.id)
  else if (step.release !== null) {
    run(
      "delete from reservations where order_id = ? and substr(resource, 1, ?) = ?",
      order.id,
      step.release.length,
      step.release,
    )
  }
  for (const resource of step.reserve) reserve(run, one, order.id, resource)
  for (const signed of [step.signedBeside, step.signed]) if (signed) storeSignature(run, one, order.id, signed)
  if (step.settle) settleSignatures(run, order.id, step.settle)
  for (const purpose of step.alsoSettle ?? []) settleSignatures(run, order.id, purpose)
  const stopping = step.alerts.flatMap((alert) => {
    run("insert into alerts (at, order_id, reason) values (?, ?, ?)", step.event.atMs, order.id, encodeJson(alert))
    return step.pausing?.includes(alert) === true ? [toAlarm(one, order.id, step.event.atMs, alert)] : []
  })
  if (stopping.length > 0) pauseForAlarms(run, one, stopping, step.event.atMs)
  return work
}

/** The alert that this transaction stored last. */
function toAlarm(one: One, order: string | null, atMs: number, { code, message }: Reason): PauseAlarm {
  const id = String(one("select last_insert_rowid() as seq")?.["seq"])
  return { id, code, message, order, at: new Date(atMs).toISOString() }
}

function insertEvent(run: Run, orderId: string, event: EventRow): void {
  run(
    "insert into events (order_id, at, type, state, body) values (?, ?, ?, ?, ?)",
    orderId,
    event.atMs,
    event.type,
    event.state,
    event.body,
  )
}

function insertWork(one: One, workIds: WorkIds, order: OrderRow, { body, dueAtMs }: NewWork): StoredWork {
  const { id: orderId, from, to, service, updatedAtMs } = order
  const row = one(
    "insert into outbox (id, order_id, body, due_at) values (max(?, coalesce((select seq from sqlite_sequence where name = 'outbox'), 0)) + 1, ?, ?, ?) returning id",
    ...[workIds.last, orderId, body, dueAtMs],
  )
  workIds.last = Number(row?.["id"])
  const written = { id: workIds.last, orderId, body, dueAtMs, begun: 0, isAhead: false }
  return { ...written, from, to, service: service ?? "", updatedAtMs }
}

function insertOccurrence(
  run: Run,
  occurrence: Occurrence,
  orderId: string | null,
  decision: string | null,
  settledAtMs: number,
): void {
  const inserted = run(
    "insert into occurrences values (?, ?, ?, ?, ?, ?) on conflict do nothing",
    occurrence.id,
    occurrence.rule,
    occurrence.atMs,
    orderId,
    decision,
    settledAtMs,
  )
  if (inserted === 1) return
  throw new AppError({
    code: "journal.occurrence_taken",
    disposition: "refused",
    message: "This scheduled occurrence was settled before",
    details: { occurrence: occurrence.id },
  })
}
