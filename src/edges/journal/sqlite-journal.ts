import type { DatabaseSync, StatementSync } from "node:sqlite"
import { createDatabaseSpace, type DatabaseSpace } from "#lib/database-space.ts"
import { rememberPlace } from "#lib/files/database-place.ts"
import { encodeJson } from "#lib/json.ts"
import type { DecisionStore } from "#ports/journal/decisions.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { Outbox } from "#ports/journal/outbox.ts"
import type { Reservations } from "#ports/journal/reservations.ts"
import type { Journal } from "#ports/journal.ts"
import { openCounts, openRefs } from "./counts.ts"
import { readDecision, recordDecision } from "./decisions.ts"
import type { Access } from "./disk/access.ts"
import { durability } from "./disk/durability.ts"
import { createGroup, type Group, type GroupOptions } from "./disk/group-commit.ts"
import { openDatabase } from "./disk/open-database.ts"
import { type GroupLog, replicateGroups } from "./disk/replicate-groups.ts"
import { saveDatabase } from "./disk/save-database.ts"
import { openDisk } from "./disk/write-ahead-log.ts"
import { insertOccurrence, listOccurrences } from "./occurrences.ts"
import { openOrders, openOrdersBy } from "./orders.ts"
import type { StoredWork } from "./outbox.ts"
import { lastAlarm, pauseForAlarms, putFlag } from "./pause-for-alarms.ts"
import { createOpenOrdersReader, type Memory } from "./read-open-orders.ts"
import { openRequestKeys } from "./request-keys.ts"
import { insertRow, mapOne, textOrNull, toText } from "./row.ts"
import { findLastSample, listSamples, writeSample } from "./samples.ts"
import {
  listAccounts,
  listEntries,
  listLastPostings,
  listReconciliations,
  saveReconciliation,
  writeBooking,
  writeSummary,
} from "./sqlite-ledger.ts"
import { openSigningRecord, staleWork } from "./sqlite-signing-record.ts"
import { openBookSums } from "./sum-books.ts"

type JournalOptions = {
  /** Tests kill the process here, after a write is on disk. */
  readonly afterCommit?: () => void
  readonly keptDecisions?: number
  /**
   * With it the steps until its call are one group (`group-commit.ts`); without it each step is on
   * disk when its call returns.
   */
  readonly group?: Omit<GroupOptions, "onCommit"> & Partial<Pick<GroupOptions, "onCommit">>
  /**
   * With `group`: the disk is waited for beside the event loop (`write-ahead-log.ts`). It hears of
   * a disk that failed, and must end the process.
   */
  readonly onDiskFailure?: (error: unknown) => void
  /** Needs `group`. Each group is durable only when it is in this log too. */
  readonly groupLog?: GroupLog
}

/** `abandon` undoes what is not on disk, as the death of the process would; for tests. */
export type SqliteJournal = Journal & { abandon(): void }

/**
 * For the lock of the file while a daemon runs, whose event loop waits with it. It is the only
 * writer, so a longer wait would not help.
 */
const MOST_WAIT_MS = 25

export function openJournal(
  file: string,
  { afterCommit, keptDecisions, group, groupLog, onDiskFailure }: JournalOptions = {},
): SqliteJournal {
  const db = openDatabase(file, group === undefined ? undefined : MOST_WAIT_MS)
  const disk = openDisk(db, file, group === undefined ? undefined : onDiskFailure)
  const replication =
    group === undefined || groupLog === undefined ? null : replicateGroups(db, groupLog)
  const queries = createQueries(db)
  const { all, one } = queries
  const moments = createMoments(one, afterCommit)
  const onCommit = (): void => {
    disk.want()
    replication?.deliver()
    group?.onCommit?.()
    moments.pass()
  }
  const memory = createOpenOrdersReader(queries, () => steps.number())
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
    group === undefined
      ? createSteps(db, onCommit)
      : createGroup(db, { ...group, beforeCommit, onCommit, onFailure })
  const access: Access = {
    ...queries,
    transact: (body) => steps.step(() => moments.during(body)),
    note: steps.step,
    memory,
    eventIds: { last: 0 },
  }
  const durable = durability(steps, disk, replication, one)
  return {
    ...openOrders(access),
    ...openWork(access),
    ...openReservations(access),
    ...openSigningRecord(access),
    ...openCounts(one, all, memory.read),
    ...openRefs(all, () => memory.read().orders),
    ...openDecisions(access, keptDecisions),
    ...openBooks(access),
    ...openBookSums(all),
    ...openOrdersBy(access),
    ...openRequestKeys(access),
    ...openFlags(access),
    ...openOperatorCalls(access),
    ...durable,
    ...openFiles(db, file, { space, flush: steps.flush }),
    abandon: () => {
      steps.abandon()
      replication?.discard()
      memory.forget()
    },
    close: () => {
      steps.flush()
      durable.noteAcknowledged()
      disk.close()
      db.close()
    },
  }
}

