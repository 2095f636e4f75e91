import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { LEASE_MS } from "#cluster/lease.ts"
import type { Membership } from "#daemon/cluster/join-cluster.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { LoggedGroup } from "#ports/journal/durability.ts"
import { wrapCalls } from "../../../support/wrap-port.ts"
import { type Violation, violation } from "../checker.ts"
import type { FaultKind } from "../fault-kinds.ts"
import type { HostDeps, ProcessHost } from "../process-host.ts"
import type { Random } from "../random.ts"
import { startDaemon } from "../simulated-world.ts"
import { injectClusterFault } from "./cluster-faults.ts"
import { createCallJudge } from "./judge-calls.ts"
import {
  createMachine,
  type Machine,
  type MachineDeps,
  type Process,
  startProcess,
  thaw,
} from "./machine.ts"
import { createSimulatedServers } from "./simulated-servers.ts"
import type { Tables } from "./tables.ts"

type Deps = HostDeps & {
  readonly random: Random
  readonly synchronous: boolean
  /** Leaders die while a server carries out their append. */
  readonly lateAppends: boolean
  readonly report: (violations: readonly Violation[]) => void
}

/** A new snapshot comes early, so that copies behind it are met too. */
const SNAPSHOT_AFTER = 150
/**
 * With late appends, the leader dies during this share of them. The append goes on when the lease
 * has changed hands, and at the latest after this time.
 */
const LATE = { chance: 0.01, mostMs: 2 * LEASE_MS }
/**
 * The servers' clock passes at most so much of a long step of the quiet time, so that no lease ends
 * in it.
 */
const QUIET_MS = 1_000

