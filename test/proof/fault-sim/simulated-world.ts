import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { OrderPolicy } from "#domain/order.ts"
import type { EngineContext, EngineSettings } from "#engine/context.ts"
import { createEngine, type Engine } from "#engine/engine.ts"
import { type ConfiguredParts, createLiveContext, type FixedParts } from "#engine/live-context.ts"
import type { GroupOptions } from "#journal/disk/group-commit.ts"
import { openJournal, type SqliteJournal } from "#journal/sqlite-journal.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { ServicePort } from "#ports/service.ts"
import { KIND } from "../../support/fake-burn-leg.ts"
import { accountOf, LIFE_IN_BLOCKS } from "../../support/fake-chain.ts"
import { createFakeDeployments, type FakeDeployments } from "../../support/fake-deployments.ts"
import {
  createFakeLedger,
  type FakeLedger,
  type Genesis,
  strangerSwap,
} from "../../support/fake-ledger.ts"
import { createFakeService, type FakeService } from "../../support/fake-service.ts"
import { ARB, BTC, ETH, SNBTC, SOL, STRK, WBTC } from "../../support/fake-world.ts"
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts"
import type { Adversary } from "./adversary/adversary.ts"
import { attackPort } from "./adversary/attacked-port.ts"
import { dieAfterTelling, loseDecisions } from "./adversary/lost-decisions.ts"
import { cacheReads } from "./cache-reads.ts"
import { createChainNodes } from "./chain-nodes.ts"
import type { Configuration } from "./configuration.ts"
import { createCrashingJournal, type GroupWatcher, type KeptSpace } from "./crashing-journal.ts"
import { createEventLog, type EventLog } from "./event-log.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { FaultProfile } from "./fault-profile.ts"
import { createFaultyPort, type FaultyPortDeps, type Life } from "./faulty-port.ts"
import { CHAIN_FAMILIES } from "./infrastructure.ts"
import type { Issuer } from "./issuer.ts"
import { createLaggingLedger, type LaggingLedger } from "./lagging-ledger.ts"
import { OWN_SECRETS, serviceSecretsUpTo } from "./own-secrets.ts"
import {
  type PlantedBug,
  plantInChain,
  plantInConfiguration,
  plantInJournal,
  plantInKey,
  plantInRules,
  plantInServices,
  plantOutsideChain,
} from "./planted-bugs.ts"
import type { Random } from "./random.ts"
import type { SignatureRecorder } from "./signature-recorder.ts"
import { ASSETS } from "./simulated-assets.ts"
import { createSkewedClock, type SkewedClock } from "./skewed-clock.ts"
import { START_UNITS, type StandingTimedRule } from "./treasury.ts"

export type Market = { readonly fees: Map<ChainId, bigint>; referenceFiat: bigint }

/** The parts that outlive every process: chains, service, disk and clock. */
export type SimulatedWorld = {
  /** True time, which chains and service use. */
  readonly clock: ManualClock
  /** The clock of the daemon's machine. */
  readonly daemonClock: SkewedClock
  readonly log: EventLog
  readonly ledgers: ReadonlyMap<ChainId, FakeLedger>
  readonly nodes: ReadonlyMap<ChainId, LaggingLedger>
  /** A second and a third node of each chain, for runs with several endpoints. */
  readonly others: ReadonlyMap<ChainId, LaggingLedger>
  readonly thirds: ReadonlyMap<ChainId, LaggingLedger>
  /** Until when each endpoint is dead, by host. */
  readonly deadUntilMs: Map<string, number>
  /** The current fee of a transaction by chain, and the reference price of one whole asset. */
  readonly market: Market
  readonly service: FakeService
  /** The service as the daemon sees it: `main`, and in some runs a second deployment that lies. */
  readonly deployments: FakeDeployments
  readonly journal: SqliteJournal
  /**
   * In a cluster the journal is the one of the daemon that leads, and an empty one without a
   * leader.
   */
  readonly lead: (journal: SqliteJournal | null) => void
  /** Watches the groups of steps that reach the disk together: the process that lives now. */
  readonly groups: { watcher: GroupWatcher | null; onCommit: () => void }
  readonly keptSpace: KeptSpace
  readonly close: () => void
}

