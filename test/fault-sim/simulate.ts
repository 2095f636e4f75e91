import type { Journal, OrderRow, StepRow } from "#journal/port.ts"
import { isFinal } from "#order/states.ts"
import { settle } from "../support/manual-clock.ts"
import { type Violation, violation } from "./checker.ts"
import { createCheckers } from "./checkers.ts"
import { type Configuration, drawConfiguration, liveOf } from "./configuration.ts"
import { judgePair } from "./coverage.ts"
import { createEnvironmentFaults } from "./environment-faults.ts"
import type { FaultKind } from "./fault-kinds.ts"
import { drawFaultProfile, type FaultProfile } from "./fault-profile.ts"
import { createGroundTruth, isResting } from "./ground-truth.ts"
import { createOperator } from "./operator.ts"
import { rewritesRows } from "./planted-bugs.ts"
import { createProcessHost } from "./process-host.ts"
import { createRandom } from "./random.ts"
import { createRunCounts } from "./run-counts.ts"
import { createSchedule } from "./schedule.ts"
import { createSignatureRecorder } from "./signature-recorder.ts"
import { narrowFaultProfile, type SimCase } from "./sim-case.ts"
import { createSimulatedWorld, type Daemon } from "./simulated-world.ts"
import { listTargetedPorts } from "./steering.ts"
import { drawTreasury } from "./treasury.ts"

export type SimOptions = SimCase & {
  readonly lastEvents?: number
  /** Receives the journal of the run before it closes. */
  readonly onClose?: (journal: Journal) => void
}

export type SimResult = {
  readonly seed: number
  readonly profile: FaultProfile
  readonly hash: string
  readonly events: number
  readonly simulatedMs: number
  readonly orders: number
  readonly rules: number
  readonly kills: number
  readonly checks: number
  readonly faults: ReadonlyMap<FaultKind, number>
  readonly outcomes: readonly string[]
  readonly states: ReadonlySet<string>
  /** The transitions that orders took, as `state event`. */
  readonly transitions: ReadonlySet<string>
  readonly violations: readonly Violation[]
  /** The last events as a table for a terminal. */
  readonly table: string
}

/** Every second seed is directed at short-lived states. */
const DIRECTED_EVERY = 2
const QUIET_STEP_MS = 5_000
/**
 * Turns of the quiet time in which the rules settle their due occurrences before the operator removes them. An occurrence that waits for a
 * free place, or that failed to read, takes minutes.
 */
const RULE_TURNS = 60
const RULE_STEP_MS = 15_000
/** Longer than any skew of the clock, and than the longest lock. */
const QUIET_MS = 150 * 60_000
/** A held order can still continue by itself within this time. */
const HELD_MS = 20 * 60_000
/** More calls and commits than this at one instant are a busy loop. */
const MAX_CALLS = 3_000

/** Runs one seed: a hostile time with faults, then a long quiet time. Every checker runs after every step; the first violation ends the run. */
export async function simulate(options: SimOptions): Promise<SimResult> {
  const sim = createSim(options)
  try {
    for (let turn = 0; turn < sim.profile.activeSteps && !sim.isBroken(); turn++) await sim.hostileTurn(turn)
    sim.beginQuietTime()
    for (let turn = 0; turn < RULE_TURNS && !sim.isBroken() && !sim.isCaughtUp(); turn++)
      await sim.quietTurn(RULE_STEP_MS)
    sim.retireRules()
    const untilMs = sim.now() + QUIET_MS
    while (!sim.isBroken() && sim.now() < untilMs && !sim.isAtRest()) await sim.quietTurn()
    return sim.finish()
  } finally {
    sim.close()
  }
}

type Sim = {
  readonly profile: FaultProfile
  readonly now: () => number
  readonly isBroken: () => boolean
  readonly isAtRest: () => boolean
  readonly hostileTurn: (turn: number) => Promise<void>
  readonly beginQuietTime: () => void
  /** Removes the rules: a daemon with rules never comes to rest. */
  readonly retireRules: () => void
  readonly isCaughtUp: () => boolean
  readonly quietTurn: (ms?: number) => Promise<void>
  readonly finish: () => SimResult
  readonly close: () => void
}

