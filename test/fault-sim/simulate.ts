import type { Journal, OrderRow, StepRow } from "#journal/port.ts"
import { isFinal } from "#order/states.ts"
import { settle } from "../support/manual-clock.ts"
import { type Violation, violation } from "./checker.ts"
import { createCheckers } from "./checkers.ts"
import { type Configuration, drawConfiguration, liveOf } from "./configuration.ts"
import { judgePair } from "./coverage.ts"
import { createOperator } from "./operator.ts"
import { rewritesRows } from "./planted-bugs.ts"
import { createProcessHost } from "./process-host.ts"
import { listPorts } from "./pursuit.ts"
import { createRandom } from "./random.ts"
import { createSchedule } from "./schedule.ts"
import { narrowSwarm, type SimCase } from "./sim-case.ts"
import { createSurroundings, type Daemon } from "./sim-world.ts"
import { drawSwarm, type FaultKind, type Swarm } from "./swarm.ts"
import { createTally } from "./tally.ts"
import { drawTreasury } from "./treasury.ts"
import { createTruth, isResting } from "./truth.ts"
import { createWeather } from "./weather.ts"
import { createWitness } from "./witness.ts"

export type SimOptions = SimCase & {
  readonly lastEvents?: number
  /** The journal of the run, before it is gone. */
  readonly onClose?: (journal: Journal) => void
}

export type SimResult = {
  readonly seed: number
  readonly swarm: Swarm
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
  /** `state event`, as far as an order took it. */
  readonly transitions: ReadonlySet<string>
  readonly violations: readonly Violation[]
  /** The last events, for people. */
  readonly table: string
}

/** Every second seed is directed at states that do not last. */
const DIRECTED_EVERY = 2
const QUIET_STEP_MS = 5_000
/** In peace the rules settle what is due before they are taken away: one that waits for a place, or could not read, does so for minutes. */
const RULE_TURNS = 60
const RULE_STEP_MS = 15_000
/** Longer than any clock was wrong, and the longest lock. */
const QUIET_MS = 150 * 60_000
/** A held order may still heal itself; after this long it will not. */
const HELD_MS = 20 * 60_000
/** More calls and commits than this without any time passing is a loop that burns a processor. */
const MAX_CALLS = 3_000