export function createSimulatedWorld(startMs: number, isCluster = false): SimulatedWorld {
  const clock = createManualClock(startMs)
  const evm = createFakeLedger("account", ETH, {
    balances: { [ETH]: START_UNITS, [WBTC]: START_UNITS },
    ...withStranger(ETH),
    now: clock.now,
  })
  const arbitrum = createFakeLedger("account", ARB, {
    balances: { [ARB]: START_UNITS },
    ...withStranger(ARB),
    now: clock.now,
  })
  const solana = createFakeLedger("slots", SOL, {
    balances: { [SOL]: START_UNITS },
    ...withStranger(SOL),
    now: clock.now,
  })
  const starknet = createFakeLedger("account", STRK, {
    balances: { [STRK]: START_UNITS, [SNBTC]: START_UNITS },
    ...withStranger(STRK),
    now: clock.now,
  })
  const outpoints = Array.from({ length: 20 }, () => START_UNITS / 20n)
  const bitcoin = createFakeLedger("utxo", BTC, {
    balances: { [BTC]: START_UNITS },
    outpoints,
    now: clock.now,
  })
  const ledgers = new Map([
    [chainOf(ETH), evm],
    [chainOf(ARB), arbitrum],
    [chainOf(BTC), bitcoin],
    [chainOf(SOL), solana],
    [chainOf(STRK), starknet],
  ])
  const isToken = (id: AssetId): boolean => id === WBTC || id === SNBTC
  const service = createFakeService({ now: clock.now, ledgers, isToken, families: CHAIN_FAMILIES })
  service.conduct.deadlineAfterMs = 5 * 60_000
  service.conduct.sourceTimelock = 300n
  const groups: SimulatedWorld["groups"] = { watcher: null, onCommit: () => undefined }
  const own: SqliteJournal = cacheReads(
    openJournal(":memory:", {
      group: {
        schedule: scheduleGroups(clock),
        beforeCommit: () => groups.watcher?.beforeCommit(),
        onCommit: () => {
          groups.onCommit()
          groups.watcher?.onCommit()
        },
        onFailure: () => {
          // It also clears the cache.
          own.abandon()
          groups.watcher?.onFailure()
        },
      },
    }),
  )
  let leading = own
  const journal = isCluster ? delegateTo(own, () => leading) : own
  return {
    clock,
    daemonClock: createSkewedClock(clock),
    log: createEventLog(clock.now),
    ledgers,
    nodes: new Map([...ledgers].map(([chain, ledger]) => [chain, createLaggingLedger(ledger)])),
    others: new Map([...ledgers].map(([chain, ledger]) => [chain, createLaggingLedger(ledger)])),
    thirds: new Map([...ledgers].map(([chain, ledger]) => [chain, createLaggingLedger(ledger)])),
    deadUntilMs: new Map(),
    market: { fees: new Map(), referenceFiat: WHOLE_FIAT },
    service,
    deployments: createFakeDeployments(service.port),
    journal,
    lead: (next) => {
      leading = next ?? own
    },
    groups,
    keptSpace: { writes: 0 },
    close: () => own.close(),
  }
}

/** Calls each method of the journal that leads at that time. */
function delegateTo(shape: SqliteJournal, current: () => SqliteJournal): SqliteJournal {
  const methods = Object.keys(shape).map((name) => [
    name,
    (...args: unknown[]) => Reflect.apply(Reflect.get(current(), name), current(), args),
  ])
  // CAST: the same methods as the journal itself.
  return Object.fromEntries(methods) as SqliteJournal
}

/**
 * As the daemon: a group that no call waits for is open for 16 ms. Orders that wake at the same
 * instant write within three microtasks, so that they share a group.
 */
export function scheduleGroups(clock: Pick<Clock, "sleep">): GroupOptions["schedule"] {
  return (flush, { whenWanted }) => {
    const wanted = new AbortController()
    void clock.sleep(16, wanted.signal).then(() => !wanted.signal.aborted && flush())
    whenWanted(() => {
      wanted.abort("wanted")
      void Promise.resolve()
        .then(() => undefined)
        .then(() => undefined)
        .then(flush)
    })
  }
}

function withStranger(asset: AssetId): Pick<Genesis, "outpoints" | "swaps"> {
  return { outpoints: [], swaps: [strangerSwap(asset)] }
}

/** One process of the daemon: the real engine on faulty ports, over a journal that outlives it. */
export type Daemon = Life & {
  /** The time by the clock of its machine. */
  readonly now: () => number
  readonly engine: Engine
  readonly stop: () => void
  readonly reload: () => void
}

