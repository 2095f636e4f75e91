import { closeSync, openSync, readSync, rmSync } from "node:fs"
import { isMainThread, Worker, workerData } from "node:worker_threads"
import type { Lease } from "#cluster/lease.ts"
import { PART_BYTES, putSnapshot, readSnapshotState } from "#cluster/log.ts"
import type { ClusterDatabase } from "#cluster/open-cluster-database.ts"
import { backUpJournal } from "#journal/disk/back-up-journal.ts"
import { readReplica } from "#journal/disk/replay-groups.ts"
import { SCHEMA_VERSION } from "#journal/schema-version.ts"
import { mustExist } from "#lib/assert.ts"

/** A snapshot saves the replay of so many groups. */
const SNAPSHOT_AFTER = 5_000

type Task = { readonly snapshot: true; readonly file: string; readonly copy: string }

/**
 * Puts the present journal into the log if the log has grown by `after` groups since its snapshot,
 * or if the snapshot has another schema.
 *
 * A second thread makes the copy, because a large one takes longer than the lease lasts.
 * `delivered` resolves when each group of the journal is in the log.
 */
export async function publishSnapshot(
  database: ClusterDatabase,
  lease: Lease,
  file: string,
  delivered: () => Promise<void>,
  after = SNAPSHOT_AFTER,
  copyJournal: (file: string, copy: string) => Promise<void> = copyApart,
): Promise<void> {
  const known = await readSnapshotState(database, lease.treasury)
  const seq = mustExist(readReplica(file)?.position, "the position of an open journal").seq
  if (known !== null && known.schema === SCHEMA_VERSION && seq - known.seq < after) return
  const copy = `${file}.snapshot`
  rmSync(copy, { force: true })
  try {
    await copyJournal(file, copy)
    const position = mustExist(readReplica(copy)?.position, "the position of the copy")
    // A group that the log lacks may never get into it, and then the next leader's groups do not
    // follow from this snapshot.
    await delivered()
    await putSnapshot(database, lease, { ...position, schema: SCHEMA_VERSION }, readParts(copy))
  } finally {
    rmSync(copy, { force: true })
  }
}

function* readParts(file: string): Generator<Uint8Array> {
  const handle = openSync(file, "r")
  try {
    for (;;) {
      const bytes = new Uint8Array(PART_BYTES)
      const length = readSync(handle, bytes)
      if (length === 0) return
      yield bytes.subarray(0, length)
    }
  } finally {
    closeSync(handle)
  }
}

function copyApart(file: string, copy: string): Promise<void> {
  const task: Task = { snapshot: true, file, copy }
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: task, execArgv: [] })
    thread.once("error", reject)
    thread.once("exit", () => resolve())
  })
}

/** The second thread's part. Threads of other files may load this one too. */
// CAST: `copyApart` wrote it, or another file's thread has other data.
const task = isMainThread ? null : (workerData as Partial<Task> | null)
if (task?.snapshot === true && task.file !== undefined && task.copy !== undefined)
  backUpJournal(task.file, task.copy)