/** One seed: a time of troubles, then a long quiet one, with every checker after every step. Stops at the first violation. */
export async function simulate(options: SimOptions): Promise<SimResult> {
  const sim = createSim(options)
  try {
    for (let turn = 0; turn < sim.swarm.activeSteps && !sim.isBroken(); turn++) await sim.hostileTurn(turn)
    sim.makePeace()
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
  readonly swarm: Swarm
  readonly now: () => number
  readonly isBroken: () => boolean
  readonly isAtRest: () => boolean
  readonly hostileTurn: (turn: number) => Promise<void>
  readonly makePeace: () => void
  /** A daemon with rules never comes to rest. */
  readonly retireRules: () => void
  readonly isCaughtUp: () => boolean
  readonly quietTurn: (ms?: number) => Promise<void>
  readonly finish: () => SimResult
  readonly close: () => void
}

function createSim(options: SimOptions): Sim {
  const { seed, orders, bug, lastEvents = 60, faultsFrom = 0, onClose } = options
  const root = createRandom(seed)
  const swarm = narrowSwarm(
    drawSwarm(root.fork(), orders ?? null, options.directed ?? seed % DIRECTED_EVERY === 0),
    options,
  )
  const [script, network, disk, sky] = [root.fork(), root.fork(), root.fork(), root.fork()]
  const treasury = drawTreasury(root.fork())
  const schedule = createSchedule(
    treasury.recurring.slice(0, options.rules),
    options.rules === 0 ? [] : treasury.standing,
  )
  const [settings, desk, bell] = [root.fork(), root.fork(), root.fork()]
  const configured = { inForce: drawConfiguration(settings, swarm), next: null as Configuration | null }
  const world = createSurroundings(treasury.startMs)
  const { clock, daemonClock, log, journal } = world
  const startMs = clock.now()
  const tally = createTally()
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
  const witness = createWitness(world, {
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
  const operator = createOperator({ journal, log, swarm, witness, service: world.service })
  const trustsRows = !rewritesRows(bug ?? null)
  const checkers = createCheckers(createTruth({ world, swarm, witness, operator, schedule, configuration, trustsRows }))
  const weather = createWeather(world, {
    random: sky,
    swarm,
    isHostile,
    hasRules: schedule.all.length > 0,
    rows: () => witness.rows.values(),
    strike: tally.strike,
  })
  const host = createProcessHost({
    ...{ world, swarm, witness, bug: bug ?? null, disk, network, script, tally, isHostile, onCall, onStep },
    outage: weather.outage,
    isChased: (port) => swarm.quarry !== null && listPorts(swarm, witness.rows.values()).has(port),
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
    interfere(method)
    count()
    if (method !== "broadcastTransaction" && method !== "submitSignature") return
    // CAST: the first argument of broadcastTransaction is the move, of submitSignature the order's id.
    const subject = method === "submitSignature" ? String(args[0]) : (args[0] as { txid: string }).txid
    const signature = witness.signatures.find(({ txid }) => txid === subject)
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

  /** Somebody at the console while something is being done: between its beginning and its end. */
  function interfere(method: string): void {
    const isDirected = swarm.quarry !== null
    const chance = !isDirected ? 0.02 : /^planBump|^signTyped/.test(method) ? 0.5 : 0.1
    if (!hostile || !swarm.on.has("operator at work") || !bell.chance(chance)) return
    const process = host.live()
    if (process === null) return
    tally.strike("operator at work")
    // What is planned during a pause waits for its signature.
    const pauses = swarm.on.has("paused") && /^planTransaction|^findMissing|^signTyped/.test(method) && bell.chance(0.5)
    if (pauses) operator.requestPause(process, bell)
    else if (isDirected) operator.meddle(process, bell)
    else operator.operate(process, bell)
  }

  function onStep(before: OrderRow, step: StepRow): void {
    count()
    tally.transit(before.state, step.event.type, step.order.state)
    found(judgePair(`${before.state} ${step.event.type}`))
    found(checkers.onCommit(before, step))
  }

  async function advance(ms: number, elapsedMs: number): Promise<void> {
    clock.set(clock.now() + ms)
    weather.turn(elapsedMs)
    if (host.live() !== null) schedule.note(daemonClock.now())
    await settle()
    // Whoever died in this turn and starts at once goes on in it.
    if (host.live() !== null) {
      schedule.note(daemonClock.now())
      await settle()
    }
    tally.check()
    found(checkers.afterTurn())
  }

  async function hostileTurn(turn: number): Promise<void> {
    hostile = turn >= faultsFrom
    const process = host.live()
    const draws = (kind: FaultKind): boolean => {
      if (!hostile || !swarm.on.has(kind) || !script.chance(Math.max(0.02, swarm.rate))) return false
      tally.strike(kind)
      return true
    }
    if (process !== null) {
      const { orders, activeSteps } = swarm
      if (operator.countSubmitted() < orders && script.chance((2 * orders) / activeSteps)) {
        operator.submit(process, script)
      }
      if (draws("paused")) operator.requestPause(process, script)
      else if (operator.hasPaused() && script.chance(0.15)) operator.liftPause(process, script)
      if (draws("operator")) operator.operate(process, script)
      if (draws("configuration changed")) configure(process)
      operator.review(process, desk)
      if (draws("killed between steps")) process.die("killed between steps")
    }
    const stepMs = script.pick([300, 1_000, 1_000, 2_000, 5_000, 12_000])
    const jumpMs = jump(draws)
    if (jumpMs > 0) log.add("clock", "jumps", `${jumpMs} ms, turn ${turn}`)
    await advance(stepMs + jumpMs, stepMs)
  }

  /** Now, or with the next process. Mode is the one thing that only a restart changes here: what is being signed then is signed. */
  function configure(process: Daemon): void {
    const next = drawConfiguration(settings, swarm)
    if (settings.chance(0.3)) {
      configured.next = next
      return
    }
    configured.inForce = { ...next, mode: configured.inForce.mode }
    log.add("operator", "reloads")
    process.reload()
  }

  function jump(draws: (kind: FaultKind) => boolean): number {
    if (draws("clock jumps")) return script.pick([60_000, 10 * 60_000, 2 * 60 * 60_000])
    if (!draws("machine off")) return 0
    host.live()?.die("machine off")
    return script.pick([5 * 60_000, 25 * 60_000, 100 * 60_000, 4 * 60 * 60_000])
  }

  return {
    swarm,
    now: clock.now,
    isBroken: () => violations.length > 0,
    isAtRest: () => {
      const rows = [...witness.rows.values()]
      const heldLong = clock.now() - peaceAtMs > HELD_MS
      return rows.every(({ state }) => isFinal(state) || (heldLong && isResting(state)))
    },
    hostileTurn,
    makePeace: () => {
      hostile = false
      weather.calm()
      log.add("world", "becomes kind")
      configured.next = liveOf(configured.inForce)
      if (configured.inForce.mode === "observe") host.stop()
      peaceAtMs = clock.now()
      schedule.beginPeace(peaceAtMs)
      host.hurry()
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
      weather.fillGaps()
      if (process !== null) {
        if (operator.hasPaused()) operator.liftPause(process, null)
        operator.review(process, desk)
      }
      await advance(ms, ms)
    },
    finish: () => {
      if (violations.length === 0) found(checkers.atEnd())
      const outcomes = [...witness.rows.values()].map(({ state }) => state)
      const totals = {
        orders: witness.rows.size,
        rules: schedule.all.length,
        outcomes,
        violations,
        simulatedMs: clock.now() - startMs,
      }
      return {
        seed,
        swarm,
        hash: log.hash(),
        events: log.count(),
        ...tally.read(),
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
