import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import {
  type Asset,
  type AssetId,
  type ChainId,
  type Family,
  parseAssetId,
  toChainId,
} from "#domain/asset.ts"
import type { OrderPolicy } from "#domain/order.ts"
import type { EngineContext, EngineSettings } from "#engine/context.ts"
import { createEngine, type Engine } from "#engine/engine.ts"
import { createMemory } from "#engine/memory.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { silentLogger } from "#lib/log.ts"
import { decodeOrder, type Order } from "#order/step.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Journal } from "#ports/journal.ts"
import type { PricePort } from "#ports/prices.ts"
import { createFakeChain, FEE } from "./fake-chain.ts"
import { createFakeLedger, type FakeLedger, HTLC } from "./fake-ledger.ts"
import { createFakeService, type FakeService } from "./fake-service.ts"
import { createFaults, type Faults } from "./faults.ts"
import { createManualClock, type ManualClock, settle } from "./manual-clock.ts"

export const BTC = parseAssetId("bitcoin_testnet:btc")
export const WBTC = parseAssetId("base_sepolia:wbtc")
export const ETH = parseAssetId("base_sepolia:eth")
/** A second chain of kind `account`, for routes without Bitcoin. */
export const ARB = parseAssetId("arbitrum_sepolia:eth")
export const SOL = parseAssetId("solana_testnet:sol")
/** Starknet's native coin, which pays the fees, and a token there. */
export const STRK = parseAssetId("starknet_sepolia:strk")
export const SNBTC = parseAssetId("starknet_sepolia:wbtc")

const START_MS = Date.UTC(2026, 2, 2, 8)
/** More turns than this at one instant are a busy loop. */
const MAX_TURNS = 2_000

/**
 * Two chains of kind `account` and one of kind `utxo`, a swap service with its solver, and one
 * wallet, all in memory. The real engine runs on them with a real journal. Time advances only in
 * `run`, so that every run is the same.
 */
export type World = {
  readonly clock: ManualClock
  readonly faults: Faults
  readonly service: FakeService
  /** All services by name, `main` first; tests add to it before they start the daemon. */
  readonly services: Map<string, FakeService>
  /** Adds a service on the same chains. */
  readonly addService: (name: string) => FakeService
  readonly evm: FakeLedger
  readonly arbitrum: FakeLedger
  readonly bitcoin: FakeLedger
  /** Every signature that the wallet has made. */
  readonly signatures: string[]
  /** The changed code of contracts, by address. */
  readonly codes: Map<string, string>
  /**
   * The present fee of a transaction by chain, where it is not the usual one. Blocks take no
   * transaction of ours with a lower one.
   */
  readonly fees: Map<string, bigint>
  readonly journalFile: string
  /** The world acts so often, every second by default. */
  tickMs: number
  /** Mines one block per tick and chain. */
  autoMine: boolean
  /** The service and its solver act in each tick. */
  serviceActs: boolean
  readonly start: (options?: StartOptions) => Daemon
  /** Lets time pass until `done`. Throws after `maxMs` of the world's time. */
  readonly run: (done: () => boolean, maxMs?: number) => Promise<void>
  readonly pass: (ms: number) => Promise<void>
  /** Restarts the count of order ids at one, for a request that the journal never stored. */
  readonly forgetIds: () => void
  readonly close: () => void
}

export type StartOptions = {
  readonly settings?: Partial<EngineSettings>
  readonly policy?: Partial<OrderPolicy>
  /** By default no asset has a price source. */
  readonly prices?: PricePort
  /** Adds an ability to the port of a chain. */
  readonly adaptPort?: (port: ChainPort) => ChainPort
  /** The process dies just before or just after its Nth write to the journal. */
  readonly dies?: { readonly at: number; readonly when: "after" | "before" }
  /** Changes the context before the engine begins. */
  readonly adaptContext?: (context: EngineContext) => EngineContext
  /** The journal keeps space for a full disk. */
  readonly hasSpace?: () => boolean
}