function createSim(options: SimOptions): Sim {
  const { seed, orders, bug, lastEvents = 60, faultsFrom = 0, onClose } = options
  const root = createRandom(seed)
  const profile = narrowFaultProfile(
    drawFaultProfile(root.fork(), orders ?? null, options.directed ?? seed % DIRECTED_EVERY === 0),
    options,
  )
  const [scriptRandom, networkRandom, diskRandom, environmentRandom] = [
    root.fork(),
    root.fork(),
    root.fork(),
    root.fork(),
  ]
  const treasury = drawTreasury(root.fork())
  const schedule = createSchedule(
    treasury.recurring.slice(0, options.rules),
    options.rules === 0 ? [] : treasury.standing,
  )
  const [configurationRandom, reviewRandom, interruptRandom] = [root.fork(), root.fork(), root.fork()]
  const configured = { inForce: drawConfiguration(configurationRandom, profile), next: null as Configuration | null }
  const world = createSimulatedWorld(treasury.startMs)
  const { clock, daemonClock, log, journal } = world
  const startMs = clock.now()
  const counts = createRunCounts()
  const violations: Violation[] = []
  const broadcasts = new Set<string>()
  let [hostile, peaceAtMs] = [faultsFrom === 0, 0]
  let calls = { atMs: startMs, count: 0 }

  const configuration = (): Configuration => configured.inForce
  const isHostile = (): boolean => hostile
  const found = (fresh: readonly Violation[]): void => {
    for (const { checker, message } of fresh) log.add("VIOLATION", checker, message)
    violations.push(...fresh)
  }
  const recorder = createSignatureRecorder(world, {
    onOpened: (row) => found(checkers.onOpen(row)),
    onDeposit: (orderId, paid) => found(checkers.onDeposit(orderId, paid)),
    onSigned: (signature, earlier) => {
      const { orderId, purpose, resources, txid } = signature
      log.add(orderId, "signed", `${purpose} ${resources.join(" ")} ${txid.slice(0, 12)}`)
      found(checkers.onSignature(signature, earlier))
      found(checkers.onSpend(orderId, purpose))
    },
    onTypedData: (orderId) => found(checkers.onSpend(orderId, "gasless")),
  })
  const operator = createOperator({ journal, log, profile, recorder, service: world.service })
  const trustsRows = !rewritesRows(bug ?? null)
  const checkers = createCheckers(
    createGroundTruth({ world, profile, recorder, operator, schedule, configuration, trustsRows }),
  )
  const environment = createEnvironmentFaults(world, {
    random: environmentRandom,
    profile,
    isHostile,
    hasRules: schedule.all.length > 0,
    rows: () => recorder.rows.values(),
    countFault: counts.countFault,
  })
  const host = createProcessHost({
    ...{ world, profile, recorder, bug: bug ?? null, counts, isHostile, onCall, onStep },
    ...{ disk: diskRandom, network: networkRandom, script: scriptRandom },
    outage: environment.outage,
    isTargeted: (port) => profile.target !== null && listTargetedPorts(profile, recorder.rows.values()).has(port),
    mayStart: () => violations.length === 0,
    onStart: () => {
      if (configured.next !== null) log.add("operator", "restarts with another configuration")
      configured.inForce = configured.next ?? configured.inForce
      configured.next = null
      schedule.startLife(daemonClock.now())
      operator.recall()
    },
    rules: schedule.rules,
    standing: schedule.standing,
    configuration,
  })

  function onCall(port: string, method: string, args: readonly unknown[]): void {
    log.add(port, method)
    operateDuringCall(method)
    count()
    if (method !== "broadcastTransaction" && method !== "submitSignature") return
    // CAST: the first argument of broadcastTransaction is the move, of submitSignature the order's id.
    const subject = method === "submitSignature" ? String(args[0]) : (args[0] as { txid: string }).txid
    const signature = recorder.signatures.find(({ txid }) => txid === subject)
    const fresh = !broadcasts.has(subject)
    if (fresh) found(checkers.onSpend(signature?.orderId ?? subject, signature?.purpose ?? "gasless"))
    broadcasts.add(subject)
  }

  function count(): void {
    if (calls.atMs !== clock.now()) calls = { atMs: clock.now(), count: 0 }
    calls.count++
    if (calls.count !== MAX_CALLS) return
    found([violation("no busy loop", `${MAX_CALLS} calls and commits while no time passed`)])
    host.stop()
  }

  /** Lets the operator act during a call of a port. */
  function operateDuringCall(method: string): void {
    const isDirected = profile.target !== null
    const chance = !isDirected ? 0.02 : /^planBump|^signTyped/.test(method) ? 0.5 : 0.1
    if (!hostile || !profile.enabled.has("operator at work") || !interruptRandom.chance(chance)) return
    const process = host.live()
    if (process === null) return
    counts.countFault("operator at work")
    // A transaction planned during a pause waits for its signature.
    const pauses =
      profile.enabled.has("paused") &&
      /^planTransaction|^findMissing|^signTyped/.test(method) &&
      interruptRandom.chance(0.5)
    if (pauses) operator.requestPause(process, interruptRandom)
    else if (isDirected) operator.interveneAtTarget(process, interruptRandom)
    else operator.operate(process, interruptRandom)
  }

  function onStep(before: OrderRow, step: StepRow): void {
    count()
    counts.countTransition(before.state, step.event.type, step.order.state)
    found(judgePair(`${before.state} ${step.event.type}`))
    found(checkers.onCommit(before, step))
  }

  async function advance(ms: number, elapsedMs: number): Promise<void> {
    clock.set(clock.now() + ms)
    environment.turn(elapsedMs)
    if (host.live() !== null) schedule.note(daemonClock.now())
    await settle()
    // A process that died in this turn and restarts at once continues in the same turn.
    if (host.live() !== null) {
      schedule.note(daemonClock.now())
      await settle()
    }
    counts.countCheck()
    found(checkers.afterTurn())
  }

  async function hostileTurn(turn: number): Promise<void> {
    hostile = turn >= faultsFrom
    const process = host.live()
    const draws = (kind: FaultKind): boolean => {
      if (!hostile || !profile.enabled.has(kind) || !scriptRandom.chance(Math.max(0.02, profile.rate))) return false
      counts.countFault(kind)
      return true
    }
    if (process !== null) {
      const { orders, activeSteps } = profile
      if (operator.countSubmitted() < orders && scriptRandom.chance((2 * orders) / activeSteps)) {
        operator.submit(process, scriptRandom)
      }
      if (draws("paused")) operator.requestPause(process, scriptRandom)
      else if (operator.hasPaused() && scriptRandom.chance(0.15)) operator.liftPause(process, scriptRandom)
      if (draws("operator")) operator.operate(process, scriptRandom)
      if (draws("configuration changed")) configure(process)
      operator.review(process, reviewRandom)
      if (draws("killed between steps")) process.die("killed between steps")
    }
    const stepMs = scriptRandom.pick([300, 1_000, 1_000, 2_000, 5_000, 12_000])
    const jumpMs = jump(draws)
    if (jumpMs > 0) log.add("clock", "jumps", `${jumpMs} ms, turn ${turn}`)
    await advance(stepMs + jumpMs, stepMs)
  }

  /**
   * Changes the configuration by a reload, or with the next process. Here only a restart changes the mode, because a reload into observe
   * mode lets a signature that is being made finish.
   */
  function configure(process: Daemon): void {
    const next = drawConfiguration(configurationRandom, profile)
    if (configurationRandom.chance(0.3)) {
      configured.next = next
      return
    }
    configured.inForce = { ...next, mode: configured.inForce.mode }
    log.add("operator", "reloads")
    process.reload()
  }

  function jump(draws: (kind: FaultKind) => boolean): number {
    if (draws("clock jumps")) return scriptRandom.pick([60_000, 10 * 60_000, 2 * 60 * 60_000])
    if (!draws("machine off")) return 0
    host.live()?.die("machine off")
    return scriptRandom.pick([5 * 60_000, 25 * 60_000, 100 * 60_000, 4 * 60 * 60_000])
  }

  return {
    profile,
    now: clock.now,
    isBroken: () => violations.length > 0,
    isAtRest: () => {
      const rows = [...recorder.rows.values()]
      const heldLong = clock.now() - peaceAtMs > HELD_MS
      return rows.every(({ state }) => isFinal(state) || (heldLong && isResting(state)))
    },
    hostileTurn,
    beginQuietTime: () => {
      hostile = false
      environment.endFaults()
      log.add("world", "becomes kind")
      configured.next = liveOf(configured.inForce)
      if (configured.inForce.mode === "observe") host.stop()
      peaceAtMs = clock.now()
      schedule.beginPeace(peaceAtMs)
      host.startNow()
    },
    retireRules: () => {
      if (schedule.all.length + schedule.standing().length === 0) return
      schedule.retire(clock.now())
      log.add("operator", "takes the rules away")
      host.stop()
    },
    isCaughtUp: () => schedule.isCaughtUp(journal),
    quietTurn: async (ms = QUIET_STEP_MS) => {
      const process = host.live()
      environment.fillNonceGaps()
      if (process !== null) {
        if (operator.hasPaused()) operator.liftPause(process, null)
        operator.review(process, reviewRandom)
      }
      await advance(ms, ms)
    },
    finish: () => {
      if (violations.length === 0) found(checkers.atEnd())
      const outcomes = [...recorder.rows.values()].map(({ state }) => state)
      const totals = {
        orders: recorder.rows.size,
        rules: schedule.all.length,
        outcomes,
        violations,
        simulatedMs: clock.now() - startMs,
      }
      return {
        seed,
        profile,
        hash: log.hash(),
        events: log.count(),
        ...counts.read(),
        ...totals,
        table: log.format(lastEvents),
      }
    },
    close: () => {
      host.stop()
      onClose?.(journal)
      world.close()
    },
  }
}
