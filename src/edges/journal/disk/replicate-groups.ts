import { createHash } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"
import { mustExist } from "#lib/assert.ts"
import type { LoggedGroup, ReplicaPosition } from "#ports/journal/durability.ts"

/**
 * The log beside the journal: `append` resolves when the group is in it. Calls come in the order of
 * the commits. `urge`: a caller waits for the groups so far; until then the log may gather them.
 */
export type GroupLog = {
  readonly append: (group: LoggedGroup) => Promise<void>
  readonly urge: () => void
}

export type Replication = {
  /**
   * Runs in the group's transaction just before its commit: writes the position that the journal
   * has with this group.
   */
  readonly capture: () => void
  /** The group is committed here; sends it to the log. */
  readonly deliver: () => void
  readonly discard: () => void
  /** Resolves when every group so far is in the log, and throws the log's error. */
  readonly delivered: () => Promise<void>
  readonly isDelivering: () => boolean
  /**
   * Writes the last acknowledgement unless it is written already, and answers whether it did. For
   * moments without an open group.
   */
  readonly note: () => boolean
  /** The last decision about a secret that is in the log, by its row. */
  readonly deliveredDecision: () => number
}

/**
 * Records the changes of each group as a changeset of SQLite, and sends it to the log. Sessions
 * record only tables with a primary key, so the table `replica`, which has none, stays out of the
 * changesets.
 */
export function replicateGroups(db: DatabaseSync, log: GroupLog): Replication {
  let position = readPosition(db) ?? createPosition(db)
  const writePosition = preparePosition(db)
  const lastDecision = db.prepare(LAST_DECISION)
  const readDecision = (): number => Number(lastDecision.get()?.["last"] ?? 0)
  /** Acknowledged, and not written down by `note`. */
  let delivered: ReplicaPosition | null = null
  let session = db.createSession()
  let captured: LoggedGroup | null = null
  let outstanding = 0
  let last: Promise<void> = Promise.resolve()
  // The journal of a leader begins as the log has it.
  let deliveredDecision = readDecision()

  const renew = (): void => {
    session.close()
    session = db.createSession()
    captured = null
  }
  return {
    capture: () => {
      const changeset = session.changeset()
      if (changeset.length === 0) return
      captured = { seq: position.seq + 1, changeset, hash: nextHash(position.hash, changeset) }
      // The acknowledgement of an earlier group goes along, so it needs no write of its own.
      writePosition(captured, delivered)
    },
    deliver: () => {
      const group = captured
      renew()
      if (group === null) return
      position = { seq: group.seq, hash: group.hash }
      outstanding += 1
      const decision = readDecision()
      last = log.append(group).then(() => {
        outstanding -= 1
        deliveredDecision = decision
        delivered = { seq: group.seq, hash: group.hash }
      })
      // Without a caller that waits, a refused group must not end the process; the log itself tells
      // the daemon.
      last.catch(() => undefined)
    },
    discard: renew,
    delivered: () => {
      log.urge()
      return last
    },
    isDelivering: () => outstanding > 0,
    note: () => {
      if (delivered === null) return false
      writePosition(position, delivered)
      delivered = null
      return true
    },
    deliveredDecision: () => deliveredDecision,
  }
}

/** Each hash covers the whole history since the journal joined the log. */
export function nextHash(before: string, changeset: Uint8Array): string {
  return createHash("sha256").update(before).update(changeset).digest("hex")
}

/**
 * The table is append-only, so its rows are numbered in the order of the decisions. Another table's
 * number means nothing here.
 */
const LAST_DECISION = "select max(rowid) as last from secret_decisions"

/** `null`: this journal was never part of a log. */
export function readPosition(db: DatabaseSync): ReplicaPosition | null {
  if (db.prepare("select 1 from sqlite_schema where name = 'replica'").get() === undefined)
    return null
  const row = db.prepare("select seq, hash from replica").get()
  return row === undefined ? null : { seq: Number(row["seq"]), hash: String(row["hash"]) }
}

/**
 * Writes a position; `known` is the last one that the log is known to have, and `null` means no
 * news.
 */
export function preparePosition(
  db: DatabaseSync,
): (position: ReplicaPosition, known: ReplicaPosition | null) => void {
  const put = db.prepare(`update replica set seq = ?, hash = ?,
    acknowledged_seq = coalesce(?, acknowledged_seq),
    acknowledged_hash = coalesce(?, acknowledged_hash)`)
  return ({ seq, hash }, known) => void put.run(seq, hash, known?.seq ?? null, known?.hash ?? null)
}

/** The first hash is random, so that two journals that begin apart never count as the same. */
function createPosition(db: DatabaseSync): ReplicaPosition {
  db.exec(`begin immediate; create table replica (
      seq integer not null, hash text not null, acknowledged_seq integer, acknowledged_hash text,
      system text, timeline integer, synchronous integer) strict;
    insert into replica (seq, hash) values (0, lower(hex(randomblob(32)))); commit`)
  return mustExist(readPosition(db), "the position that was just written")
}
