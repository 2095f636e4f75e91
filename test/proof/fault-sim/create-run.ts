import { type Adversary, createAdversary } from "./adversary/adversary.ts"
import { chooseMeans } from "./adversary/chosen-means.ts"
import { moduleRulesOf } from "./adversary/module-rules.ts"
import { createTowerRun, type TowerRun } from "./adversary/tower.ts"
import { createCallWatch } from "./call-watch.ts"
import { type Checker, type Violation, violation } from "./checker.ts"
import { createCheckers } from "./checkers.ts"
import { createClusterHost } from "./cluster/cluster-host.ts"
import { type Configuration, drawConfiguration } from "./configuration.ts"
import { createEnvironmentFaults, type EnvironmentFaults } from "./environment-faults.ts"
import { depthsOn, drawFaultProfile, type FaultProfile, withIssuer } from "./fault-profile.ts"
import { createGroundTruth, type GroundTruth } from "./ground-truth.ts"
import { createIssuer } from "./issuer.ts"
import { createOperator, type Operator } from "./operator.ts"
import { rewritesRows } from "./planted-bugs.ts"
import { createProcessHost, type HostDeps, type ProcessHost } from "./process-host.ts"
import { createRandom, type Random } from "./random.ts"
import { createRunCounts, type RunCounts } from "./run-counts.ts"
import { createSchedule, type Schedule } from "./schedule.ts"
import { createSignatureRecorder, type SignatureRecorder } from "./signature-recorder.ts"
import { narrowFaultProfile, type SimCase } from "./sim-case.ts"
import { createSimulatedWorld, type SimulatedWorld } from "./simulated-world.ts"
import { listTargetedPorts } from "./steering.ts"
import { drawTreasury } from "./treasury.ts"

/** The parts of one run, connected with each other. */
export type Run = {
  readonly simCase: SimCase
  readonly profile: FaultProfile
  readonly streams: Streams
  readonly world: SimulatedWorld
  readonly schedule: Schedule
  readonly recorder: SignatureRecorder
  readonly operator: Operator
  readonly checkers: Required<Checker>
  readonly environment: EnvironmentFaults
  readonly host: ProcessHost
  readonly counts: RunCounts
  readonly startMs: number
  /** `next` comes into force with the next process. */
  readonly configured: { inForce: Configuration; next: Configuration | null }
  /** Faults are drawn only while `isHostile`. */
  readonly phase: { isHostile: boolean; quietSinceMs: number }
  readonly violations: readonly Violation[]
  readonly groundTruth: GroundTruth
  /** Only in runs that have one. */
  readonly adversary: Adversary | null
  readonly tower: TowerRun | null
  readonly report: (violations: readonly Violation[]) => void
}

/** One stream of random numbers for each part. */
export type Streams = ReturnType<typeof forkStreams>

/** Every second seed is directed at short-lived states. */
const DIRECTED_EVERY = 2

