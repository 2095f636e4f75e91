import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { logRestored } from "#cluster/judge-server.ts"
import {
  fetchParts,
  type LogEntry,
  readEntries,
  readSnapshotState,
  type SnapshotState,
} from "#cluster/log.ts"
import type { ClusterDatabase } from "#cluster/open-cluster-database.ts"
import { type ReplicaState, readReplica, replayGroups } from "#journal/disk/replay-groups.ts"
import { refuseOldSchema } from "#journal/schema-version.ts"
import { AppError, type ErrorDetails } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import type { Logger } from "#lib/log.ts"
import type { ReplicaPosition } from "#ports/journal/durability.ts"

type Source = {
  readonly database: ClusterDatabase
  readonly treasury: string
  readonly file: string
  readonly log: Logger
}

const BATCH = 500
const FOREIGN =
  "has orders that the cluster's log does not contain. End them where they were made, then " +
  "move the file away; it is not overwritten"
const NO_LOG =
  "Check that journal names the right database: the journal was part of a log, and " +
  "PostgreSQL has none for treasury"
const DAMAGED =
  "Restore PostgreSQL from a backup: its snapshot is not as its row describes it, for treasury"

/**
 * Brings the local journal to the end of the log, while no daemon has it open. A journal that the
 * log does not contain is set aside and rebuilt from the snapshot: its last groups were never in
 * the log, so nothing has left the process because of them.
 *
 * Returns the position of the copy; `null` when there is no log yet.
 *
 * Throws `journal.version` (fatal) for the log of an older version, before it changes anything,
 * `cluster.foreign_journal` and `cluster.log_missing` (fatal), `cluster.log_restored` (hold) when
 * the log lacks a group that it had, and `cluster.unreachable`.
 */
export async function followLog(source: Source): Promise<ReplicaPosition | null> {
  const { database, treasury, file } = source
  const snapshot = await readSnapshotState(database, treasury)
  if (snapshot !== null)
    refuseOldSchema(snapshot.schema, `the log of treasury ${treasury} in PostgreSQL`)
  const local = readReplica(file)
  if (snapshot === null) {
    const seq = local?.position?.seq ?? 0
    if (seq > 0) throw fatal("cluster.log_missing", `${NO_LOG} ${treasury}`, { treasury, seq })
    return null
  }
  const isUnknown =
    local === null || local.position === null || isForeign(local, local.position, snapshot)
  if (isUnknown && local?.hasOrders)
    throw fatal("cluster.foreign_journal", `${file} ${FOREIGN}`, { file })
  if (!isUnknown) await refuseRestored(source, local, snapshot)
  const isUsable = !isUnknown && local.schema === snapshot.schema
  if (!isUsable) await rebuild(source, snapshot)
  return replay(source, snapshot, (isUsable ? local?.position : null) ?? snapshot)
}

/** An acknowledged group at or after the snapshot is in the log for good. */
async function refuseRestored(
  { database, treasury }: Source,
  { acknowledged }: ReplicaState,
  snapshot: SnapshotState,
): Promise<void> {
  if (acknowledged === null || acknowledged.seq < snapshot.seq) return
  const [found] =
    acknowledged.seq === snapshot.seq
      ? [snapshot]
      : await readEntries(database, treasury, acknowledged.seq - 1, 1)
  if (found?.seq !== acknowledged.seq || found.hash !== acknowledged.hash)
    throw logRestored(treasury, acknowledged.seq)
}

async function replay(
  source: Source,
  snapshot: SnapshotState,
  from: ReplicaPosition,
): Promise<ReplicaPosition | null> {
  const { database, treasury, file, log } = source
  let position = from
  for (;;) {
    const entries = await readFrom(database, treasury, position, snapshot)
    if (entries?.length === 0) return position
    if (entries !== null && fits(file, entries, log)) {
      position = mustExist(entries.at(-1), "the last of the entries")
      continue
    }
    // A copy that was away for long is behind the oldest entry; it lost nothing. The snapshot may
    // be newer than the one that the copy was made of.
    const newest =
      (entries === null ? await readSnapshotState(database, treasury) : null) ?? snapshot
    if (entries === null && position.seq < newest.seq) await rebuild(source, newest)
    else setAside(file, position, log)
    return followLog(source)
  }
}

function fits(file: string, entries: readonly LogEntry[], log: Logger): boolean {
  try {
    replayGroups(file, entries)
    return true
  } catch (error) {
    // A full disk says nothing about the copy, which would otherwise be set aside and fetched anew.
    const fault = findEnvironmentFault(error, file)
    if (fault !== null) throw fault
    log.error({ err: error }, "The local copy of the journal differs from the log")
    return false
  }
}

/**
 * The entries after the position. `null`: the log has something else at the position or after it,
 * or nothing.
 */
async function readFrom(
  database: ClusterDatabase,
  treasury: string,
  { seq, hash }: ReplicaPosition,
  snapshot: ReplicaPosition,
): Promise<readonly LogEntry[] | null> {
  if (seq === snapshot.seq) {
    const next = await readEntries(database, treasury, seq, BATCH)
    return hash === snapshot.hash && (next[0]?.seq ?? seq + 1) === seq + 1 ? next : null
  }
  const [own, ...next] = await readEntries(database, treasury, seq - 1, BATCH)
  return own?.seq === seq && own.hash === hash ? next : null
}

async function rebuild(
  { database, treasury, file, log }: Source,
  snapshot: SnapshotState,
): Promise<void> {
  const part = `${file}.part`
  rmSync(part, { force: true })
  const handle = openSync(part, "wx", 0o600)
  try {
    for await (const bytes of fetchParts(database, treasury, snapshot)) writeSync(handle, bytes)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  const position = readReplica(part)?.position
  if (position?.seq !== snapshot.seq || position.hash !== snapshot.hash)
    throw fatal("cluster.snapshot_damaged", `${DAMAGED} ${treasury}`, { treasury })
  for (const suffix of ["-wal", "-shm", ""]) rmSync(`${file}${suffix}`, { force: true })
  renameSync(part, file)
  log.info({ seq: snapshot.seq }, "The journal was rebuilt from the log's snapshot")
}

function setAside(file: string, { seq, hash }: ReplicaPosition, log: Logger): void {
  const aside = `${file}.discarded-${seq}-${hash.slice(0, 8)}`
  const suffixes = ["", "-wal", "-shm"].filter((suffix) => existsSync(`${file}${suffix}`))
  for (const suffix of suffixes) renameSync(`${file}${suffix}`, `${aside}${suffix}`)
  log.warn(
    { seq, aside },
    "The local journal has groups that the log does not contain; it was set aside",
  )
}

/**
 * At its first position a journal has what it had before it joined, so another hash there is
 * another journal.
 */
function isForeign(
  { hasOrders }: ReplicaState,
  { seq, hash }: ReplicaPosition,
  snapshot: ReplicaPosition,
): boolean {
  return hasOrders && seq === 0 && (snapshot.seq > 0 || hash !== snapshot.hash)
}

function fatal(code: string, message: string, details: ErrorDetails): AppError {
  return new AppError({ code, disposition: "fatal", message, details })
}
