import { join } from "node:path"
import type { ClusterDatabase } from "#cluster/open-cluster-database.ts"
import { joinCluster, type Membership } from "#daemon/cluster/join-cluster.ts"
import { publishSnapshot } from "#daemon/cluster/publish-snapshot.ts"
import { backUpJournal } from "#journal/disk/back-up-journal.ts"
import { openJournal, type SqliteJournal } from "#journal/sqlite-journal.ts"
import type { Clock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import type { LoggedGroup } from "#ports/journal/durability.ts"
import { never } from "../../../support/faults.ts"
import { cacheReads } from "../cache-reads.ts"
import type { GroupWatcher } from "../crashing-journal.ts"
import type { Random } from "../random.ts"
import { type Daemon, type SimulatedWorld, scheduleGroups } from "../simulated-world.ts"
import { openLink } from "./open-link.ts"
import type { SimulatedServers } from "./simulated-servers.ts"

export type Place = "database" | "chains" | "service"

export type Machine = {
  readonly name: string
  readonly file: string
  skewMs: number
  /** The places that nothing reaches from here, and that do not reach this machine. */
  readonly cuts: Set<Place>
  /** It reaches the former primary in place of the new one. */
  isAtFormer: boolean
  restartAtMs: number
  process: Process | null
}

/** A process of a daemon: first a standby, then perhaps the leader. */
export type Process = {
  readonly machine: Machine
  isAlive: boolean
  membership: Membership | null
  /** The journal of its membership, which dies with the process. */
  journal: SqliteJournal | null
  daemon: Daemon | null
  epoch: number
  /** It asks for the lease before each call, and then only the answer is a proof. */
  asks: boolean
  /** True times; negative for never. */
  frozenAtMs: number
  thawedAtMs: number
  heldAtMs: number
  provenAtMs: number
  /** The present call had its proof before the process stood still. */
  isLate: boolean
  answeredAtMs: number
  /**
   * Since then appends and questions for the lease are without an answer; `null` after an answer to
   * one.
   */
  unprovenSinceMs: number | null
  watcher: GroupWatcher | null
  /** The group that was sent to the log last. */
  sent: LoggedGroup | null
  /** The newest group of this process. */
  newest: LoggedGroup | null
  wake: (() => void) | null
  readonly gate: () => Promise<void>
}

export type MachineDeps = {
  readonly world: SimulatedWorld
  readonly servers: SimulatedServers
  readonly random: Random
  readonly rate: () => number
  /** The log has acknowledged the group to its leader. */
  readonly onAcknowledged: (group: LoggedGroup) => void
  readonly onLead: (process: Process, membership: Membership, clock: Clock) => void
  readonly onEnd: (process: Process, error: unknown) => void
  /** Groups until the next snapshot. */
  readonly snapshotAfter: number
}

export function createMachine(folder: string, name: string): Machine {
  return {
    name,
    file: join(folder, `${name}.db`),
    skewMs: 0,
    cuts: new Set(),
    isAtFormer: false,
    restartAtMs: 0,
    process: null,
  }
}

export function freeze(process: Process, nowMs: number): void {
  if (process.wake !== null) return
  process.frozenAtMs = nowMs
  process.wake = () => undefined
}

export function thaw(process: Process, nowMs: number): void {
  const { wake } = process
  if (wake === null) return
  process.wake = null
  process.thawedAtMs = nowMs
  wake()
}

/** Starts the daemon's process: it follows the log and leads as soon as it gets the lease. */
export function startProcess(machine: Machine, lives: number, deps: MachineDeps): Process {
  const { world } = deps
  const process: Process = {
    machine,
    isAlive: true,
    membership: null,
    journal: null,
    daemon: null,
    epoch: 0,
    watcher: null,
    sent: null,
    newest: null,
    wake: null,
    asks: false,
    isLate: false,
    unprovenSinceMs: null,
    frozenAtMs: -1,
    thawedAtMs: -1,
    heldAtMs: Number.NEGATIVE_INFINITY,
    provenAtMs: -1,
    answeredAtMs: world.clock.now(),
    gate: () => passGate(process),
  }
  machine.process = process
  const clock: Clock = {
    now: () => world.daemonClock.now() + machine.skewMs,
    sleep: async (ms, signal) => {
      await world.clock.sleep(ms, signal)
      await process.gate()
    },
  }
  joinCluster(
    {
      treasury: "t",
      file: machine.file,
      version: "1",
      isReal: false,
      clock,
      log: silentLogger,
      prepare: async () => undefined,
      endProcess: (error) => deps.onEnd(process, error),
      host: {
        holder: `${machine.name}:${lives}`,
        monotonicMs: world.clock.now,
        openDatabase: async (onUnreplicated) => connect(process, deps, onUnreplicated),
        openJournal: (log) => openMemberJournal(process, deps, log),
        publishSnapshot: (database, lease, file, delivered) => {
          process.epoch = Number(lease.epoch)
          return publishSnapshot(
            database,
            lease,
            file,
            delivered,
            deps.snapshotAfter,
            async (from, to) => {
              backUpJournal(from, to)
            },
          )
        },
      },
    },
    async () => async () => undefined,
  ).then(
    (membership) => {
      if (!process.isAlive) return
      process.membership = membership
      deps.onLead(process, membership, clock)
    },
    (error: unknown) => deps.onEnd(process, error),
  )
  return process
}

/** Resolves while the process runs; later while it is frozen; never when it is dead. */
async function passGate(process: Process): Promise<void> {
  while (process.isAlive && process.wake !== null) {
    const before = process.wake
    await new Promise<void>((resolve) => {
      process.wake = () => {
        before()
        resolve()
      }
    })
  }
  if (!process.isAlive) await never()
}

function connect(process: Process, deps: MachineDeps, onUnreplicated: () => void): ClusterDatabase {
  const { world, servers, random, rate } = deps
  const standStill = (factor = 1): void => {
    if (rate() === 0 || !random.chance(rate() * factor)) return
    freeze(process, world.clock.now())
    void world.clock
      .sleep(1_000 + random.below(30_000))
      .then(() => thaw(process, world.clock.now()))
  }
  return openLink({
    servers,
    random,
    rate,
    onUnreplicated,
    gate: process.gate,
    clock: world.clock,
    isCut: () => process.machine.cuts.has("database"),
    isAtFormer: () => process.machine.isAtFormer,
    onAnswer: (sql, tookMs) => {
      process.answeredAtMs = world.clock.now()
      // An answer counts for a second from its question on.
      // A proof counts once the server was read after it: it may no longer wait for a standby.
      if (isReadOfServer(sql) && process.answeredAtMs - process.heldAtMs < 1_000) {
        process.provenAtMs = process.answeredAtMs
        // A process can stand still between the proof and its call.
        standStill()
      }
      if (!isProof(sql) || tookMs >= 1_000) return
      process.unprovenSinceMs = null
      if (process.asks && isAppend(sql)) return
      process.heldAtMs = process.answeredAtMs
    },
    // It can also read the answer of an append much later.
    onSent: (sql) => {
      if (isProof(sql)) process.unprovenSinceMs ??= world.clock.now()
      if (isAppend(sql)) standStill(5)
    },
  })
}

function isProof(sql: string): boolean {
  return sql.includes("left_ms")
}

function isReadOfServer(sql: string): boolean {
  return sql.includes("pg_control_system")
}

function isAppend(sql: string): boolean {
  return sql.includes("insert into ballast.log")
}

function openMemberJournal(
  process: Process,
  { world, onAcknowledged }: MachineDeps,
  log: Parameters<Parameters<typeof joinCluster>[0]["host"]["openJournal"]>[0],
): ReturnType<typeof cacheReads> {
  const journal = cacheReads(
    openJournal(process.machine.file, {
      groupLog: {
        ...log,
        append: (group) => {
          process.sent = group
          process.newest = group
          return log.append(group).then(() => onAcknowledged(group))
        },
      },
      group: {
        // A process that is frozen or dead writes nothing.
        schedule: scheduleGroups({
          sleep: (ms, signal) => world.clock.sleep(ms, signal).then(process.gate),
        }),
        beforeCommit: () => process.watcher?.beforeCommit(),
        onCommit: () => {
          process.watcher?.onCommit()
          world.groups.onCommit()
        },
        onFailure: () => {
          journal.abandon()
          process.watcher?.onFailure()
        },
      },
    }),
  )
  process.journal = journal
  return journal
}
