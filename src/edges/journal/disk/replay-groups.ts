import { existsSync } from "node:fs"
import { constants, DatabaseSync } from "node:sqlite"
import { AppError } from "#lib/app-error.ts"
import type { LoggedGroup, ReplicaPosition } from "#ports/journal/durability.ts"
import { judgeFile, refuseOldSchema } from "../schema-version.ts"
import { cannotOpen } from "./open-database.ts"
import { nextHash, preparePosition, readPosition } from "./replicate-groups.ts"

/**
 * What a file holds before a daemon opens it as its journal. `position` is `null` for a journal
 * that was never part of a log.
 */
export type ReplicaState = {
  readonly schema: number
  readonly hasOrders: boolean
  readonly position: ReplicaPosition | null
  /**
   * The last position that the log is known to have. A log without it has lost acknowledged groups.
   */
  readonly acknowledged: ReplicaPosition | null
  readonly server: ReplicaServer | null
}

/**
 * The PostgreSQL that a journal has followed: its system identifier and its highest timeline, and
 * whether its commits waited for a standby.
 */
type ReplicaServer = {
  readonly system: string
  readonly timeline: number
  readonly synchronous: boolean
}

/**
 * `null` without a file. Changes nothing; a standby may follow a leader of a newer version. Throws
 * `journal.version` (fatal) for a journal of 0.4 or older, and `journal.open` (fatal) when the file
 * is no database or is damaged.
 */
export function readReplica(file: string): ReplicaState | null {
  if (!existsSync(file)) return null
  try {
    judgeFile(file, refuseOldSchema)
    return withDatabase(file, (db) => {
      const schema = Number(db.prepare("pragma user_version").get()?.["user_version"])
      const hasOrders = schema > 0 && db.prepare("select 1 from orders limit 1").get() !== undefined
      return { schema, hasOrders, position: readPosition(db), ...readMemory(db) }
    })
  } catch (error) {
    throw cannotOpen(file, error)
  }
}

/**
 * Applies groups of the log to a journal that no daemon has open, all of them or none. A changeset
 * names the old values of each row that it changes, so it fits only the state that it was recorded
 * on.
 *
 * Throws `journal.replica_diverged` (transient) when a group does not follow the journal's position
 * or does not fit its rows: rebuild the journal.
 */
export function replayGroups(file: string, groups: readonly LoggedGroup[]): void {
  withDatabase(file, (db) => {
    db.exec("pragma foreign_keys = on; begin immediate")
    let position = readPosition(db)
    for (const group of groups) {
      const follows = position !== null && group.seq === position.seq + 1
      if (!follows || nextHash(position?.hash ?? "", group.changeset) !== group.hash)
        throw diverged(group.seq)
      if (
        !db.applyChangeset(group.changeset, { onConflict: () => constants.SQLITE_CHANGESET_ABORT })
      )
        throw diverged(group.seq)
      position = { seq: group.seq, hash: group.hash }
    }
    // Read only, so not yet known to be in the log for good.
    if (position !== null) preparePosition(db)(position, null)
    db.exec("commit")
  })
}

/** Remembers that the log has the position for good. */
export function rememberAcknowledged(file: string, { seq, hash }: ReplicaPosition): void {
  const sql =
    "update replica set acknowledged_seq = ?1, acknowledged_hash = ?2 where acknowledged_seq " +
    "is not ?1"
  withDatabase(file, (db) => db.prepare(sql).run(seq, hash))
}

/** Remembers the server behind the log. */
export function rememberServer(
  file: string,
  { system, timeline, synchronous }: ReplicaServer,
): void {
  const sql = "update replica set system = ?, timeline = ?, synchronous = ?"
  withDatabase(file, (db) => db.prepare(sql).run(system, timeline, synchronous ? 1 : 0))
}

function readMemory(db: DatabaseSync): Pick<ReplicaState, "acknowledged" | "server"> {
  const row = readPosition(db) === null ? undefined : db.prepare("select * from replica").get()
  const {
    acknowledged_seq: seq,
    acknowledged_hash: hash,
    system,
    timeline,
    synchronous,
  } = row ?? {}
  return {
    acknowledged: seq == null ? null : { seq: Number(seq), hash: String(hash) },
    server:
      system == null
        ? null
        : { system: String(system), timeline: Number(timeline), synchronous: synchronous === 1 },
  }
}

/** Makes a journal that followed a log an ordinary one. It can never join the log again. */
export function endReplica(file: string): void {
  withDatabase(file, (db) => db.exec("drop table replica"))
}

function withDatabase<Result>(file: string, use: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(file, { timeout: 5_000 })
  try {
    return use(db)
  } finally {
    // Closing undoes an open transaction.
    db.close()
  }
}

function diverged(seq: number): AppError {
  const message =
    `Group ${seq} of the log does not fit this copy of the journal; the copy is rebuilt from ` +
    "the log's snapshot"
  return new AppError({
    code: "journal.replica_diverged",
    disposition: "transient",
    message,
    details: { seq },
  })
}
