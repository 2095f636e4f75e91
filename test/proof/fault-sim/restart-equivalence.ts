import type { DepositWay } from "#domain/order.ts"
import { isFinal } from "#order/states.ts"
import { POLICY } from "../../support/fake-world.ts"
import { settle } from "../../support/manual-clock.ts"
import type { Configuration } from "./configuration.ts"
import type { FaultProfile } from "./fault-profile.ts"
import { createGroundTruth, type GroundTruth, isResting } from "./ground-truth.ts"
import { plainInfrastructure } from "./infrastructure.ts"
import { createOperator } from "./operator.ts"
import type { PlantedBug } from "./planted-bugs.ts"
import { createRandom, type Random } from "./random.ts"
import { ROUTES } from "./routes.ts"
import { createSchedule } from "./schedule.ts"
import { createSignatureRecorder } from "./signature-recorder.ts"
import { createSimulatedWorld, type Daemon, startDaemon } from "./simulated-world.ts"

export type RestartComparison = { readonly orders: number; readonly differences: readonly string[] }

/**
 * Runs the same orders twice: with one engine, and with an engine that is rebuilt from the journal
 * after every commit. The engine's memory may only save work, so every order must end in the same
 * way, with the same deposits.
 *
 * The orders run one after another, so that no order depends on the duration of another.
 */
export async function compareRestarts(
  seed: number,
  bug: PlantedBug | null = null,
): Promise<RestartComparison> {
  const continuous = await runOrders(seed, false, bug)
  const restarted = await runOrders(seed, true, bug)
  const differences = continuous.flatMap((ending, index) => {
    const other = restarted[index] ?? "nothing"
    return ending === other ? [] : [`order ${index + 1}: ${ending}, but with restarts ${other}`]
  })
  return { orders: continuous.length, differences }
}

const START_MS = Date.UTC(2026, 2, 2, 8)
const TURN_MS = 5_000
/** Longer than a source timelock, in turns. */
const MAX_TURNS = 800
/** With restarts, each engine makes one commit, and some turns have many commits. */
const MAX_RESTARTS = 60
const RESTING_TURNS = 250
/** An order that is not accepted after so many turns was refused. */
const REFUSED_TURNS = 10

const CONFIGURATION: Configuration = {
  limits: { maxOrder: null, maxInFlight: 8, windows: [] },
  mode: "live",
  cooldownMs: 0,
  policy: { ...POLICY, patienceMs: 5 * 60_000 },
}

/** The ending of each order, in words. */
async function runOrders(
  seed: number,
  restarts: boolean,
  bug: PlantedBug | null,
): Promise<string[]> {
  const random = createRandom(seed)
  const profile: FaultProfile = {
    enabled: new Set(restarts ? ["restart after every commit"] : []),
    rate: 0,
    orders: 3 + random.below(4),
    activeSteps: 0,
    maxInFlight: 8,
    confirmations: 2,
    infrastructure: plainInfrastructure(2),
    mode: "drawn",
    way: null,
    target: null,
    hasReference: false,
    hasSecondService: false,
    isLiarSteady: false,
  }
  const world = createSimulatedWorld(START_MS)
  const { clock, log, journal } = world
  const ignore = (): void => undefined
  const recorder = createSignatureRecorder(world, {
    onOpened: ignore,
    onSigned: ignore,
    judgeRegistered: () => ignore,
    onDeposit: ignore,
  })
  const operator = createOperator({ journal, log, profile, recorder, service: world.service })
  const schedule = createSchedule([], [])
  const configuration = (): Configuration => CONFIGURATION
  const truth = createGroundTruth({
    world,
    profile,
    recorder,
    operator,
    schedule,
    configuration,
    trustsRows: true,
    isHonest: false,
    isAble: () => true,
    adversary: null,
    issuer: null,
    isCallAlone: () => false,
  })
  const none = { outage: () => null, isTargeted: () => false, countFault: ignore, countLie: ignore }
  const quiet = { clock, log, profile, random: createRandom(0), ...none, onCall: ignore }
  let lives = 0
  const ids = { order: 0, nonce: 0 }
  const shared = {
    random: createRandom(0),
    nodes: createRandom(0),
    profile,
    recorder,
    bug,
    ids,
    rules: [],
    standing: [],
    configuration,
  }
  const start = (): Daemon =>
    startDaemon(world, {
      ...shared,
      isFirstLife: lives++ === 0,
      onDeath: ignore,
      onStep: ignore,
      onWrite: ignore,
      onPoll: () => undefined,
      onEngineEnd: (error) => {
        throw error
      },
      faults: { ...quiet, isHostile: () => restarts },
    })
  let daemon = start()

  async function turn(): Promise<void> {
    clock.set(clock.now() + TURN_MS)
    for (let block = 0; block < TURN_MS / 1_000; block++) {
      world.service.act()
      for (const ledger of world.ledgers.values()) ledger.mine()
    }
    for (const node of world.nodes.values()) node.catchUp()
    for (let life = 0; life < MAX_RESTARTS; life++) {
      if (!daemon.isAlive()) daemon = start()
      await settle()
      if (daemon.isAlive()) return
    }
  }

  try {
    const endings: string[] = []
    for (let index = 0; index < profile.orders; index++) {
      const request = drawRequest(random)
      Object.assign(world.service.conduct, drawConduct(random))
      const opened = recorder.rows.size
      daemon.engine.submit(request).catch(ignore)
      let rested = 0
      for (let turns = 0; turns < MAX_TURNS && rested < RESTING_TURNS; turns++) {
        await turn()
        const state = [...recorder.rows.values()][opened]?.state
        if (state === undefined ? turns > REFUSED_TURNS : isFinal(state)) break
        rested = state !== undefined && isResting(state) ? rested + 1 : 0
      }
      endings.push(describeEnding(truth, opened))
    }
    return endings
  } finally {
    daemon.stop()
    world.close()
  }
}

function drawRequest(random: Random): Parameters<Daemon["engine"]["submit"]>[0] {
  const [from, to] = random.pick(ROUTES)
  const way: DepositWay = random.pick(["auto", "gasless", "onchain"])
  return { from, to, sourceUnits: BigInt(1_000 + random.below(20_000)), way }
}

/** The service's conduct for one whole order. */
function drawConduct(random: Random): Parameters<typeof Object.assign>[1] {
  const fills = random.chance(0.7)
  return {
    fills,
    takesSource: fills,
    redeems: fills,
    relays: random.chance(0.7),
    costBps: random.pick([30n, 30n, 100n]),
  }
}

/** The order's state, its deposits and their payers, its payout and its refund. */
function describeEnding(
  { recorder, orderOf, sourceOf, destinationOf, isRelayed, deposits, hasLanded }: GroundTruth,
  index: number,
): string {
  const row = [...recorder.rows.values()][index]
  if (row === undefined) return "never opened"
  const swap = orderOf(row.id)
  const source = swap && sourceOf(swap)
  const destination = swap && destinationOf(swap)
  const own = deposits().filter((one) => one.orderId === row.id && hasLanded(one)).length
  const relayed = swap && isRelayed(swap) ? 1 : 0
  const money = [
    `${row.from} → ${row.to}`,
    `${own} deposits of ours, ${relayed} of the relay`,
    `${source?.units ?? 0n} units in`,
    `${destination?.redeemed?.paidUnits ?? 0n} paid out`,
    source?.refunded ? "refunded" : "not refunded",
  ]
  return `${row.state} (${money.join(", ")})`
}