function openFiles(
  db: DatabaseSync,
  file: string,
  { space, flush }: { readonly space: DatabaseSpace | null; readonly flush: () => void },
): Pick<Journal, "keepSpace" | "findPlace" | "saveTo"> {
  return {
    keepSpace: (bytes) => space?.keep(bytes, flush) ?? true,
    findPlace: file === ":memory:" ? () => "in_place" : rememberPlace(file),
    saveTo: (to) => {
      flush()
      return saveDatabase(db, to)
    },
  }
}

function createQueries(db: DatabaseSync): Pick<Access, "run" | "all" | "one" | "each"> {
  const prepare = createStatements(db)
  return {
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    all: (sql, ...values) => prepare(sql).all(...values),
    one: (sql, ...values) => prepare(sql).get(...values),
    // A statement of its own, because two reads of one statement at the same time would take each
    // other's rows.
    each: (sql, ...values) => db.prepare(sql).iterate(...values),
  }
}

type Moments = { readonly during: (body: () => void) => void; readonly pass: () => void }

/**
 * A repeated claim changes nothing, so it is no moment for a test to kill the process; nor are the
 * notes that share its group.
 */
function createMoments(one: Access["one"], afterCommit: (() => void) | undefined): Moments {
  if (afterCommit === undefined) return { during: (body) => body(), pass: () => undefined }
  const changes = (): number => Number(one("select total_changes() as n")?.["n"])
  let isMoment = false
  return {
    during: (body) => {
      const before = changes()
      body()
      isMoment ||= changes() !== before
    },
    pass: () => {
      const isNow = isMoment
      isMoment = false
      if (isNow) afterCommit()
    },
  }
}

function openWork({ run, transact, memory }: Access): Omit<Outbox, "findDueMs"> {
  const orderOf = (id: number): string => memory.read().outbox.findById(id)?.orderId ?? ""
  const change = (id: number, write: () => number, next: (row: StoredWork) => StoredWork): void => {
    const row = memory.read().outbox.findById(id)
    if (row === null) return
    const put = ({ outbox }: Memory): void => {
      const now = outbox.findById(id)
      if (now !== null) outbox.put(row.orderId, next(now))
    }
    memory.write(row.orderId, () => transact(write), put)
  }
  return {
    listDueWork: (untilMs, limit, nowMs = Number.MAX_SAFE_INTEGER) =>
      memory.read().outbox.listDue(untilMs, limit, nowMs),
    beginWork: (id) =>
      change(
        id,
        () =>
          run(`update orders set work_begun = work_begun + 1 where ${ITS_WORK}`, orderOf(id), id),
        (row) => ({ ...row, begun: row.begun + 1 }),
      ),
    postponeWork: (id, dueAtMs) =>
      change(
        id,
        () => run(`update orders set work_due = ? where ${ITS_WORK}`, dueAtMs, orderOf(id), id),
        (row) => ({ ...row, dueAtMs }),
      ),
    restWork: (id, dueAtMs, atMs) => {
      const { outbox } = memory.read()
      const row = outbox.findById(id)
      if (row === null) throw staleWork(String(id))
      outbox.put(row.orderId, { ...row, dueAtMs, updatedAtMs: atMs })
    },
    hastenWork: (orderId, dueAtMs) => memory.read().outbox.hasten(orderId, dueAtMs),
    hasWork: (id) => memory.read().outbox.findById(id) !== null,
  }
}