/** Draws a seed's world and connects its parts; the daemon has not started yet. */
export function createRun(simCase: SimCase): Run {
  const { seed, orders, faultsFrom = 0 } = simCase
  const bug = simCase.bug ?? null
  const streams = forkStreams(createRandom(seed))
  const isDirected = simCase.directed ?? seed % DIRECTED_EVERY === 0
  const { mode = "drawn" } = simCase
  const draws = {
    orders: orders ?? null,
    isDirected,
    mode,
    colluding: simCase.endpoints ?? 3,
  } as const
  const drawn = drawFaultProfile(streams.profile, streams.nodes, draws)
  const profile = narrowFaultProfile(
    simCase.routes === true ? withIssuer(drawn, streams.issuer, simCase.silent === true) : drawn,
    simCase,
  )
  const { startMs, recurring, standing } = drawTreasury(streams.treasury)
  const rules =
    mode === "collusion" || mode === "adversary" || hasLeaps(profile) ? 0 : simCase.rules
  const schedule = createSchedule(recurring.slice(0, rules), rules === 0 ? [] : standing)
  const configured: Run["configured"] = {
    inForce: drawConfiguration(streams.configuration, profile),
    next: null,
  }
  const world = createSimulatedWorld(startMs, simCase.cluster === true)
  const { log, journal, service } = world
  const issuer = !profile.hasIssuer
    ? null
    : createIssuer({
        ledgers: world.ledgers,
        depthOn: (chain) => depthsOn(profile, chain).ending,
        random: streams.issuer,
        now: world.clock.now,
      })
  const adversary =
    mode === "adversary"
      ? createAdversary({
          ...world,
          random: streams.adversary,
          rules: moduleRulesOf(bug),
          means: chooseMeans(simCase.means),
        })
      : null
  const counts = createRunCounts()
  const phase = { isHostile: faultsFrom === 0, quietSinceMs: 0 }
  const violations: Violation[] = []

  const configuration = (): Configuration => configured.inForce
  const isHostile = (): boolean => phase.isHostile
  const report = (fresh: readonly Violation[]): void => {
    for (const { checker, message } of fresh) log.add("VIOLATION", checker, message)
    violations.push(...fresh)
  }
  const recorder = recordAndCheck(world, () => checkers, report)
  const operator = createOperator({ journal, log, profile, recorder, service })
  world.groups.onCommit = operator.noteCommit
  const truth = {
    world,
    profile,
    recorder,
    operator,
    schedule,
    configuration,
    trustsRows: !rewritesRows(bug),
    isHonest: mode === "honest",
    adversary,
    issuer,
    isAble: () => host.isRunning(),
    isCallAlone: () => host.isCallAlone?.() === true,
  }
  const groundTruth = createGroundTruth(truth)
  const checkers = createCheckers(groundTruth)
  const rows = (): ReturnType<SignatureRecorder["rows"]["values"]> => recorder.rows.values()
  const { countFault } = counts
  const hasRules = schedule.all.length > 0
  const random = streams.environment
  const { nodes } = streams
  const environment = createEnvironmentFaults(world, {
    random,
    nodes,
    profile,
    isHostile,
    hasRules,
    rows,
    countFault,
    adversary,
    issuer,
    issuerDraws: streams.issuer,
  })
  const watch = createCallWatch({
    world,
    profile,
    recorder,
    operator,
    checkers,
    counts,
    isHostile,
    report,
    random: streams.interrupt,
    live: () => host.live(),
    stop: () => host.stop(),
    isOfFormer: () => host.isCallOfFormer?.() === true,
  })
  const hostDeps: HostDeps = {
    world,
    profile,
    recorder,
    bug,
    counts,
    isHostile,
    configuration,
    adversary,
    issuer,
    ...watch,
    script: streams.script,
    network: streams.network,
    nodes: streams.nodes,
    disk: streams.disk,
    rules: schedule.rules,
    standing: schedule.standing,
    outage: environment.outage,
    isTargeted: (port) => profile.target !== null && listTargetedPorts(profile, rows()).has(port),
    mayStart: () => violations.length === 0,
    onEngineEnd: (error) => report([violation("the engine goes on", String(error))]),
    onStart: (machineMs) => {
      adversary?.forgetReads()
      if (configured.next !== null) log.add("operator", "restarts with another configuration")
      configured.inForce = configured.next ?? configured.inForce
      configured.next = null
      schedule.startLife(machineMs)
      operator.recall()
    },
  }
  const host =
    simCase.cluster === true
      ? createClusterHost({
          ...hostDeps,
          random: streams.cluster,
          report,
          synchronous: simCase.asynchronous !== true,
          lateAppends: simCase.lateAppends === true,
        })
      : createProcessHost(hostDeps)
  const tower =
    adversary === null ? null : createTowerRun({ world, profile, recorder, adversary, host })
  return {
    tower,
    simCase,
    profile,
    streams,
    world,
    schedule,
    recorder,
    operator,
    checkers,
    environment,
    host,
    counts,
    startMs,
    configured,
    phase,
    violations,
    report,
    groundTruth,
    adversary,
  }
}

/**
 * The checkers' calendar follows true time, so the clock leaps only in runs without rules: half of
 * those that may leap have none.
 */
function hasLeaps({ enabled, activeSteps }: FaultProfile): boolean {
  return enabled.has("clock leaps") && activeSteps % 2 === 0
}

/** The order of the forks decides the meaning of every seed: add a new stream at the end. */
function forkStreams(root: Random) {
  return {
    profile: root.fork(),
    script: root.fork(),
    network: root.fork(),
    disk: root.fork(),
    environment: root.fork(),
    treasury: root.fork(),
    configuration: root.fork(),
    review: root.fork(),
    interrupt: root.fork(),
    nodes: root.fork(),
    cluster: root.fork(),
    adversary: root.fork(),
    issuer: root.fork(),
  }
}

/**
 * A recorder that logs each signature and calls the checkers. They are created after it, because
 * they read it.
 */
function recordAndCheck(
  world: SimulatedWorld,
  checkers: () => Required<Checker>,
  report: Run["report"],
): SignatureRecorder {
  return createSignatureRecorder(world, {
    onOpened: (row) => report(checkers().onOpen(row)),
    onDeposit: (orderId, paid) => report(checkers().onDeposit(orderId, paid)),
    onSigned: (signature, earlier) => {
      const { orderId, purpose, resources, txid } = signature
      world.log.add(orderId, "signed", `${purpose} ${resources.join(" ")} ${txid.slice(0, 12)}`)
      report(checkers().onSignature(signature, earlier))
    },
    judgeRegistered: (orderId, purpose) => {
      const found = checkers().onSpend(orderId, purpose, "write")
      return () => report(found)
    },
  })
}
