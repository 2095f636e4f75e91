import { readFileSync, rmSync } from "node:fs"
import { hostname } from "node:os"
import { createAppender } from "#cluster/create-appender.ts"
import { type Lease, proveLease, releaseLease, renewLease, takeLease } from "#cluster/lease.ts"
import { putSnapshot, readSnapshotState } from "#cluster/log.ts"
import { forgetStandby, NOTE_MS, noteStandby, type Standby } from "#cluster/members.ts"
import { type ClusterDatabase, hasSynchronousStandby, openClusterDatabase } from "#cluster/open-cluster-database.ts"
import { readHolder } from "#cluster/read-cluster.ts"
import { registerWallets } from "#cluster/register-wallets.ts"
import { backUpJournal } from "#journal/back-up-journal.ts"
import { SCHEMA_VERSION } from "#journal/open-database.ts"
import type { Journal } from "#journal/port.ts"
import { readReplica } from "#journal/replay-groups.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { Secret } from "#lib/secret.ts"
import { type ClusterWatch, createClusterWatch } from "./cluster-watch.ts"
import { followLog } from "./follow-log.ts"
import { openGrouped } from "./open-grouped.ts"

/** A process that holds the treasury's lease. Its journal is durable only in the log. */
export type Membership = {
  readonly journal: Journal
  /** Throws `cluster.lease_lost` and `cluster.unreachable`. */
  readonly proveLease: () => Promise<void>
  readonly registerWallets: (ports: readonly { readonly chain: string; readonly account: string }[]) => Promise<void>
  /** Waits for the log, for a while. Groups that are not in it are undone at the next start. */
  readonly drain: () => Promise<void>
  readonly watch: ClusterWatch
  /** The standbys that follow the log now. Throws `cluster.unreachable`. */
  readonly listStandbys: () => Promise<readonly Standby[]>
  /** Ends the lease, so that a standby takes over at once. */
  readonly leave: () => Promise<void>
}

type Parts = {
  readonly url: Secret
  readonly treasury: string
  readonly file: string
  readonly version: string
  readonly clock: Clock
  readonly log: Logger
  readonly afterCommit?: () => void
  /** Long work that a leader needs; it is done before this process asks for the lease. */
  readonly prepare: () => Promise<void>
  readonly endProcess: (error: unknown) => void
}

const POLL_MS = 250
const RENEW_MS = 1_000
const DRAIN_MS = 5_000
/** A snapshot at a take-over saves the replay of so many groups. */
const SNAPSHOT_AFTER = 5_000

/**
 * Waits for the treasury's lease while the local journal follows the log, then opens the journal as the leader.
 *
 * `serve` runs when another process holds the lease; the function that it returns ends the service.
 */
export async function joinCluster(parts: Parts, serve: Serve): Promise<Membership> {
  const { url, treasury, file, clock, log } = parts
  const end = once(parts.endProcess)
  const database = await openClusterDatabase(url, () => end(notReplicated()))
  if (!(await hasSynchronousStandby(database)))
    log.warn({}, "PostgreSQL has no synchronous standby; the loss of its disk may lose what this daemon has acted on")
  const watch = createClusterWatch(clock)
  await parts.prepare()
  const lease = await waitForLease(parts, { database, watch }, serve)
  const left = new AbortController()
  watch.heard({ role: "leader", holder: lease.holder, epoch: Number(lease.epoch) })
  keepLease({ database, lease, clock, log, end, watch, file }, left.signal)
  await followLog({ database, treasury, file, log })
  const appender = createAppender({ database, lease, clock, log }, end)
  const journal = openGrouped(file, log, parts.afterCommit, appender)
  await publishSnapshot(database, lease, file)
  const prove = (): Promise<void> => proveLease(database, lease, () => performance.now())
  await prove()
  log.info({ epoch: lease.epoch, holder: lease.holder }, "This daemon holds the treasury's lease")
  return {
    journal,
    proveLease: prove,
    watch,
    listStandbys: () => watch.watchStandbys(database, treasury),
    registerWallets: (ports) => registerWallets(database, treasury, ports),
    drain: () => Promise.race([journal.durable().catch(() => undefined), clock.sleep(DRAIN_MS)]),
    leave: async () => {
      left.abort()
      await releaseLease(database, lease).catch(() => undefined)
      await database.close()
    },
  }
}

