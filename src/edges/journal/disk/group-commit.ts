import type { DatabaseSync } from "node:sqlite"
import { AppError } from "#lib/app-error.ts"

/**
 * Group commit: the steps until a call waits for them share one transaction and one sync. A step
 * that throws undoes only itself. When the commit of the group fails, none of its steps was
 * written, and `committed` throws for all of them.
 *
 * A step that opens a group throws `journal.write_failed` where another program has the lock of the
 * file.
 *
 * Reads on the same connection see a step at once. Nothing may leave the process because of it
 * before the journal's `durable` has resolved.
 */
export type Group = {
  /** Runs one step. It is in the database when this returns. */
  readonly step: (body: () => void) => void
  /**
   * Resolves when every step so far is committed. Throws `journal.write_failed` (transient) when
   * they were undone.
   */
  readonly committed: () => Promise<void>
  readonly isPending: () => boolean
  /** The number of the open group; `null` when none is open. */
  readonly number: () => number | null
  readonly countRefused: () => number
  /** Why nothing can be written; `null` since the last commit. */
  readonly lastRefusal: () => AppError | null
  /** Commits the open group now; the end of the process does it. */
  readonly flush: () => void
  /**
   * Undoes the open group, as the death of the process would. A call that waits for it gets no
   * answer.
   */
  readonly abandon: () => void
}

type OpenGroup = {
  /** How many steps it has by now. */
  readonly countSteps: () => number
  /** Calls `begin` once, when a call waits for the group. */
  readonly whenWanted: (begin: () => void) => void
}

export type GroupOptions = {
  /** Calls `flush` once, later; the steps until then are one group. */
  readonly schedule: (flush: () => void, group: OpenGroup) => void
  /** A disk that fails in tests: it throws, and the group is undone. */
  readonly beforeCommit?: () => void
  readonly onCommit: () => void
  readonly onFailure: (error: unknown) => void
}

export function createGroup(
  db: DatabaseSync,
  { schedule, beforeCommit, onCommit, onFailure }: GroupOptions,
): Group {
  let isOpen = false
  let groups = 0
  let count = 0
  const refusals = createRefusals()
  const runSavepoint = createSavepoint(db)
  const waits = createWaits()

  function step(body: () => void): void {
    const isFirst = !isOpen
    if (isFirst) {
      beginImmediate(db, refusals)
      isOpen = true
      groups++
      count = 0
      schedule(flush, { countSteps: () => count, whenWanted: waits.whenFirst })
    }
    count++
    runSavepoint(body, (error) => end(writeFailed(error)))
  }

  function flush(): void {
    if (!isOpen) return
    try {
      beforeCommit?.()
      db.exec("commit")
    } catch (error) {
      if (db.isTransaction) db.exec("rollback")
      end(writeFailed(error))
      return
    }
    end(null)
    onCommit()
  }

  function end(failure: AppError | null): void {
    isOpen = false
    refusals.note(failure)
    const tell = waits.end()
    if (failure !== null) onFailure(failure)
    tell(failure)
  }

  function abandon(): void {
    if (db.isTransaction) db.exec("rollback")
    isOpen = false
    waits.end()
  }

  const number = (): number | null => (isOpen ? groups : null)
  const committed = (): Promise<void> => (isOpen ? waits.wait() : Promise.resolve())
  return {
    step,
    committed,
    isPending: () => isOpen,
    number,
    countRefused: refusals.count,
    lastRefusal: refusals.last,
    flush,
    abandon,
  }
}

type Refusals = {
  readonly count: Group["countRefused"]
  readonly last: Group["lastRefusal"]
  readonly note: (failure: AppError | null) => void
  readonly noteBegin: (failure: AppError) => void
}

function createRefusals(): Refusals {
  let count = 0
  let last: AppError | null = null
  return {
    count: () => count,
    last: () => last,
    note: (failure) => {
      if (failure !== null) count++
      last = failure
    },
    noteBegin: (failure) => {
      last = failure
    },
  }
}

/** Another program may hold the lock of the file. */
function beginImmediate(db: DatabaseSync, refusals: Refusals): void {
  try {
    db.exec("begin immediate")
  } catch (error) {
    const failure = writeFailed(error)
    refusals.noteBegin(failure)
    throw failure
  }
}

/**
 * Runs a step that undoes only itself when it throws. `onLost`: after some errors, such as a full
 * disk, SQLite itself undoes the whole transaction.
 */
function createSavepoint(
  db: DatabaseSync,
): (body: () => void, onLost: (error: unknown) => void) => void {
  const savepoint = db.prepare("savepoint step")
  const release = db.prepare("release step")
  return (body, onLost) => {
    savepoint.run()
    try {
      body()
      release.run()
    } catch (error) {
      if (db.isTransaction) db.exec("rollback to step; release step")
      else onLost(error)
      throw error
    }
  }
}

function createWaits(): {
  /** Calls `begin` when the first call waits for the group that opens now. */
  readonly whenFirst: (begin: () => void) => void
  readonly wait: () => Promise<void>
  /** The group has ended. The answer tells the waiting callers; without that they never get one. */
  readonly end: () => (failure: AppError | null) => void
} {
  let waiting: PromiseWithResolvers<void> | null = null
  let noteFirst = (): void => undefined
  return {
    whenFirst: (begin) => {
      noteFirst = begin
    },
    wait: () => {
      if (waiting === null) {
        noteFirst()
        waiting = Promise.withResolvers()
        // Without a caller that waits, a refused group must not end the process.
        waiting.promise.catch(() => undefined)
      }
      return waiting.promise
    },
    end: () => {
      const ended = waiting
      waiting = null
      noteFirst = () => undefined
      return (failure) => (failure === null ? ended?.resolve() : ended?.reject(failure))
    },
  }
}

function writeFailed(cause: unknown): AppError {
  return new AppError({
    code: "journal.write_failed",
    disposition: "transient",
    message:
      "The journal could not be written, so the last steps did not happen; check the disk of " +
      "data_dir",
    cause,
  })
}