/** Two machines with a daemon each, and two servers. `live` is the daemon that leads. */
export function createClusterHost(deps: Deps): ProcessHost {
  const { world, counts, script, random, isHostile, report } = deps
  const { clock, log } = world
  const folder = mkdtempSync(join(process.env["BALLAST_SIM_DIR"] ?? tmpdir(), "ballast-cluster-"))
  const machines = ["a", "b"].map((name) => createMachine(folder, name)) as [Machine, Machine]
  const ids = { order: 0, nonce: 0 }
  const counters = { lives: 0, terms: 0 }
  /** The process that took the lease last, alive or not. */
  let leading: Process | null = null
  let calling: { readonly process: Process; readonly isAlone: boolean } | null = null
  let quiet: { serverMs: number } | null = null
  /** Reports of groups that are not in the log yet, by their number. */
  const held = new Map<
    number,
    { readonly hash: string; readonly process: Process; readonly tells: (() => void)[] }[]
  >()
  /** The hashes of the groups that were reported. */
  const told = new Map<number, string>()
  const acknowledged: LoggedGroup[] = []
  /** The hashes of all groups that the log has had, also of those that a snapshot replaced. */
  const logged = new Map<string, string>()
  /** Ends the waiting of each late append. */
  const late: (() => void)[] = []
  const servers = createSimulatedServers({
    now: () => quiet?.serverMs ?? clock.now(),
    synchronous: deps.synchronous,
    stall: async () => {
      if (rate() > 0 && random.chance(rate())) await clock.sleep(random.below(10_000))
      if (!deps.lateAppends || rate() === 0 || leading === null || !random.chance(LATE.chance))
        return
      end(leading, "killed during an append")
      const taken = new Promise<void>((goOn) => late.push(goOn))
      await Promise.race([taken, clock.sleep(LATE.mostMs)])
    },
    onCommit: (tables) => {
      if ((tables.lease.get("t")?.epoch ?? 0) > (leading?.epoch ?? 0))
        for (const goOn of late.splice(0)) goOn()
      report(checks.onCommit(tables))
      // A commit of the former primary is on no second server after its wait was cancelled.
      if (tables === servers.tables()) tellLogged(servers.kept())
    },
  })
  const rate = (): number => (isHostile() && quiet === null ? 0.001 : 0)
  const checks = createCallJudge({ clock, servers, acknowledged })

  /**
   * Reports the groups that are in the log. A snapshot has no others, and the log has had its
   * groups before it.
   */
  function tellLogged({ log: rows }: Tables): void {
    for (const [key, { hash }] of rows) logged.set(key, hash)
    for (const [seq, groups] of [...held].sort(([one], [other]) => one - other)) {
      const row = rows.get(`t/${seq}`)
      if (row === undefined) continue
      held.delete(seq)
      // Two machines may have made the same group, to the last byte, also one after the other, and
      // the log has it once.
      if (told.get(seq) === row.hash) continue
      told.set(seq, row.hash)
      for (const tell of groups.find(({ hash }) => hash === row.hash)?.tells ?? []) tell()
    }
  }

  function end(process: Process, how: string): void {
    if (!process.isAlive) return
    process.isAlive = false
    log.add(process.machine.name, "ends", how)
    process.daemon?.stop()
    const { journal } = process
    if (journal !== null) {
      if (leading === process) world.lead(null)
      journal.abandon()
      journal.close()
    }
    process.machine.restartAtMs =
      clock.now() + (quiet === null ? script.pick([0, 0, 1_000, 20_000]) : 0)
  }

  const machineDeps: MachineDeps = {
    world,
    servers,
    random,
    rate,
    snapshotAfter: SNAPSHOT_AFTER,
    onAcknowledged: (group) => acknowledged.push(group),
    onLead: lead,
    onEnd: (process, error) => {
      if (process.isAlive && !isExpected(error)) report([violation("a member runs", String(error))])
      end(process, error instanceof AppError ? error.code : String(error))
    },
  }

  function lead(process: Process, membership: Membership, memberClock: Clock): void {
    counters.terms++
    process.asks = counters.terms % 2 === 0
    log.add(process.machine.name, "leads", `epoch ${process.epoch}`)
    leading = process
    const journal = mustExist(process.journal, "the journal of a member")
    world.lead(journal)
    if (!deps.mayStart()) {
      end(process, "the run is over")
      return
    }
    deps.onStart(memberClock.now())
    report(checks.onLead(process))
    const faults = {
      clock,
      log,
      random: deps.network,
      profile: deps.profile,
      isHostile,
      outage: (port: string) => findCut(process.machine, world, port) ?? deps.outage(port),
      isTargeted: deps.isTargeted,
      countFault: counts.countFault,
      countLie: counts.countLie,
      onCall: (port: string, method: string, args: readonly unknown[]) => {
        report(checks.onCall(process, method, args))
        calling = { process, isAlone: checks.isAlone(process, method, args) }
        try {
          deps.onCall(port, method, args)
        } finally {
          calling = null
        }
      },
    }
    process.daemon = startDaemon(world, {
      random: deps.disk,
      nodes: deps.nodes,
      profile: deps.profile,
      recorder: deps.recorder,
      bug: deps.bug,
      issuer: deps.issuer,
      isFirstLife: counters.terms === 1,
      ids,
      rules: deps.rules(),
      standing: deps.standing(),
      configuration: deps.configuration,
      faults,
      onStep: deps.onStep,
      onWrite: deps.onWrite,
      onPoll: deps.onPoll,
      onEngineEnd: deps.onEngineEnd,
      onDeath: (how: FaultKind) => {
        counts.countKill()
        end(process, how)
      },
      place: {
        journal,
        clock: memberClock,
        proveLease: membership.proveLease,
        // Every second leader asks for the lease before each call.
        ...(process.asks ? {} : { countProofs: membership.countProofs }),
        watch: (watcher) => {
          process.watcher = watcher
        },
        hold: (tell) => hold(process, tell),
        freeze: (port) => freezePort(port, process, clock),
      },
    })
  }

  function hold(process: Process, tell: () => void): void {
    const group = process.newest
    // A group that changed nothing counts together with the one before it.
    const isEmpty = process.sent === null
    process.sent = null
    if (group === null || (isEmpty && isInLog(group))) {
      tell()
      return
    }
    const others = held.get(group.seq) ?? []
    const own = others.find((one) => one.process === process && one.hash === group.hash)
    if (own !== undefined) own.tells.push(tell)
    else held.set(group.seq, [...others, { hash: group.hash, process, tells: [tell] }])
  }

  function isInLog({ seq, hash }: LoggedGroup): boolean {
    const known = logged.get(`t/${seq}`)
    return known === undefined
      ? (servers.tables().snapshot.get("t")?.seq ?? 0) >= seq
      : known === hash
  }

  function startDue(): void {
    for (const machine of machines) {
      if (machine.process?.isAlive || clock.now() < machine.restartAtMs || !deps.mayStart())
        continue
      log.add(machine.name, "starts")
      startProcess(machine, ++counters.lives, machineDeps)
    }
  }

  const leader = (): Process | null =>
    leading?.isAlive && leading.daemon !== null && leading.wake === null ? leading : null

  return {
    live: () => leader()?.daemon ?? null,
    isRunning: () => leader() !== null,
    stop: () => {
      for (const { process } of machines) if (process) end(process, "stopped")
    },
    startNow: () => {
      for (const machine of machines) machine.restartAtMs = 0
    },
    turn: () => {
      if (quiet !== null) quiet.serverMs += QUIET_MS
      startDue()
      report(checks.onTurn())
      if (!isHostile() || quiet !== null) return
      const isBusy = deps.profile.mode === "busy"
      injectClusterFault({
        machines,
        servers,
        random,
        clock,
        log,
        end,
        leader: leader()?.machine ?? null,
        isBusy,
      })
    },
    rest: () => {
      // Set back here, the servers' clock would keep the lease of a dead leader through most of the
      // quiet time.
      quiet = { serverMs: servers.nowMs() }
      servers.shiftClock(0)
      servers.dropFormer()
      servers.join()
      for (const machine of machines) {
        machine.cuts.clear()
        machine.isAtFormer = false
        machine.skewMs = 0
        if (machine.process) thaw(machine.process, clock.now())
      }
      // One machine is enough for the rest, and polls of the other one take time.
      const [idle] = machines.filter(({ process }) => process?.daemon == null).slice(0, 1)
      if (idle === undefined) return
      if (idle.process) end(idle.process, "switched off")
      idle.restartAtMs = Number.POSITIVE_INFINITY
    },
    isCallOfFormer: () => calling !== null && calling.process !== leading,
    isCallAlone: () => calling?.isAlone === true,
    takeOvers: () => Math.max(0, counters.terms - 1),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The errors that end a daemon for good reasons; its supervisor starts it again. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code.startsWith("cluster.") || error.code === "journal.replica_diverged")
  )
}

/** A cut loses each request to its other side. */
function findCut({ cuts }: Machine, { nodes }: HostDeps["world"], port: string): FaultKind | null {
  if (port === "disk") return null
  const isChain = [...nodes.keys()].some((chain) => chain === port)
  return cuts.has(isChain ? "chains" : "service") ? "request lost" : null
}

/**
 * The calls of a frozen process begin, and its answers arrive, when it goes on. A call that waits
 * here had its proof before, if it had one; a call after an answer that is read late does not wait
 * here.
 */
function freezePort<Port extends object>(port: Port, process: Process, { now }: Clock): Port {
  const { gate } = process
  return wrapCalls(port, (method, call) => {
    if (SYNCHRONOUS.has(method)) return call
    return async (...args) => {
      const isProven = process.wake !== null && process.provenAtMs === now()
      await gate()
      try {
        process.isLate = isProven
        // It reaches the judge before it returns.
        const answer = call(...args)
        process.isLate = false
        return await answer
      } finally {
        await gate()
      }
    }
  })
}

const SYNCHRONOUS = new Set(["isAddress", "sameAddress", "decodeDeposit", "checkDestination"])