type Serve = (watch: ClusterWatch) => Promise<() => Promise<void>>

async function waitForLease(
  { treasury, file, version, clock, log }: Parts,
  { database, watch }: { readonly database: ClusterDatabase; readonly watch: ClusterWatch },
  serve: Serve,
): Promise<Lease> {
  const holder = `${hostname()}:${process.pid}`
  let notedMs = Number.NEGATIVE_INFINITY
  let endService: (() => Promise<void>) | null = null
  for (;;) {
    try {
      // The lease comes last, so that a take-over finds little left to replay.
      await followLog({ database, treasury, file, log })
      const lease = await takeLease(database, treasury, holder)
      if (lease !== null) {
        await endService?.()
        await forgetStandby(database, treasury, holder).catch(() => undefined)
        return lease
      }
      const seq = readReplica(file)?.position?.seq ?? 0
      const leader = await readHolder(database, treasury)
      watch.heard({ seq, holder: leader?.holder ?? null, epoch: leader?.epoch ?? null })
      if (clock.now() - notedMs >= NOTE_MS || clock.now() < notedMs) {
        notedMs = clock.now()
        await noteStandby(database, treasury, { holder, version, seq })
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "cluster.unreachable") throw error
      watch.failed(error)
      log.warn({ err: error }, "The standby cannot read the log")
    }
    if (endService === null) {
      endService = await serve(watch)
      log.info({ treasury }, "Another daemon holds the treasury's lease; this one is a standby")
    }
    await clock.sleep(POLL_MS)
  }
}

type Kept = {
  readonly database: ClusterDatabase
  readonly lease: Lease
  readonly clock: Clock
  readonly log: Logger
  readonly end: (error: unknown) => void
  readonly watch: ClusterWatch
  readonly file: string
}

/** Renews the lease until the signal. A silent database is asked again: it may answer before the lease ends. */
async function keepLease({ database, lease, clock, log, end, watch, file }: Kept, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(RENEW_MS, signal)
    if (signal.aborted) return
    try {
      await renewLease(database, lease)
      watch.heard({ seq: readReplica(file)?.position?.seq ?? null })
      await watch.watchStandbys(database, lease.treasury)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof AppError) || error.code !== "cluster.unreachable") return end(error)
      watch.failed(error)
      log.warn({ err: error }, "PostgreSQL did not renew the lease; deposits wait for it")
    }
  }
}

/** A new schema needs a snapshot before its first group; a long log gets one. */
async function publishSnapshot(database: ClusterDatabase, lease: Lease, file: string): Promise<void> {
  const known = await readSnapshotState(database, lease.treasury)
  const position = present(readReplica(file)?.position, "the position of an open journal")
  const isRecent = known !== null && position.seq - known.seq < SNAPSHOT_AFTER
  if (isRecent && known.schema === SCHEMA_VERSION) return
  const copy = `${file}.snapshot`
  rmSync(copy, { force: true })
  try {
    backUpJournal(file, copy)
    await putSnapshot(database, lease, { ...position, schema: SCHEMA_VERSION, journal: readFileSync(copy) })
  } finally {
    rmSync(copy, { force: true })
  }
}

/** The process ends once, and the first reason is the cause. */
function once(end: (error: unknown) => void): (error: unknown) => void {
  let isEnded = false
  return (error) => {
    if (isEnded) return
    isEnded = true
    end(error)
  }
}

function notReplicated(): AppError {
  return new AppError({
    code: "cluster.not_replicated",
    disposition: "transient",
    message:
      "PostgreSQL ended a commit without its synchronous standby, so the commit may be on one machine only; repair the standby",
  })
}
