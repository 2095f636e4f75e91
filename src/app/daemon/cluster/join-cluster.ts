import { createAppender } from "#cluster/create-appender.ts"
import { judgeServer, readServer, type Server } from "#cluster/judge-server.ts"
import {
  LEASE_MS,
  type Lease,
  leaseLost,
  proveLease,
  releaseLease,
  renewLease,
  takeLease,
} from "#cluster/lease.ts"
import { forgetStandby, NOTE_MS, noteStandby, type Standby } from "#cluster/members.ts"
import type { ClusterDatabase } from "#cluster/open-cluster-database.ts"
import { readHolder } from "#cluster/read-cluster.ts"
import { registerWallets } from "#cluster/register-wallets.ts"
import type { Reason } from "#domain/reason.ts"
import { readReplica, rememberAcknowledged, rememberServer } from "#journal/disk/replay-groups.ts"
import type { GroupLog } from "#journal/disk/replicate-groups.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { Journal } from "#ports/journal.ts"
import { type ClusterWatch, createClusterWatch } from "./cluster-watch.ts"
import { followLog } from "./follow-log.ts"
import type { publishSnapshot } from "./publish-snapshot.ts"

/** A process that holds the treasury's lease. Its journal is durable only in the log. */
export type Membership = {
  readonly journal: Journal
  /**
   * Asks for the lease, unless the log has acknowledged a write after `since`. Throws
   * `cluster.lease_lost` and `cluster.unreachable`.
   */
  readonly proveLease: (since?: number) => Promise<void>
  /** The present moment, as the number of acknowledgements so far. */
  readonly countProofs: () => number
  /** The reason against new deposits while PostgreSQL does not answer. */
  readonly findLogSilence: () => Reason | null
  readonly registerWallets: (
    ports: readonly { readonly chain: string; readonly account: string }[],
  ) => Promise<void>
  /** Waits for the log, for a while. Groups that are not in it are undone at the next start. */
  readonly drain: () => Promise<void>
  readonly watch: ClusterWatch
  /** The standbys that follow the log now. Throws `cluster.unreachable`. */
  readonly listStandbys: () => Promise<readonly Standby[]>
  /** Ends the lease, so that a standby takes over at once. */
  readonly leave: () => Promise<void>
}

/** The parts of a member that reach beyond its process. A simulation has its own. */
export type MemberHost = {
  /** Names this process among all members. */
  readonly holder: string
  /** A clock that never jumps. */
  readonly monotonicMs: () => number
  readonly openDatabase: (onUnreplicated: () => void) => Promise<ClusterDatabase>
  readonly openJournal: (log: GroupLog) => Journal
  readonly publishSnapshot: typeof publishSnapshot
}

type Parts = {
  readonly host: MemberHost
  readonly treasury: string
  readonly file: string
  readonly version: string
  /** Real money is at stake, so PostgreSQL must have a synchronous standby. */
  readonly isReal: boolean
  readonly clock: Clock
  readonly log: Logger
  /** Long work that a leader needs; it is done before this process asks for the lease. */
  readonly prepare: () => Promise<void>
  /**
   * The leader has missed a renewal, so this standby may lead soon. Called at each poll until the
   * leader renews.
   */
  readonly onMissedRenewal?: () => void
  readonly endProcess: (error: unknown) => void
}

const POLL_MS = 250
const RENEW_MS = 1_000
const DRAIN_MS = 5_000
/** The last acknowledgement is written down so soon, if no further group takes it along. */
const ACKNOWLEDGED_MS = 250
const SILENT_MS = 5_000
const SILENT: Reason = {
  code: "cluster.silent",
  message:
    "PostgreSQL does not answer, so no new deposit begins; refunds and begun redemptions go on",
}
/** Whether the log has grown enough for a new snapshot is asked this often. */
const SNAPSHOT_MS = 10_000

/**
 * Waits for the treasury's lease while the local journal follows the log, then opens the journal as
 * the leader.
 *
 * `serve` runs when another process holds the lease; the function that it returns ends the service.
 */
