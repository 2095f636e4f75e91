import type { Adversary } from "./adversary/adversary.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { FaultProfile } from "./fault-profile.ts"
import type { FaultyPortDeps } from "./faulty-port.ts"
import type { Issuer } from "./issuer.ts"
import type { PlantedBug } from "./planted-bugs.ts"
import type { Random } from "./random.ts"
import type { RunCounts } from "./run-counts.ts"
import type { SignatureRecorder } from "./signature-recorder.ts"
import {
  type Daemon,
  type DaemonOptions,
  type SimulatedWorld,
  startDaemon,
} from "./simulated-world.ts"

/**
 * The machine that the daemon runs on: it starts a new process some time after the old one died.
 */
export type ProcessHost = {
  /** The running process. Starts a new one if the restart time has come; `null` while none runs. */
  readonly live: () => Daemon | null
  /** Whether a process runs; starts none. */
  readonly isRunning: () => boolean
  readonly stop: () => void
  /** A dead process restarts without a further delay. */
  readonly startNow: () => void
  /** A turn of the world passes; only a cluster has faults of its own in it. */
  readonly turn?: () => void
  /** No more faults, and one machine is enough. */
  readonly rest?: () => void
  readonly takeOvers?: () => number
  /** The present call is made by a daemon that does not lead any more. */
  readonly isCallOfFormer?: () => boolean
  /** The present call leaves without the log, as ADR 37 allows. */
  readonly isCallAlone?: () => boolean
  readonly close?: () => void
}

export type HostDeps = {
  readonly world: SimulatedWorld
  readonly profile: FaultProfile
  readonly recorder: SignatureRecorder
  readonly bug: PlantedBug | null
  readonly adversary: Adversary | null
  readonly issuer: Issuer | null
  readonly disk: Random
  readonly network: Random
  readonly nodes: Random
  readonly script: Random
  readonly counts: RunCounts
  readonly isHostile: () => boolean
  readonly outage: FaultyPortDeps["outage"]
  readonly isTargeted: FaultyPortDeps["isTargeted"]
  readonly onCall: FaultyPortDeps["onCall"]
  readonly onStep: DaemonOptions["onStep"]
  readonly onWrite: DaemonOptions["onWrite"]
  readonly onPoll: DaemonOptions["onPoll"]
  readonly onEngineEnd: DaemonOptions["onEngineEnd"]
  readonly mayStart: () => boolean
  /** A process starts, at this time of its machine. */
  readonly onStart: (machineMs: number) => void
  readonly rules: () => DaemonOptions["rules"]
  readonly standing: () => DaemonOptions["standing"]
  readonly configuration: DaemonOptions["configuration"]
}

export function createProcessHost(deps: HostDeps): ProcessHost {
  const { world, profile, recorder, bug, counts, script, isHostile, outage, isTargeted, onCall } =
    deps
  const { onStep, onWrite, onPoll, onEngineEnd } = deps
  const { clock, log } = world
  // His schemes follow from the secrets, and those from the nonces: each seed has others.
  const ids = { order: 0, nonce: profile.mode === "adversary" ? clock.now() : 0 }
  let lives = 0
  let restartAtMs = clock.now()
  let daemon: Daemon | null = null
  let isStarting = false

  function onDeath(how: FaultKind): void {
    counts.countKill()
    log.add("process", "dies", how)
    const drawnMs = script.pick([0, 0, 1_000, 20_000, 200_000])
    const downMs = profile.killsEachCommit === true ? 0 : drawnMs
    // A lock is short here: a machine that is down for most of it could be robbed without any
    // means.
    restartAtMs = clock.now() + (profile.mode === "adversary" ? Math.min(downMs, 20_000) : downMs)
  }

  function live(): Daemon | null {
    if (daemon?.isAlive()) return daemon
    // A starting process makes calls before `startDaemon` returns. These calls ask for the live
    // process and must not start another.
    const atMs = Math.max(restartAtMs, deps.adversary?.process.restsUntilMs ?? 0)
    if (isStarting || clock.now() < atMs || !deps.mayStart()) return null
    isStarting = true
    deps.onStart(world.daemonClock.now())
    log.add("process", "starts")
    const faults = {
      clock,
      log,
      random: deps.network,
      profile,
      isHostile,
      outage,
      isTargeted,
      countFault: counts.countFault,
      countLie: counts.countLie,
      onCall,
    }
    const shared = {
      random: deps.disk,
      nodes: deps.nodes,
      profile,
      recorder,
      bug,
      adversary: deps.adversary,
      issuer: deps.issuer,
      isFirstLife: lives++ === 0,
      ids,
      rules: deps.rules(),
      standing: deps.standing(),
      configuration: deps.configuration,
    }
    daemon = startDaemon(world, {
      ...shared,
      onDeath,
      faults,
      onStep,
      onWrite,
      onPoll,
      onEngineEnd,
    })
    isStarting = false
    return daemon
  }

  return {
    live,
    isRunning: () => daemon?.isAlive() === true,
    stop: () => daemon?.stop(),
    startNow: () => {
      restartAtMs = 0
    },
  }
}
