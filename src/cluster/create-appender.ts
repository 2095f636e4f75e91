import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { type Lease, leaseLost, type Proof } from "./lease.ts"
import { appendEntries, type LogEntry, renewAndReadLog } from "./log.ts"
import type { ClusterDatabase } from "./open-cluster-database.ts"

/**
 * `append` resolves when the entry is in the log. It never resolves after `onLost` was called. Each acknowledged statement proved the lease in its own transaction;
 * `countProofs` numbers them.
 */
export type Appender = {
  readonly append: (entry: LogEntry) => Promise<void>
  readonly countProofs: () => number
  readonly lastProof: () => Proof | null
}

type Parts = {
  readonly database: ClusterDatabase
  readonly lease: Lease
  readonly clock: Clock
  readonly log: Logger
  /** A clock that never jumps. */
  readonly monotonicMs: () => number
}

type Queued = { readonly entry: LogEntry; readonly done: () => void }

const MAX_BATCH = 100
const RETRY_MS = 200

/**
 * Sends entries to the log in order. The entries that wait while a statement runs share the next one.
 *
 * `onLost` is called once, when the database refuses the lease or has another entry in our place. Nothing may leave the process after that.
 */
export function createAppender(
  { database, lease, clock, log, monotonicMs }: Parts,
  onLost: (error: unknown) => void,
): Appender {
  const queue: Queued[] = []
  let isRunning = false
  let proofs: { readonly count: number; readonly last: Proof | null } = { count: 0, last: null }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, MAX_BATCH)
      await appendSurely(batch.map(({ entry }) => entry))
      queue.splice(0, batch.length)
      for (const { done } of batch) done()
    }
    isRunning = false
  }

  /** Returns when all entries are in the log. Throws `cluster.lease_lost`. */
  async function appendSurely(entries: readonly LogEntry[]): Promise<void> {
    for (;;) {
      try {
        const sentMs = monotonicMs()
        const leftMs = await appendEntries(database, lease, entries)
        if (leftMs !== null) {
          proofs = { count: proofs.count + 1, last: { sentMs, leftMs } }
          return
        }
      } catch (error) {
        log.warn({ err: error }, "An append to the log has an unknown outcome; it is settled by reading the log")
        if (await settle(entries)) return
        continue
      }
      throw leaseLost(lease)
    }
  }

  /** Whether the entries are in the log, once the database answers. */
  async function settle(entries: readonly LogEntry[]): Promise<boolean> {
    for (;;) {
      await clock.sleep(RETRY_MS)
      try {
        const stored = await renewAndReadLog(database, lease, (entries[0]?.seq ?? 0) - 1, entries.length)
        if (stored.length === 0) return false
        if (entries.every(({ seq, hash }, at) => stored[at]?.seq === seq && stored[at]?.hash === hash)) return true
        throw leaseLost(lease)
      } catch (error) {
        if (error instanceof AppError && error.code === "cluster.lease_lost") throw error
      }
    }
  }

  return {
    append: (entry) =>
      new Promise((done) => {
        queue.push({ entry, done })
        if (isRunning) return
        isRunning = true
        run().catch(onLost)
      }),
    countProofs: () => proofs.count,
    lastProof: () => proofs.last,
  }
}