export type DaemonOptions = {
  readonly random: Random
  readonly nodes: Random
  readonly profile: FaultProfile
  readonly recorder: SignatureRecorder
  readonly bug: PlantedBug | null
  readonly adversary?: Adversary | null
  readonly issuer?: Issuer | null
  readonly rules: readonly RecurringRule[]
  readonly standing: readonly StandingTimedRule[]
  /** The configuration in force now. */
  readonly configuration: () => Configuration
  readonly isFirstLife: boolean
  readonly ids: { order: number; nonce: number }
  readonly onDeath: (how: FaultKind) => void
  /** The engine ended while its process lives. */
  readonly onEngineEnd: (error: unknown) => void
  readonly faults: FaultyPortDeps
  readonly onStep: Parameters<typeof createCrashingJournal>[2]["onStep"]
  readonly onWrite: Parameters<typeof createCrashingJournal>[2]["onWrite"]
  readonly onPoll: () => void
  /** A daemon of a cluster has a journal and a clock of its own. */
  readonly place?: DaemonPlace
}

export type DaemonPlace = {
  readonly journal: SqliteJournal
  readonly clock: Clock
  readonly proveLease: (since?: number) => Promise<void>
  readonly countProofs?: () => number
  readonly watch: (watcher: GroupWatcher) => void
  readonly hold: (report: () => void) => void
  /** A port that answers nothing while the process is frozen. */
  readonly freeze: <Port extends object>(port: Port) => Port
}

export function startDaemon(world: SimulatedWorld, options: DaemonOptions): Daemon {
  const { profile, ids, bug, recorder, faults } = options
  const stopping = new AbortController()
  const place = options.place ?? placeOf(world, profile, faults)
  let alive = true
  const stop = (): void => {
    alive = false
    stopping.abort()
  }
  const die = (how: FaultKind): void => {
    if (!alive) return
    stop()
    // What is not on disk dies with the process.
    place.journal.abandon()
    options.onDeath(how)
  }
  const life = { isAlive: () => alive, die }
  const { isHostile, countFault, log, outage } = faults
  const { random, onStep, onWrite, onPoll } = options
  const { keptSpace } = world
  const { clock } = place
  const watched = {
    log,
    random,
    profile,
    recorder,
    isHostile,
    countFault,
    outage,
    keptSpace,
    onStep,
    onWrite,
    onPoll,
  }
  const { adversary = null, issuer = null } = options
  const kept =
    adversary === null ? place.journal : loseDecisions(place.journal, adversary.decisions)
  const { journal: crashingJournal, watcher } = createCrashingJournal(kept, life, {
    ...watched,
    clock,
    ...(options.place === undefined ? {} : { hold: options.place.hold }),
  })
  place.watch(watcher)
  const chains = new Map<ChainId, ChainPort>()
  const slot = { free: Promise.resolve() as Promise<unknown> }
  const attacked = (port: ChainPort, chain: ChainId): ChainPort => {
    const ledger = mustExist(world.ledgers.get(chain), "a ledger of each chain")
    return adversary === null
      ? port
      : attackPort(port, { adversary, chain, ledger, clock: world.clock })
  }
  for (const chain of world.nodes.keys()) {
    const key = plantInKey(bug, attacked(createChainNodes(world, chain, options), chain))
    const port = createFaultyPort(
      chain,
      plantInChain(bug, recorder.watchChain(key, clock), { clock: world.clock, slot }),
      life,
      faults,
    )
    const shown = plantOutsideChain(bug, port)
    chains.set(chain, place.freeze(issuer === null ? shown : withFaultyLegs(shown, life, faults)))
  }
  const settingsNow = (): EngineSettings => ({
    ...toSettings(plantInConfiguration(bug, options.configuration()), [
      ...plantInRules(bug, options.rules),
      ...options.standing,
    ]),
    ...(profile.hasOwnSecrets ? { ownSecrets: OWN_SECRETS } : {}),
    ...(adversary?.pausesNothing ? { onAlarm: "continue" as const } : {}),
    ...(profile.maxServiceSecret === undefined
      ? {}
      : { ownSecrets: serviceSecretsUpTo(profile.maxServiceSecret) }),
  })
  const fixed: FixedParts = {
    ...(place.proveLease === undefined ? {} : { proveLease: place.proveLease }),
    ...(place.countProofs === undefined ? {} : { countProofs: place.countProofs }),
    ...(adversary?.signer == null ? {} : { keyRecord: adversary.signer.keyRecord }),
    journal: plantInJournal(bug, crashingJournal, {
      now: world.clock.now,
      isFirstLife: options.isFirstLife,
      rules: options.rules,
      policy: () => options.configuration().policy,
    }),
    clock,
    log: silentLogger,
    newOrderId: () => `order-${++ids.order}`,
    newNonce: () => String(++ids.nonce),
  }
  const deployments = [...world.deployments.ports]
    .filter(([name]) => name === "main" || profile.hasSecondService)
    .map(
      ([name, port]) =>
        [
          name,
          place.freeze(createFaultyPort(name === "main" ? "service" : name, port, life, faults)),
        ] as const,
    )
  const services = plantInServices(
    bug,
    new Map(deployments.map(([name, port]) => [name, tellUnder(world, adversary, life, port)])),
  )
  const prices: EngineContext["prices"] = {
    fetchPrice: async () =>
      profile.hasReference ? { fiat: world.market.referenceFiat, sources: 1 } : null,
  }
  const routes =
    issuer === null
      ? {}
      : { routes: new Map([[KIND, createFaultyPort("issuer", issuer.route, life, faults)]]) }
  const configured = (): ConfiguredParts => ({
    services,
    ...routes,
    prices,
    chains,
    settings: settingsNow(),
  })
  const { context, replace } = createLiveContext(fixed, configured())
  const engine = createEngine(context)
  void engine.run(stopping.signal).catch((error: unknown) => {
    if (alive) options.onEngineEnd(error)
  })
  const reload = (): void => {
    // The daemon replaces its settings at once too.
    replace(configured())
  }
  return { ...life, now: clock.now, engine, stop, reload }
}

