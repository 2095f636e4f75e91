import type { DepositWay } from "#domain/order.ts"
import { isFinal } from "#order/states.ts"
import { POLICY } from "../support/fake-world.ts"
import { settle } from "../support/manual-clock.ts"
import type { Configuration } from "./configuration.ts"
import { createOperator } from "./operator.ts"
import type { PlantedBug } from "./planted-bugs.ts"
import { createRandom, type Random } from "./random.ts"
import { ROUTES } from "./routes.ts"
import { createSchedule } from "./schedule.ts"
import { createSurroundings, type Daemon, startDaemon } from "./sim-world.ts"
import type { Swarm } from "./swarm.ts"
import { createTruth, isResting, type Truth } from "./truth.ts"
import { createWitness } from "./witness.ts"

export type AmnesiaReport = { readonly stories: number; readonly differences: readonly string[] }

/**
 * The same orders twice: by an engine that lives on, and by one that is thrown away and built anew from the journal after every commit.
 * What the engine keeps in memory may only spare it work: every order must end the same way, with the same deposits.
 *
 * One order after another, so that what happens to each does not hang on how long the one before it took.
 */
export async function compareAmnesia(seed: number, bug: PlantedBug | null = null): Promise<AmnesiaReport> {
  const [remembered, forgotten] = [await live(seed, false, bug), await live(seed, true, bug)]
  const differences = remembered.flatMap((story, index) => {
    const other = forgotten[index] ?? "nothing"
    return story === other ? [] : [`order ${index + 1}: ${story}, and without a memory ${other}`]
  })
  return { stories: remembered.length, differences }
}

const START_MS = Date.UTC(2026, 2, 2, 8)
const TURN_MS = 5_000
/** Longer than a source timelock, in turns. */
const MAX_TURNS = 800
/** One engine lives for one commit, and some turns see many. */
const MAX_LIVES = 60
const RESTING_TURNS = 250
/** What is not accepted by then was refused. */
const REFUSED_TURNS = 10

const CONFIGURATION: Configuration = {
  limits: { maxOrder: null, maxInFlight: 8, windows: [] },
  mode: "live",
  cooldownMs: 0,
  policy: { ...POLICY, patienceMs: 5 * 60_000 },
}

/** How each order ended. */
async function live(seed: number, forgets: boolean, bug: PlantedBug | null): Promise<string[]> {
  const random = createRandom(seed)
  const swarm: Swarm = {
    on: new Set(forgets ? ["amnesia"] : []),
    rate: 0,
    orders: 3 + random.below(4),
    activeSteps: 0,
    maxInFlight: 8,
    confirmations: 2,
    way: null,
    quarry: null,
    hasReference: false,
  }
  const world = createSurroundings(START_MS)
  const { clock, log, journal } = world
  const nobody = (): void => undefined
  const witness = createWitness(world, {
    ...{ onOpened: nobody, onSigned: nobody, onTypedData: nobody, onDeposit: nobody },
  })
  const operator = createOperator({ journal, log, swarm, witness, service: world.service })
  const schedule = createSchedule([], [])
  const configuration = (): Configuration => CONFIGURATION
  const truth = createTruth({ world, swarm, witness, operator, schedule, configuration, trustsRows: true })
  const none = { outage: () => null, isChased: () => false, strike: nobody }
  const quiet = { clock, log, swarm, random: createRandom(0), ...none, onCall: nobody }
  let lives = 0
  const ids = { order: 0, nonce: 0 }
  const shared = { random: createRandom(0), swarm, witness, bug, ids, rules: [], standing: [], configuration }
  const start = (): Daemon =>
    startDaemon(world, {
      ...{ ...shared, isFirstLife: lives++ === 0, onDeath: nobody, onStep: nobody },
      faults: { ...quiet, isHostile: () => forgets },
    })
  let daemon = start()

  async function turn(): Promise<void> {
    clock.set(clock.now() + TURN_MS)
    for (let block = 0; block < TURN_MS / 1_000; block++) {
      world.service.act()
      for (const ledger of world.ledgers.values()) ledger.mine()
    }
    for (const node of world.nodes.values()) node.catchUp()
    for (let life = 0; life < MAX_LIVES; life++) {
      if (!daemon.isAlive()) daemon = start()
      await settle()
      if (daemon.isAlive()) return
    }
  }

  try {
    const stories: string[] = []
    for (let index = 0; index < swarm.orders; index++) {
      const request = drawRequest(random)
      Object.assign(world.service.conduct, drawConduct(random))
      const opened = witness.rows.size
      daemon.engine.submit(request).catch(nobody)
      let rested = 0
      for (let turns = 0; turns < MAX_TURNS && rested < RESTING_TURNS; turns++) {
        await turn()
        const state = [...witness.rows.values()][opened]?.state
        if (state === undefined ? turns > REFUSED_TURNS : isFinal(state)) break
        rested = state !== undefined && isResting(state) ? rested + 1 : 0
      }
      stories.push(tell(truth, opened))
    }
    return stories
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

/** What the service makes of one order from its beginning to its end. */
function drawConduct(random: Random): Parameters<typeof Object.assign>[1] {
  const fills = random.chance(0.7)
  return {
    ...{
      fills,
      takesSource: fills,
      redeems: fills,
      relays: random.chance(0.7),
      costBps: random.pick([30n, 30n, 100n]),
    },
  }
}

/** Where the order is, what was deposited for it and by whom, and whether that came back or was paid out. */
function tell(
  { witness, world, rowOf, sourceOf, destinationOf, isRelayed, deposits, hasLanded }: Truth,
  index: number,
): string {
  const row = [...witness.rows.values()][index]
  if (row === undefined) return "never opened"
  const swap = world.service.orders.find((order) => rowOf(order)?.id === row.id)
  const [source, destination] = [swap && sourceOf(swap), swap && destinationOf(swap)]
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
