import { existsSync } from "node:fs"
import { constants, DatabaseSync } from "node:sqlite"
import { AppError } from "#lib/app-error.ts"
import { cannotOpen } from "./open-database.ts"
import type { LoggedGroup, ReplicaPosition } from "./port.ts"
import { nextHash, readPosition, writePosition } from "./replicate-groups.ts"

/** What a file holds before a daemon opens it as its journal. `position` is `null` for a journal that was never part of a log. */
export type ReplicaState = {
  readonly schema: number
  readonly hasOrders: boolean
  readonly position: ReplicaPosition | null
}

/** `null` without a file. Changes nothing. Throws `journal.open` (fatal) when the file is no database or is damaged. */
export function readReplica(file: string): ReplicaState | null {
  if (!existsSync(file)) return null
  try {
    return withDatabase(file, (db) => {
      const schema = Number(db.prepare("pragma user_version").get()?.["user_version"])
      const hasOrders = schema > 0 && db.prepare("select 1 from orders limit 1").get() !== undefined
      return { schema, hasOrders, position: readPosition(db) }
    })
  } catch (error) {
    throw cannotOpen(file, error)
  }
}

/**
 * Applies groups of the log to a journal that no daemon has open, all of them or none. A changeset names the old values of each row that it
 * changes, so it fits only the state that it was recorded on.
 *
 * Throws `journal.replica_diverged` (transient) when a group does not follow the journal's position or does not fit its rows: rebuild the journal.
 */
export function replayGroups(file: string, groups: readonly LoggedGroup[]): void {
  withDatabase(file, (db) => {
    db.exec("pragma foreign_keys = on; begin immediate")
    let position = readPosition(db)
    for (const group of groups) {
      const follows = position !== null && group.seq === position.seq + 1
      if (!follows || nextHash(position?.hash ?? "", group.changeset) !== group.hash) throw diverged(group.seq)
      if (!db.applyChangeset(group.changeset, { onConflict: () => constants.SQLITE_CHANGESET_ABORT }))
        throw diverged(group.seq)
      position = { seq: group.seq, hash: group.hash }
      writePosition(db, position)
    }
    db.exec("commit")
  })
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
  return new AppError({
    code: "journal.replica_diverged",
    disposition: "transient",
    message: `Group ${seq} of the log does not fit this copy of the journal; the copy is rebuilt from the log's snapshot`,
    details: { seq },
  })
}