export type Daemon = {
  readonly engine: Engine
  readonly context: EngineContext
  readonly isAlive: () => boolean
  readonly commits: () => number
  readonly order: (id: string) => Order
  readonly state: (id: string) => string
  /** Submits a swap, which admission must accept, and returns the order's id. */
  readonly accept: (from?: AssetId, to?: AssetId, sourceUnits?: bigint) => Promise<string>
  /** Lets time pass until the order has the state; the order is the first by default. */
  readonly reach: (state: string, id?: string, maxMs?: number) => Promise<void>
  /** The codes of all alerts, the latest first. */
  readonly alerts: () => string[]
  /** The codes of an order's reasons, of the first order by default. */
  readonly reasons: (id?: string) => string[]
  readonly kill: () => void
}

/**
 * `arbitrum`: the family of that chain, where it is not EVM. `pairs`: deposits go together with
 * their approvals; by default each approval goes alone, as for a token that wants zero first.
 */
type WorldOptions = {
  confirmations?: number
  seenDepth?: number
  journal?: "file"
  arbitrum?: "evm" | "starknet" | "solana"
  pairs?: boolean
}

/** A world that is closed at the end of the test that creates it. */
export function createWorld(options: WorldOptions = {}): World {
  const world = openWorld(options)
  onTestFinished(world.close)
  return world
}

