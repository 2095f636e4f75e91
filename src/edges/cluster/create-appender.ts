import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { type Lease, leaseLost } from "./lease.ts"
import { appendEntries, type LogEntry, renewAndReadLog } from "./log.ts"
import type { ClusterDatabase } from "./open-cluster-database.ts"

/**
 * `append` resolves when the entry is in the log. It never resolves after `onLost` was called.
 * `urge`: a caller waits for the entries so far.
 */
type Appender = { append(entry: LogEntry): Promise<void>; urge(): void; proof(): Proof }

/**
 * Each acknowledged statement proved the lease in its own transaction. `untilMs`: until then the
 * last one counts, from before it was sent.
 */
type Proof = { readonly count: number; readonly untilMs: number }

/** `monotonicMs` never jumps. */
type Parts = {
  database: ClusterDatabase
  lease: Lease
  clock: Clock
  log: Logger
  monotonicMs: () => number
  /**
   * Throws where the server no longer waits for a standby. Asked after each commit: when the names
   * of the standbys are removed, the server ends the waits without a word.
   */
  judge: () => Promise<void>
}

type Queued = { readonly entry: LogEntry; readonly done: () => void }

const MAX_BATCH = 100
/**
 * Entries that no caller waits for are gathered so long, because each statement waits for the disks
 * of two servers.
 */
const GATHER_MS = 20
const RETRY_MS = 200

/**
 * Sends entries to the log in order. The entries that wait while a statement runs, or that no
 * caller waits for yet, share the next one.
 *
 * `onLost` is called once, when the database refuses the lease or has another entry in our place.
 * Nothing may leave the process after that.
 */
export function createAppender(parts: Parts, onLost: (error: unknown) => void): Appender {
  const { clock } = parts
  const queue: Queued[] = []
  let isRunning = false
  let sending = 0
  let urged = new AbortController()
  let proof: Proof = { count: 0, untilMs: Number.NEGATIVE_INFINITY }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      await clock.sleep(GATHER_MS, urged.signal)
      const batch = queue.slice(0, MAX_BATCH)
      sending = batch.length
      if (sending === queue.length) urged = new AbortController()
      const entries = batch.map(({ entry }) => entry)
      const untilMs = await appendSurely(parts, entries)
      proof = { count: proof.count + 1, untilMs }
      queue.splice(0, sending)
      sending = 0
      for (const { done } of batch) done()
    }
    isRunning = false
  }

  return {
    append: (entry) =>
      new Promise((done) => {
        queue.push({ entry, done })
        if (isRunning) return
        isRunning = true
        run().catch(onLost)
      }),
    // The caller of an entry that is being sent waits for its answer, and the entries after it have
    // time.
    urge: () => queue.length > sending && urged.abort("urged"),
    proof: () => proof,
  }
}

/**
 * Returns when all entries are in the log. The answer is the time until which that proves the
 * lease; an append that was settled later proves nothing. Throws `cluster.lease_lost`.
 */
async function appendSurely(parts: Parts, entries: readonly LogEntry[]): Promise<number> {
  const { database, lease, log, monotonicMs } = parts
  for (;;) {
    const sentMs = monotonicMs()
    try {
      const leftMs = await appendEntries(database, lease, entries)
      await parts.judge()
      if (leftMs !== null) return sentMs + leftMs
    } catch (error) {
      if (endsLead(error)) throw error
      log.warn({ err: error }, "An append has an unknown outcome; the log is read to settle it")
      if (await settle(parts, entries)) return Number.NEGATIVE_INFINITY
      continue
    }
    throw leaseLost(lease)
  }
}

/** Whether the entries are in the log, once the database answers. */
async function settle(
  { database, lease, clock, judge }: Parts,
  entries: readonly LogEntry[],
): Promise<boolean> {
  for (;;) {
    await clock.sleep(RETRY_MS)
    try {
      const before = (entries[0]?.seq ?? 0) - 1
      const stored = await renewAndReadLog(database, lease, before, entries.length)
      await judge()
      if (stored.length === 0) return false
      const isOurs = ({ seq, hash }: LogEntry, at: number): boolean =>
        stored[at]?.seq === seq && stored[at]?.hash === hash
      if (entries.every(isOurs)) return true
      throw leaseLost(lease)
    } catch (error) {
      if (endsLead(error)) throw error
    }
  }
}

function endsLead(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  return error.disposition === "hold" || error.code === "cluster.lease_lost"
}
