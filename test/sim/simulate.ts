import type { OrderRow, StepRow } from "#journal/port.ts"
import { isFinal } from "#order/states.ts"
import { settle } from "../support/manual-clock.ts"
import { type Checkers, createCheckers, type Violation, violation } from "./checkers.ts"
import type { FaultyPortDeps } from "./faulty-port.ts"
import { type PlantedBug, rewritesRows } from "./planted-bugs.ts"
import { createRandom, type Random } from "./random.ts"
import { createSurroundings, type Daemon, ROUTES, START_MS, startDaemon } from "./sim-world.ts"
import { drawSwarm, type FaultKind, type Swarm } from "./swarm.ts"
import { createWeather } from "./weather.ts"
import { createWitness } from "./witness.ts"

export type SimOptions = { readonly seed: number; readonly orders?: number; readonly bug?: PlantedBug }

export type SimResult = {
  readonly seed: number
  readonly swarm: Swarm
  readonly hash: string
  readonly events: number
  readonly simulatedMs: number
  readonly orders: number
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

const QUIET_STEP_MS = 5_000
const QUIET_MS = 90 * 60_000
/** A held order may still heal itself; after this long it will not. */
const HELD_MS = 20 * 60_000
/** More calls than this without any time passing is a loop that burns a processor. */
const MAX_CALLS = 3_000

/** One seed: a time of troubles, then a long quiet one, with every checker after every step. Stops at the first violation. */
export async function simulate(options: SimOptions): Promise<SimResult> {
  const sim = createSim(options)
  try {
    for (let turn = 0; turn < sim.swarm.activeSteps && !sim.isBroken(); turn++) await sim.hostileTurn(turn)
    sim.makePeace()
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
  readonly quietTurn: () => Promise<void>
  readonly finish: () => SimResult
  readonly close: () => void
}

function createSim({ seed, orders, bug }: SimOptions): Sim {
  const root = createRandom(seed)
  const swarm = drawSwarm(root.fork(), orders ?? null)
  const [script, network, disk, sky] = [root.fork(), root.fork(), root.fork(), root.fork()]
  const world = createSurroundings()
  const { clock, log, journal } = world
  const tally = createTally()
  const violations: Violation[] = []
  const ids = { order: 0, nonce: 0 }
  const pause = { isOn: false, request: 0 }
  const broadcasts = new Set<string>()
  let [hostile, submitted, lives, restartAtMs, peaceAtMs] = [true, 0, 0, START_MS, 0]
  let calls = { atMs: START_MS, count: 0 }
  let daemon: Daemon | null = null

  const isHostile = (): boolean => hostile
  const found = (...fresh: Violation[]): void => {
    for (const { checker, message } of fresh) log.add("VIOLATION", checker, message)
    violations.push(...fresh)
  }
  const witness = createWitness(
    journal,
    (signature, earlier) => {
      log.add(
        signature.orderId,
        "signed",
        `${signature.purpose} ${signature.claims.join(" ")} ${signature.txid.slice(0, 12)}`,
      )
      found(...checkers.checkSignature(signature, earlier))
      spends(signature.orderId, signature.purpose)
    },
    (orderId) => spends(orderId, "gasless"),
  )
  const checkers: Checkers = createCheckers(world, () => witness, swarm)
  const weather = createWeather(world, { random: sky, swarm, isHostile, strike: tally.strike })

  function spends(orderId: string, purpose: string): void {
    if (pause.isOn && ["approve", "deposit", "gasless"].includes(purpose)) {
      found(violation("pause means pause", `${orderId}: ${purpose} was signed or sent while paused`))
    }
  }

  const onCall: FaultyPortDeps["onCall"] = (port, method, args) => {
    log.add(port, method)
    if (calls.atMs !== clock.now()) calls = { atMs: clock.now(), count: 0 }
    calls.count++
    if (calls.count === MAX_CALLS) {
      found(violation("no busy loop", `${MAX_CALLS} calls while no time passed`))
      daemon?.stop()
    }
    if (method !== "broadcastMove" && method !== "submitSignature") return
    // CAST: the first argument of broadcastMove is the move, of submitSignature the order's id.
    const subject = method === "submitSignature" ? String(args[0]) : (args[0] as { txid: string }).txid
    const signature = witness.signatures.find(({ txid }) => txid === subject)
    if (!broadcasts.has(subject)) spends(signature?.orderId ?? subject, signature?.purpose ?? "gasless")
    broadcasts.add(subject)
  }

  function onStep(before: OrderRow, step: StepRow): void {
    tally.transit(before.state, step.event.type, step.order.state)
    if (bug === undefined || !rewritesRows(bug)) found(...checkers.checkStep(before, step))
  }

  function live(): Daemon | null {
    if (daemon?.isAlive()) return daemon
    if (clock.now() < restartAtMs || violations.length > 0) return null
    pause.isOn = journal.readFlag("pause") !== null
    const faults = {
      clock,
      log,
      random: network,
      swarm,
      isHostile,
      outage: weather.outage,
      strike: tally.strike,
      onCall,
    }
    const onDeath = (how: FaultKind): void => {
      tally.kill()
      log.add("process", "dies", how)
      restartAtMs = clock.now() + script.pick([0, 0, 1_000, 20_000, 200_000])
    }
    log.add("process", "starts")
    const shared = { random: disk, swarm, witness, bug: bug ?? null, isFirstLife: lives++ === 0, ids }
    daemon = startDaemon(world, { ...shared, onDeath, faults, onStep })
    return daemon
  }

  async function advance(ms: number, elapsedMs: number): Promise<void> {
    clock.set(clock.now() + ms)
    weather.turn(elapsedMs)
    live()
    await settle()
    // Whoever died in this turn and starts at once goes on in it.
    if (live() !== null) await settle()
    tally.check()
    found(...checkers.checkWorld())
  }

  async function hostileTurn(turn: number): Promise<void> {
    const process = live()
    const draws = (kind: FaultKind): boolean => {
      if (!swarm.on.has(kind) || !script.chance(Math.max(0.02, swarm.rate))) return false
      tally.strike(kind)
      return true
    }
    if (process !== null) {
      if (submitted < swarm.orders && script.chance((2 * swarm.orders) / swarm.activeSteps)) submit(process, script)
      if (draws("paused")) requestPause(process)
      else if (pause.request % 2 === 1 && script.chance(0.15)) liftPause(process)
      if (draws("operator")) operate(process, script)
      if (draws("killed between steps")) process.die("killed between steps")
    }
    const stepMs = script.pick([300, 1_000, 1_000, 2_000, 5_000, 12_000])
    const jumpMs = draws("clock jumps") ? script.pick([60_000, 10 * 60_000, 2 * 60 * 60_000]) : 0
    if (jumpMs > 0) log.add("clock", "jumps", `${jumpMs} ms, turn ${turn}`)
    await advance(stepMs + jumpMs, stepMs)
  }

  function submit({ engine }: Daemon, random: Random): void {
    const [from, to] = random.pick(ROUTES)
    const sourceUnits = BigInt(1_000 + random.below(30_000))
    const ways = [{}, { way: "auto" }, { way: "gasless" }, { way: "onchain" }] as const
    submitted++
    log.add("operator", "asks", `${sourceUnits} ${from} → ${to}`)
    engine.submit({ from, to, sourceUnits, ...(swarm.way === null ? random.pick(ways) : { way: swarm.way }) }).then(
      (answer) =>
        log.add("operator", "is answered", answer.ok ? answer.id : answer.reasons.map(({ code }) => code).join(" ")),
      (error: unknown) => log.add("operator", "is answered", String(error)),
    )
  }

  /** From its answer on, and until it is lifted, a pause holds. */
  function requestPause(process: Daemon): void {
    if (pause.request % 2 === 1) return
    const request = ++pause.request
    log.add("operator", "pauses")
    process.engine.pause({ kind: "all" }).then(
      () => {
        if (pause.request === request && process.isAlive()) pause.isOn = true
      },
      (error: unknown) => log.add("operator", "pause failed", String(error)),
    )
  }

  function liftPause(process: Daemon): void {
    pause.isOn = false
    try {
      process.engine.resume({ kind: "all" })
      pause.request += pause.request % 2
      log.add("operator", "resumes")
    } catch (error) {
      log.add("operator", "resume failed", String(error))
      pause.isOn = journal.readFlag("pause") !== null
    }
  }

  function operate({ engine }: Daemon, random: Random): void {
    const rows = [...witness.rows.values()]
    const row = rows[random.below(rows.length)]
    const verb = random.pick(["approve", "reject", "retry", "abandon", "refund"] as const)
    if (row === undefined) return
    log.add(row.id, "operator", verb)
    try {
      engine.operate(row.id, verb, "somebody")
    } catch (error) {
      log.add("operator", "is answered", String(error))
    }
  }

  return {
    swarm,
    now: clock.now,
    isBroken: () => violations.length > 0,
    isAtRest: () => {
      const rows = [...witness.rows.values()]
      const heldLong = clock.now() - peaceAtMs > HELD_MS
      return rows.every(({ state }) => isFinal(state) || (heldLong && state === "held"))
    },
    hostileTurn,
    makePeace: () => {
      hostile = false
      weather.calm()
      log.add("world", "becomes kind")
      peaceAtMs = clock.now()
      restartAtMs = 0
    },
    quietTurn: async () => {
      const process = live()
      if (process !== null && journal.readFlag("pause") !== null) liftPause(process)
      await advance(QUIET_STEP_MS, QUIET_STEP_MS)
    },
    finish: () => {
      if (violations.length === 0) found(...checkers.checkEnd({ replays: bug === undefined || !rewritesRows(bug) }))
      const outcomes = [...witness.rows.values()].map(({ state }) => state)
      const totals = { orders: witness.rows.size, outcomes, violations, simulatedMs: clock.now() - START_MS }
      return { seed, swarm, hash: log.hash(), events: log.count(), ...tally.read(), ...totals, table: log.format(60) }
    },
    close: () => {
      daemon?.stop()
      world.close()
    },
  }
}

function createTally() {
  const faults = new Map<FaultKind, number>()
  const [states, transitions] = [new Set<string>(["quoting"]), new Set<string>()]
  let [kills, checks] = [0, 0]
  return {
    strike: (kind: FaultKind): void => void faults.set(kind, (faults.get(kind) ?? 0) + 1),
    transit: (from: string, event: string, to: string): void => {
      states.add(to)
      transitions.add(`${from} ${event}`)
    },
    kill: (): void => void kills++,
    check: (): void => void checks++,
    read: () => ({ faults, states, transitions, kills, checks }),
  }
}