export function openWorld(options: WorldOptions = {}): World {
  const clock = createManualClock(START_MS)
  const faults = createFaults(clock)
  const fees = new Map<string, bigint>()
  const feeOf = (asset: AssetId) => ({ leastFee: () => fees.get(chainIdOf(asset)) ?? 0n })
  const evm = createFakeLedger("account", ETH, {
    balances: { [ETH]: 1_000_000n, [WBTC]: 1_000_000n },
    outpoints: [],
    ...feeOf(ETH),
  })
  const arbitrum = createFakeLedger(options.arbitrum === "solana" ? "slots" : "account", ARB, {
    balances: { [ARB]: 1_000_000n },
    outpoints: [],
    ...feeOf(ARB),
  })
  const outpoints = Array.from({ length: 20 }, () => 50_000n)
  const bitcoin = createFakeLedger("utxo", BTC, {
    balances: { [BTC]: 1_000_000n },
    outpoints,
    ...feeOf(BTC),
  })
  const ledgers = new Map(
    [WBTC, ARB, BTC].map((id, index) => [chainIdOf(id), [evm, arbitrum, bitcoin][index] ?? evm]),
  )
  const serviceDeps = { now: clock.now, ledgers, isToken: (id: AssetId) => id === WBTC }
  const service = createFakeService(serviceDeps)
  const services = new Map([["main", service]])
  const directory = mkdtempSync(join(memoryDirectory(), "world-"))
  const journalFile = join(directory, "journal.db")
  const daemons: Daemon[] = []
  const ids = { order: 0, nonce: 0 }
  const signatures: string[] = []
  const codes = new Map<string, string>()
  let lastTickMs = START_MS

  const world: World = {
    clock,
    faults,
    service,
    services,
    addService: (name) => {
      const added = createFakeService({ ...serviceDeps, name })
      services.set(name, added)
      return added
    },
    evm,
    arbitrum,
    bitcoin,
    signatures,
    codes,
    fees,
    journalFile,
    tickMs: 1_000,
    autoMine: true,
    serviceActs: true,
    start: (start = {}) => {
      const daemon = startDaemon(
        {
          clock,
          faults,
          services,
          ledgers,
          signatures,
          codes,
          fees,
          ids,
          journalFile,
          confirmations,
          ...seenDepth,
          pairs: () => options.pairs === true,
          ...(options.arbitrum === "starknet" ? { arbitrum: "starknet" as const } : {}),
          run: (done, maxMs) => world.run(done, maxMs),
        },
        start,
      )
      daemons.push(daemon)
      return daemon
    },
    run: async (done, maxMs = 60 * 60_000) => {
      const untilMs = clock.now() + maxMs
      let turnMs = clock.now()
      for (let turns = 0; ; turns++) {
        await settle()
        if (done()) return
        if (clock.now() !== turnMs) {
          turnMs = clock.now()
          turns = 0
        }
        if (turns > MAX_TURNS) throw new Error(`A busy loop at one instant: ${describe(daemons)}`)
        if (clock.now() >= untilMs)
          throw new Error(`Not done within ${maxMs} ms: ${describe(daemons)}`)
        const nextMs = Math.min(
          clock.nextTimerMs() ?? Number.POSITIVE_INFINITY,
          lastTickMs + world.tickMs,
          untilMs,
        )
        clock.set(Math.max(nextMs, clock.now()))
        if (clock.now() >= lastTickMs + world.tickMs) tick()
      }
    },
    pass: (ms) => {
      const untilMs = clock.now() + ms
      return world.run(() => clock.now() >= untilMs, ms)
    },
    forgetIds: () => {
      ids.order = 0
    },
    close: () => {
      for (const daemon of daemons) daemon.kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  const confirmations = options.confirmations ?? 1
  const seenDepth = options.seenDepth === undefined ? {} : { seenDepth: options.seenDepth }
  return world

  function tick(): void {
    lastTickMs = clock.now()
    if (world.serviceActs) for (const each of services.values()) each.act()
    if (world.autoMine) for (const ledger of ledgers.values()) ledger.mine()
  }
}

/** A folder in memory if possible: the tests check the order of writes and not the disk. */
function memoryDirectory(): string {
  return existsSync("/dev/shm") ? "/dev/shm" : tmpdir()
}

type WorldParts = {
  readonly clock: ManualClock
  readonly faults: Faults
  readonly services: ReadonlyMap<string, FakeService>
  readonly ledgers: ReadonlyMap<ChainId, FakeLedger>
  readonly signatures: string[]
  readonly codes: ReadonlyMap<string, string>
  readonly fees: ReadonlyMap<string, bigint>
  readonly arbitrum?: Family
  readonly pairs: () => boolean
  readonly ids: { order: number; nonce: number }
  readonly journalFile: string
  readonly confirmations: number
  readonly seenDepth?: number
  readonly run: World["run"]
}

function startDaemon(
  world: WorldParts,
  {
    settings,
    policy,
    prices,
    adaptPort = (port) => port,
    adaptContext = (own) => own,
    dies,
    hasSpace,
  }: StartOptions,
): Daemon {
  const { clock, faults, ledgers, ids, signatures, codes, fees, confirmations, seenDepth, pairs } =
    world
  const stopping = new AbortController()
  let alive = true
  let open = true
  let commits = 0
  const isAlive = (): boolean => alive
  const die = (): never => {
    alive = false
    stopping.abort()
    throw new Error("the process died")
  }
  const real = openJournal(world.journalFile, {
    afterCommit: () => {
      commits += 1
      if (dies?.when === "after" && commits === dies.at) die()
    },
  })
  const beforeWrite = (): void => {
    if (!alive) throw new Error("the process is dead")
    if (dies?.when === "before" && commits + 1 === dies.at) die()
  }
  const keepSpace = hasSpace ?? real.keepSpace
  const journal = createCrashingJournal({ ...real, keepSpace }, beforeWrite, isAlive)
  const chains = new Map<ChainId, ChainPort>()
  for (const [chain, ledger] of ledgers) {
    const family =
      world.arbitrum !== undefined && chain === chainIdOf(ARB) ? { family: world.arbitrum } : {}
    const fee = () => fees.get(chain) ?? FEE
    const port = createFakeChain({
      pairs,
      chain,
      ledger,
      assets: ASSETS,
      confirmations,
      ...(seenDepth === undefined ? {} : { seenDepth }),
      signatures,
      codes,
      fee,
      ...family,
    })
    chains.set(chain, faults.wrap(chain.split("_")[0] ?? "", adaptPort(port), isAlive))
  }
  const context = adaptContext({
    journal,
    memory: createMemory(),
    services: new Map(
      [...world.services].map(([name, { port }]) => [
        name,
        faults.wrap(name === "main" ? "service" : name, port, isAlive),
      ]),
    ),
    prices: prices ?? { fetchPrice: async () => null },
    chains,
    clock,
    log: silentLogger,
    settings: { ...defaultSettings(policy), ...settings },
    newOrderId: () => `order-${++ids.order}`,
    newNonce: () => String(++ids.nonce),
  })
  const engine = createEngine(context)
  void engine.run(stopping.signal).catch(() => undefined)
  const order = (id: string): Order => decodeOrder(real.findOrder(id)?.snapshot ?? "")
  const state = (id: string): string => real.findOrder(id)?.state ?? "none"
  return {
    engine,
    context,
    isAlive,
    commits: () => commits,
    order,
    state,
    accept: async (from = ETH, to = BTC, sourceUnits = 10_000n) => {
      const admission = await engine.submit({ from, to, sourceUnits })
      if (!admission.ok) throw new Error(JSON.stringify(admission.reasons))
      return admission.id
    },
    reach: (wanted, id = "order-1", maxMs) => world.run(() => state(id) === wanted, maxMs),
    alerts: () => real.listAlerts(100).map(({ reason }) => reason.code),
    reasons: (id = "order-1") => order(id).data.reasons.map(({ code }) => code),
    kill: () => {
      alive = false
      stopping.abort()
      if (open) real.close()
      open = false
    },
  }
}

/** The journal of a process that can die. A dead process neither reads nor writes. */
function createCrashingJournal(
  journal: Journal,
  beforeWrite: () => void,
  isAlive: () => boolean,
): Journal {
  const writes = [
    "openOrder",
    "commit",
    "beginWork",
    "postponeWork",
    "claimSignature",
    "decideSecret",
    "settleOccurrence",
    "recordDecision",
    "writeFlag",
  ]
  return new Proxy(journal, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== "function") return value
      return (...args: unknown[]) => {
        if (writes.includes(String(key))) beforeWrite()
        if (!isAlive()) throw new Error("the process is dead")
        return Reflect.apply(value, target, args)
      }
    },
  })
}