export async function joinCluster(parts: Parts, serve: Serve): Promise<Membership> {
  const { host, treasury, file, isReal, clock, log } = parts
  const left = new AbortController()
  // The process ends once, and the first reason is the cause.
  const end = (error: unknown): void => {
    if (left.signal.aborted) return
    left.abort()
    parts.endProcess(error)
  }
  const database = await host.openDatabase(() => end(notReplicated()))
  if (!(await readServer(database)).synchronous)
    log.warn({}, "PostgreSQL has no synchronous standby; one disk alone keeps the journal")
  const watch = createClusterWatch(clock)
  await parts.prepare()
  const lease = await waitForLease(parts, { database, watch }, serve)
  watch.heard({ role: "leader", holder: lease.holder, epoch: Number(lease.epoch) })
  const server = judgeServer(readReplica(file)?.server ?? null, await readServer(database), isReal)
  const kept = { database, lease, isReal, clock, log, end, file, signal: left.signal }
  keepLease(kept, watch, server)
  await followLog({ database, treasury, file, log })
  const { monotonicMs } = host
  const judge = async (): Promise<void> =>
    void judgeServer(server, await readServer(database), isReal)
  const appender = createAppender({ database, lease, clock, log, monotonicMs, judge }, end)
  const journal = host.openJournal(appender)
  rememberServer(file, server)
  const publish = (): Promise<void> => host.publishSnapshot(database, lease, file, journal.durable)
  await publish()
  renewSnapshot(kept, publish)
  void repeat(kept, ACKNOWLEDGED_MS, async () => journal.noteAcknowledged(), kept.end)
  const ask = (): Promise<void> =>
    proveLease(database, lease, monotonicMs, judge).catch((error: unknown) => endLead(kept, error))
  await ask()
  log.info({ epoch: lease.epoch, holder: lease.holder }, "This daemon holds the treasury's lease")
  return {
    journal,
    // An append proves the lease too, to each call that was asked for before its acknowledgement
    // (ADR 40).
    proveLease: async (since = Number.POSITIVE_INFINITY) => {
      const { count, untilMs } = appender.proof()
      if (count <= since || host.monotonicMs() >= untilMs) await ask()
    },
    countProofs: () => appender.proof().count,
    findLogSilence: () => (clock.now() - watch.read().answeredMs < SILENT_MS ? null : SILENT),
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

/** The call that asked has not happened, and the next leader goes on with its order. */
function endLead({ lease, end }: Kept, error: unknown): never {
  if (!(error instanceof AppError) || error.disposition !== "hold") throw error
  end(error)
  throw leaseLost(lease)
}

type Serve = (watch: ClusterWatch) => Promise<() => Promise<void>>

async function waitForLease(
  { host: { holder }, treasury, file, version, isReal, clock, log, onMissedRenewal }: Parts,
  { database, watch }: { readonly database: ClusterDatabase; readonly watch: ClusterWatch },
  serve: Serve,
): Promise<Lease> {
  let noted = { seq: -1, atMs: 0 }
  let endService: (() => Promise<void>) | null = null
  let server = readReplica(file)?.server ?? null
  for (;;) {
    let waitMs = POLL_MS
    try {
      server = judgeServer(server, await readServer(database), isReal)
      // The lease comes last, so that a take-over finds little left to replay.
      const position = (await followLog({ database, treasury, file, log })) ?? { seq: 0, hash: "" }
      const lease = await takeLease(database, treasury, holder)
      if (lease !== null) {
        await endService?.()
        await forgetStandby(database, treasury, holder).catch(() => undefined)
        return lease
      }
      const { leftMs, ...leader } = await readHolder(database, treasury)
      // A lease that is not renewed is asked for at its end, and not up to a poll later.
      waitMs = Math.min(POLL_MS, leftMs)
      watch.heard({ seq: position.seq, ...leader })
      if (leftMs < LEASE_MS - 2 * RENEW_MS) onMissedRenewal?.()
      if (position.seq !== noted.seq || Math.abs(clock.now() - noted.atMs) >= NOTE_MS) {
        noted = { seq: position.seq, atMs: clock.now() }
        const isKept = await noteStandby(database, treasury, { holder, version, ...position })
        if (isKept) rememberAcknowledged(file, position)
      }
    } catch (error) {
      // A server in doubt may be replaced by the right one, and a standby overwrites nothing
      // meanwhile.
      if (!(error instanceof AppError)) throw error
      if (error.code !== "cluster.unreachable" && error.disposition !== "hold") throw error
      watch.failed(error)
      log.warn({ err: error }, "The standby cannot follow the log")
    }
    if (endService === null) {
      endService = await serve(watch)
      log.info({ treasury }, "This daemon does not hold the treasury's lease, so it is a standby")
    }
    await clock.sleep(waitMs)
  }
}

type Kept = Pick<Parts, "isReal" | "clock" | "log" | "file"> & {
  readonly database: ClusterDatabase
  readonly lease: Lease
  readonly end: (error: unknown) => void
  readonly signal: AbortSignal
}

/**
 * Renews the lease until the signal. A silent database is asked again: it may answer before the
 * lease ends.
 */
function keepLease(kept: Kept, watch: ClusterWatch, server: Server): void {
  const { database, lease, isReal, log, file } = kept
  let known = server
  const renew = async (): Promise<void> => {
    known = judgeServer(known, await readServer(database), isReal)
    await renewLease(database, lease)
    watch.heard({ seq: readReplica(file)?.position?.seq ?? null })
    await watch.watchStandbys(database, lease.treasury)
  }
  void repeat(kept, RENEW_MS, renew, (error) => {
    if (codeOf(error) !== "cluster.unreachable") return kept.end(error)
    watch.failed(error)
    log.warn({ err: error }, "PostgreSQL did not renew the lease; deposits wait for it")
  })
}

/**
 * A failure changes nothing but the length of the log, so only the loss of the lease ends the
 * process.
 */
function renewSnapshot(kept: Kept, publish: () => Promise<void>): void {
  void repeat(kept, SNAPSHOT_MS, publish, (error) => {
    if (codeOf(error) === "cluster.lease_lost") return kept.end(error)
    kept.log.warn({ err: error }, "The log's snapshot was not renewed; it is tried again")
  })
}

async function repeat(
  { clock, signal }: Kept,
  everyMs: number,
  act: () => Promise<void>,
  onFailed: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    await clock.sleep(everyMs, signal)
    if (signal.aborted) return
    await act().catch((error: unknown) => !signal.aborted && onFailed(error))
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof AppError ? error.code : null
}

function notReplicated(): AppError {
  const message =
    "PostgreSQL ended a commit without its synchronous standby, so the commit may be on one " +
    "machine only; repair the standby"
  return new AppError({ code: "cluster.not_replicated", disposition: "transient", message })
}