/** The parts of other kinds on a chain are behind the same bad network. */
function withFaultyLegs(port: ChainPort, life: Life, faults: FaultyPortDeps): ChainPort {
  if (port.routeLegs === undefined) return port
  const legs = [...port.routeLegs].map(
    ([kind, leg]) => [kind, createFaultyPort(port.chain, leg, life, faults)] as const,
  )
  const routeLegs = new Map(legs)
  return new Proxy(port, {
    get: (target, key) => (key === "routeLegs" ? routeLegs : Reflect.get(target, key)),
  })
}

/** How long the machine is down when a decision to tell a secret is lost with its process. */
const LOST_REST_MS = 20_000

/** The service of an adversary outlives some processes of the daemon that tell it a secret. */
function tellUnder(
  world: SimulatedWorld,
  adversary: Adversary | null,
  life: Life,
  port: ServicePort,
): ServicePort {
  if (adversary === null) return port
  const { decisions, process } = adversary
  const hashOf = (orderId: string): string =>
    world.service.orders.find((order) => order.orderId === orderId)?.secretHash ?? ""
  return dieAfterTelling(port, { decisions, hashOf, life }, () => {
    process.restsUntilMs = world.clock.now() + LOST_REST_MS
    adversary.noteMeans("a lost decision")
  })
}

/** The one machine of a treasury without a cluster. */
function placeOf(
  world: SimulatedWorld,
  { hasLease }: FaultProfile,
  faults: FaultyPortDeps,
): Omit<DaemonPlace, "proveLease" | "hold"> & Partial<Pick<DaemonPlace, "proveLease">> {
  return {
    journal: world.journal,
    clock: world.daemonClock,
    ...(hasLease ? { proveLease: async () => faults.onCall("lease", "proveLease", []) } : {}),
    watch: (watcher) => {
      world.groups.watcher = watcher
    },
    freeze: (port) => port,
  }
}

function toSettings(configuration: Configuration, rules: EngineSettings["rules"]): EngineSettings {
  const { limits, mode, cooldownMs, policy } = configuration
  return {
    assets: new Map(ASSETS.map((entry) => [entry.id, entry])),
    limits,
    cooldownMs,
    minNative: new Map(),
    priceToleranceBps: 0n,
    affiliateFees: [],
    rules,
    policyFor: (_from, to) => {
      return { ...policy, redeemStuckAfterMs: redeemWaitMs(policy, to) }
    },
    destinationFor: (to) => accountOf(chainOf(to)),
    mode,
  }
}

/** As the daemon counts it: nothing replaces a transaction of Solana while it is valid. */
function redeemWaitMs({ stuckAfterMs, timelocks }: OrderPolicy, to: AssetId): number {
  const lifeMs = Number(LIFE_IN_BLOCKS) * timelocks.destination.secondsPerUnit * 1_000
  return to === SOL ? Math.max(stuckAfterMs, lifeMs) : stuckAfterMs
}

/**
 * The value of one whole asset: a unit is worth one fiat unit, and every asset has eight decimals.
 */
export const WHOLE_FIAT = 1_000_000n * 10n ** 8n