function asset(id: AssetId, token: string | null, htlc: readonly string[]): Asset {
  return { id, chain: chainIdOf(id), decimals: 8, token, htlc }
}

function chainIdOf(id: AssetId): ChainId {
  return toChainId(id.split(":")[0] ?? "")
}

export const ASSETS: readonly Asset[] = [
  asset(BTC, null, []),
  asset(WBTC, "0xtoken", [HTLC]),
  asset(ETH, null, [HTLC]),
  asset(ARB, null, [HTLC]),
]

export const POLICY: OrderPolicy = {
  way: "onchain",
  maxCost: { kind: "share", bps: 60n },
  pollMinMs: 1_000,
  pollMaxMs: 5_000,
  stuckAfterMs: 20_000,
  patienceMs: 30 * 60_000,
  depositWindowMs: 10 * 60_000,
  deadlineMarginMs: 60_000,
  reportPatienceMs: 60_000,
  timelocks: {
    source: { min: 200n, max: 5_000n, secondsPerUnit: 1 },
    destination: { min: 10n, max: 1_000n, secondsPerUnit: 1 },
  },
  approveAbove: null,
  approvalTtlMs: 60 * 60_000,
}

export function defaultSettings(policy: Partial<OrderPolicy> = {}): EngineSettings {
  return {
    assets: new Map(ASSETS.map((entry) => [entry.id, entry])),
    limits: { maxOrder: null, maxInFlight: 8, windows: [] },
    cooldownMs: null,
    minNative: new Map(),
    priceToleranceBps: 0n,
    affiliateFees: [],
    rules: [],
    policyFor: () => ({ ...POLICY, ...policy }),
    destinationFor: (to) => `${chainIdOf(to)}/wallet`,
    mode: "live",
  }
}

function describe(daemons: readonly Daemon[]): string {
  const alive = daemons.filter((daemon) => daemon.isAlive()).at(-1)
  const orders = alive?.context.journal.listOrders({ limit: 5 }) ?? []
  return orders
    .map(
      ({ id, state, snapshot }) =>
        `${id} ${state} ${JSON.stringify(decodeOrder(snapshot).data.reasons)}`,
    )
    .join("; ")
}