function openReservations({ all, one }: Access): Reservations {
  return {
    listReserved: (prefix, exceptOrder) =>
      new Set(
        all(
          // A range of the key, with the first character that no resource contains as its end.
          "select resource from reservations where resource >= ? and resource < ? || " +
            "char(1114111) and order_id <> ?",
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
      one(
        "select 1 as found from orders where secret_hash = ? and id <> ?",
        secretHash,
        exceptOrder,
      ) !== undefined,
  }
}

/** An order has the work of its last event, under the same number. */
const ITS_WORK = "id = ? and last_event = ? and work is not null"

function openDecisions(
  { run, all, one, transact }: Access,
  keptDecisions: number | undefined,
): DecisionStore {
  return {
    findOccurrence: (id) =>
      mapOne(one("select order_id, settled_at from occurrences where id = ?", id), (row) => ({
        orderId: textOrNull(row["order_id"]),
        settledAtMs: Number(row["settled_at"]),
      })),
    listOccurrences: (rule, limit) => listOccurrences(all, rule, limit),
    settleOccurrence: (occurrence, reasons, decision) =>
      transact(() => {
        insertOccurrence(run, occurrence, null, reasons, occurrence.atMs)
        if (decision) recordDecision({ run, one, all }, decision, keptDecisions)
      }),
    recordDecision: (decision) => {
      let fresh = false
      transact(() => {
        fresh = recordDecision({ run, one, all }, decision, keptDecisions)
      })
      return fresh
    },
    findDecision: (id) =>
      mapOne(one("select * from decisions where id = ?", id), (row) => readDecision(all, row)),
    findInputs: (hash) =>
      mapOne(one("select body from decision_inputs where hash = ?", hash), (row) =>
        toText(row["body"]),
      ),
    listDecisions: ({ rule, limit, before }) => {
      const given: readonly (readonly [text: string, value: string])[] = [
        ...(rule === null ? [] : [["rule = ?", rule] as const]),
        ...(before === undefined
          ? []
          : [["seq < (select seq from decisions where id = ?)", before] as const]),
      ]
      const where = given.map(([text], index) => `${index === 0 ? "where" : "and"} ${text}`)
      return all(
        `select * from decisions ${where.join(" ")} order by seq desc limit ?`,
        ...given.map(([, value]) => value),
        limit,
      ).map((row) => readDecision(all, row))
    },
  }
}

type SummaryCall = "listSummaries" | "findSummary" | "listRouteSummaries"

function openBooks({
  run,
  one,
  all,
  transact,
  note,
}: Access): Omit<Ledger, "sumBooks" | SummaryCall> & Pick<NoticeStore, "raiseAlert"> {
  return {
    book: (booking, { orderId, atMs, summarize }) =>
      note(() => {
        writeBooking({ run, all }, booking, { orderId, atMs })
        if (orderId !== null) writeSummary({ run, all }, orderId, summarize)
      }),
    listEntries: (query) => listEntries({ run, all }, query),
    listLastPostings: (query) => listLastPostings({ run, all }, query),
    listAccounts: (prefix) => listAccounts({ run, all }, prefix),
    listReconciliations: () => listReconciliations({ run, all }),
    saveReconciliation: (row) => note(() => saveReconciliation({ run, all }, row)),
    addSample: (sample) => note(() => writeSample({ run, all }, sample)),
    listSamples: (series, fromMs) => listSamples({ run, all }, series, fromMs),
    findLastSample: (series) => findLastSample({ run, all }, series),
    raiseAlert: (atMs, reason, effect = "alert") =>
      transact(() => {
        run("insert into alerts (at, reason) values (?, ?)", atMs, encodeJson(reason))
        if (effect === "pause") pauseForAlarms(run, one, [lastAlarm(one, null, atMs, reason)], atMs)
      }),
  }
}

function openOperatorCalls({
  run,
  all,
  note,
}: Access): Pick<NoticeStore, "recordOperatorCall" | "listOperatorCalls"> {
  return {
    recordOperatorCall: ({ atMs, caller, source, action, subject, body }) =>
      note(() =>
        insertRow(run, "operator_calls", {
          at: atMs,
          caller,
          source,
          action,
          subject,
          body,
        }),
      ),
    listOperatorCalls: ({ subject, limit, before = Number.MAX_SAFE_INTEGER }) =>
      (subject === undefined
        ? all("select * from operator_calls where seq < ? order by seq desc limit ?", before, limit)
        : all(
            `select * from operator_calls where subject = ? and seq < ?
             order by seq desc limit ?`,
            ...[subject, before, limit],
          )
      ).map((row) => ({
        seq: Number(row["seq"]),
        atMs: Number(row["at"]),
        caller: toText(row["caller"]),
        source: toText(row["source"]),
        action: toText(row["action"]),
        subject: textOrNull(row["subject"]),
        body: toText(row["body"]),
      })),
  }
}

function openFlags({ run, one, transact, note }: Access): FlagStore {
  const put = (key: string, value: string | null) => () =>
    value === null ? run("delete from flags where key = ?", key) : putFlag(run, key, value)
  return {
    readFlag: (key) =>
      mapOne(one("select value from flags where key = ?", key), (row) => toText(row["value"])),
    writeFlag: (key, value) => transact(put(key, value)),
    // No moment for a test to kill the process.
    noteFlag: (key, value) => note(put(key, value)),
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
    committed: () => Promise.resolve(),
    isPending: () => false,
    number: () => null,
    countRefused: () => 0,
    lastRefusal: () => null,
    flush: none,
    abandon: none,
  }
}
