import type { Config } from "#config/config.ts"
import { configHash } from "#config/hash.ts"
import { isReal } from "#config/judge/is-main-network.ts"
import type { LoadedConfig } from "#config/load.ts"
import type { EngineContext, Remembering } from "#engine/context.ts"
import { createEngine, type Engine } from "#engine/engine.ts"
import type { LiveContext } from "#engine/live-context.ts"
import { ASSET_MISMATCH } from "#engine/watches/asset-gate.ts"
import { forgetFault, noteFault, noteStranger } from "#engine/watches/part-faults.ts"
import { createReconciler, type Reconciler } from "#engine/watches/reconciler.ts"
import type { StartReading } from "#health/readings.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { LogTrouble } from "#lib/log-writer.ts"
import { createPacesOf, type PacesOf } from "#nodes/paces.ts"
import { createApp } from "#ops/create-app.ts"
import type { Operations } from "#ops/operations.ts"
import type { Journal } from "#ports/journal.ts"
import type { TraceExport } from "#telemetry/export-traces.ts"
import { createHandOver } from "./cluster/hand-over.ts"
import type { Membership } from "./cluster/join-cluster.ts"
import { assetsOf, compose, loadChains, openChains } from "./compose.ts"
import { createDesk } from "./serve/create-desk.ts"
import { listenOnSocket, listenOnTcp, type TcpListener } from "./serve/listen.ts"
import { createOperations } from "./serve/operations.ts"
import { hostsOf, tokensOf } from "./serve/ops-access.ts"
import { writeConfigInForce } from "./start/config-in-force.ts"
import type { InstanceLock } from "./start/instance-lock.ts"
import { journalFile } from "./start/journal-file.ts"
import type { KeySource } from "./start/key-source.ts"
import { createReadyChains } from "./start/ready-chains.ts"
import { recoverRestored } from "./start/recover-restored.ts"
import { refuseReplica } from "./start/refuse-replica.ts"
import { createReloader, type Reloaded } from "./start/reload.ts"
import { writeRuntimeFile } from "./start/runtime-file.ts"
import { socketFile } from "./start/socket-file.ts"
import { readStopFile } from "./start/stop-file.ts"
import { createFeed } from "./views/order-feed.ts"
import { forgetStarts, noteStart } from "./watch/cut-off-starts.ts"
import { createHealthWatch } from "./watch/health-watch.ts"
import { createJournalWatch, type JournalWatch } from "./watch/journal-watch.ts"
import { createServiceCalls, type ServiceCalls } from "./watch/service-calls.ts"
import { schedulesOf, startWaker } from "./watch/waker.ts"

type Runtime = {
  readonly clock: Clock
  readonly log: Logger
  /** The absolute path of the configuration file. */
  readonly file: string
  readonly version: string
  /**
   * Reads the version of the installed package, which differs after an upgrade without a restart.
   */
  readonly readVersion?: () => string
  /** `null` while the log takes its lines. */
  readonly readLogTrouble?: () => LogTrouble | null
  readonly readLog: Operations["readLog"]
  /** The configuration file; `null` for the sandbox's, which is a part of the program. */
  readonly ownFile?: string | null
  readonly source: () => LoadedConfig
  /** Throws as a start would for the file as it is now; looks up no key. */
  readonly check?: () => void
  /** For the variables that every program with OpenTelemetry reads. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly afterCommit?: () => void
  /** Ends the process at once: the treasury's lease is lost. Does not return. */
  readonly endProcess: (error: unknown) => void
  /** Asks for the end of the daemon, after which a standby leads. */
  readonly onHandOver: () => void
  /**
   * The journal is open, and the next step asks nodes and services, whose answers may be hostile.
   * May be called again.
   */
  readonly onFirstRequest?: () => void
  /** The start goes on to this step. */
  readonly onStep?: (step: StartReading["step"]) => void
  /** Another daemon holds the lease, and this one answers as a standby. */
  readonly onStandby?: () => void
  /** The keys of a signer process; absent where the daemon holds them itself. */
  readonly keys?: KeySource
  /** Of a shadow, which notes its moves in it; absent where the daemon opens its own. */
  readonly journal?: Journal
  /** Of the data directory. The daemon releases it at its end. */
  readonly lock: InstanceLock
}

/**
 * A running daemon. `stop` finishes running work and begins no new work; it resolves when the
 * journal is closed.
 */
export type Daemon = {
  /** Of the TCP listener, or `unix:` and the path of the socket. */
  readonly url: string
  /** Pauses everything, as a signal from outside asks. */
  readonly pause: (reason: string) => Promise<void>
  /** Reads the configuration again; never throws for a bad one. */
  readonly reload: () => Promise<Reloaded>
  readonly stop: () => Promise<void>
}

/**
 * Opens journal, engine and HTTP. The daemon is ready when it accepts orders, and when each asset
 * was once compared with its chain; a service or node that does not answer does not stop the start.
 *
 * With `journal` in the configuration it first waits for the treasury's lease, and answers as a
 * standby meanwhile.
 *
 * Throws `cluster.*`, `journal.*` and `config.*` (fatal), also `asset.mismatch` (fatal) when an
 * asset differs from its chain, `ops.listen`, `ops.socket` and `ops.tls` (fatal) when it cannot
 * listen.
 */
export async function startDaemon(loaded: LoadedConfig, runtime: Runtime): Promise<Daemon> {
  const { clock, log, source } = runtime
  const { config } = loaded
  const learnt = { calls: createServiceCalls(() => clock.now()), pacesOf: createPacesOf(clock) }
  const { live, cluster } = await composeMember(loaded, { ...runtime, ...learnt })
  const { context } = live
  const engine = createEngine(context)
  const reconciler = compareBooks(context, runtime, () => reloader.current().books)
  const [isOlder] = await Promise.all([engine.checkJournal(), refuseOtherAssets(engine)])
  const stopping = new AbortController()
  const reloader = createReloader(live, loaded, {
    source,
    keys: runtime.keys,
    ...learnt,
    onRead: ({ text }) => writeConfigInForce(config.dataDir, { file: runtime.file, text }),
    onChange: async ({ log: { level }, ops }) => {
      log.level = level
      server.tcp?.replaceTls(ops.tls)
      await waker.stop()
      waker = wakeBySchedule(context, engine)
    },
  })
  const journalWatch = createJournalWatch({ ...context, file: journalFile(config) })
  const isReady = (): boolean => !stopping.signal.aborted && hasNoDoubt(engine, journalWatch)
  const startedAtMs = clock.now()
  const health = watchHealth(context, engine, reloader.current, { reconciler, runtime, learnt })
  const traces = await openTraces(context, config, runtime)
  const desk = createDesk(live, engine, {
    reloader,
    health,
    journalWatch,
    startedAtMs,
    runtime: { ...runtime, ...learnt },
    traces,
    cluster: () => cluster?.watch.read(),
  })
  const operations = createOperations(context, engine, {
    ...desk,
    isReady,
    startedAtMs,
    handOver: createHandOver({ cluster, clock, end: runtime.onHandOver }),
    configHash: () => configHash(reloader.current()),
    reload: () => reloader.reload(),
    subscribe: createFeed(context, clock, stopping.signal).subscribe,
    reconciler,
    chains: () => reloader.current().chains,
  })
  const server = await serve(operations, reloader.current, { ...runtime, memory: context.memory })
  const parts = [engine, reconciler, health, journalWatch, desk.parts, traces ?? []].flat()
  const running = Promise.all([
    ...parts.map((part) => part.run(stopping.signal)),
    isOlder ? recoverRestored({ context, engine }, stopping.signal) : null,
  ])
  let waker = wakeBySchedule(context, engine)
  const removeRuntimeFile = announce(loaded, runtime, { ...server, chains: context.chains })
  log.info({ url: server.url, mode: config.mode, open: context.journal.countInFlight() }, "Ready")
  return {
    url: server.url,
    pause: (reason) => engine.pause({ kind: "all" }, { by: "signal", reason }),
    reload: reloader.reload,
    stop: async () => {
      stopping.abort()
      removeRuntimeFile()
      await waker.stop()
      await server.close()
      await running
      await release(runtime, { context, cluster, journalWatch })
    },
  }
}

/** The schedules may be new, so the engine looks for due rules now. */
function wakeBySchedule(
  { settings, log }: EngineContext,
  { wake }: Engine,
): ReturnType<typeof startWaker> {
  const waker = startWaker(schedulesOf(settings.rules), wake, log)
  wake()
  return waker
}

function hasNoDoubt(engine: Engine, journalWatch: JournalWatch): boolean {
  return engine.findAssetDoubts().length === 0 && journalWatch.read() === null
}

type Released = Pick<Member, "cluster"> & {
  readonly context: EngineContext
  readonly journalWatch: JournalWatch
}

/** Gives back keys, journal, lease and lock once no part of the daemon runs. */
async function release(
  { keys, lock, log }: Runtime,
  { context, cluster, journalWatch }: Released,
): Promise<void> {
  await journalWatch.saveLast()
  await keys?.stop()
  await closeJournal(context, cluster)
  lock.release()
  log.info({}, "Stopped")
}

function serve(
  operations: Operations,
  current: () => Config,
  { version, log, clock, memory }: Runtime & Remembering<"faults">,
): Promise<Listeners> {
  const note = (part: string) => (words: string) => noteStranger({ memory, clock }, part, words)
  const tokens = (): ReturnType<typeof tokensOf> => tokensOf(current().ops)
  const app = createApp(operations, {
    tokens,
    agents: () => current().ops.agents,
    hosts: () => hostsOf(current().ops),
    version,
    log,
    clock,
    noteRefused: (what, words) => note(`port: ${what}`)(words),
  })
  return listen(app.fetch, current(), note("port: connections"))
}

/**
 * Only the holder of the treasury's lease works with the chains, and its wallets must be the
 * treasury's. A standby opens them when the leader seems to be gone.
 */
async function composeMember(
  loaded: LoadedConfig,
  runtime: Runtime & { readonly calls: ServiceCalls; readonly pacesOf: PacesOf },
): Promise<Member> {
  const { config } = loaded
  const { clock, keys, pacesOf } = runtime
  const openAll = (): ReturnType<typeof openChains> => openChains(config, clock, keys, pacesOf)
  const ready = createReadyChains(openAll, (chain) => assetsOf(config, chain), clock)
  const { onFirstRequest = () => undefined } = runtime
  const cluster = await join(loaded, runtime, () => {
    onFirstRequest()
    void ready.readAhead()
  })
  const chains = await ready.open()
  runtime.onStep?.("journal")
  const live = await compose(config, {
    ...runtime,
    ...cluster,
    chains,
    readStopFile: () => readStopFile(config.dataDir),
  })
  runtime.onStep?.("chains")
  // Not before: a large journal may take long to open, and that is no stall.
  onFirstRequest()
  await cluster?.registerWallets([...live.context.chains.values()])
  return { live, cluster }
}

type Member = { readonly live: LiveContext; readonly cluster: Membership | null }

/** A standby takes over as soon as the lease is released, so the journal is closed before. */
async function closeJournal({ journal }: EngineContext, cluster: Membership | null): Promise<void> {
  await cluster?.drain()
  journal.close()
  await cluster?.leave()
}

/**
 * With `journal` this returns when the process holds the treasury's lease; until then it answers as
 * a standby.
 */
async function join(
  { config, written }: LoadedConfig,
  runtime: Runtime,
  onMissedRenewal: () => void,
): Promise<Membership | null> {
  const { clock, log, readLog, endProcess, afterCommit, version } = runtime
  const { journal: url, treasury } = config
  const file = journalFile(config)
  if (url === null) {
    refuseReplica(file)
    return null
  }
  // Only a cluster needs the client of PostgreSQL.
  const { joinCluster } = await import("./cluster/join-cluster.ts")
  const { openMemberHost } = await import("./cluster/member-host.ts")
  const host = openMemberHost({ url, file, log, ...(afterCommit ? { afterCommit } : {}) })
  const prepare = (): Promise<void> => loadChains(config)
  const parts = {
    host,
    treasury,
    file,
    version,
    clock,
    log,
    endProcess,
    prepare,
    onMissedRenewal,
    isReal: isReal(config),
  }
  return joinCluster(parts, async ({ read }) => {
    const { serveStandby } = await import("./cluster/serve-standby.ts")
    const server = await listen(
      serveStandby({ config, written, file, version, clock, log, readLog, cluster: read }).fetch,
      config,
    )
    runtime.onStandby?.()
    return server.close
  })
}

/** Without a collector nothing of the traces is loaded. */
async function openTraces(
  { journal, clock, log, memory }: EngineContext,
  { telemetry: { otlp }, treasury }: Config,
  { version, env = {} }: Runtime,
): Promise<TraceExport | null> {
  const isNamed = Object.keys(env).some((name) => name.startsWith("OTEL_EXPORTER_OTLP_"))
  if (otlp === null && !isNamed) return null
  const { findCollector } = await import("#telemetry/find-collector.ts")
  const collector = findCollector(otlp, env)
  if (collector === null) return null
  const { createTraceExport } = await import("#telemetry/export-traces.ts")
  const resource = {
    "service.name": "ballast",
    "service.version": version,
    "ballast.treasury": treasury,
  }
  const note = (error: string | null): void =>
    error === null
      ? forgetFault({ memory }, "traces")
      : noteFault({ memory, clock }, "traces", error)
  return createTraceExport({ journal, clock, log, collector, resource, note })
}

/**
 * Writes the facts that let commands find this daemon without a valid configuration. Returns the
 * function that takes them back.
 */
function announce(
  { config, text }: LoadedConfig,
  { file, version, clock }: Runtime,
  { tcp, chains }: Listeners & Pick<EngineContext, "chains">,
): () => void {
  writeConfigInForce(config.dataDir, { file, text })
  const remove = writeRuntimeFile(config.dataDir, {
    socket: socketFile(config),
    url: tcp?.url ?? null,
    pid: process.pid,
    treasury: config.treasury,
    version,
    startedAt: new Date(clock.now()).toISOString(),
    config: file,
    wallets: Object.fromEntries(
      [...chains.values()].map(({ chain, account, publicKey = account }) => [chain, publicKey]),
    ),
  })
  noteStart(config.dataDir, clock.now())
  return () => {
    forgetStarts(config.dataDir)
    remove()
  }
}

/** Wrong decimals or a wrong contract move other amounts of money than the configuration says. */
async function refuseOtherAssets(engine: Engine): Promise<void> {
  const differences = (await engine.checkAssets()).filter(({ code }) => code === ASSET_MISMATCH)
  if (differences.length === 0) return
  const remedy = "Correct decimals, token or htlc of the asset in the configuration"
  const message = [...differences.map((reason) => reason.message), remedy].join("\n")
  throw new AppError({
    code: ASSET_MISMATCH,
    disposition: "fatal",
    message,
    details: { assets: differences.length },
  })
}

/** A reload replaces the prices of the context. */
function watchHealth(
  context: EngineContext,
  { trust }: Engine,
  config: () => Config,
  { reconciler, runtime, learnt }: HealthSources,
): ReturnType<typeof createHealthWatch> {
  const { journal, clock, log } = context
  return createHealthWatch({
    config,
    journal,
    clock,
    log,
    memory: context.memory,
    ...learnt,
    signer: runtime.keys,
    unreadBalances: reconciler.unread,
    tips: trust,
    accountOf: (chain) => context.chains.get(chain)?.account ?? null,
    prices: () => context.prices,
    routes: () => context.routes,
  })
}

type HealthSources = {
  readonly reconciler: Reconciler
  readonly runtime: Runtime
  readonly learnt: Pick<Parameters<typeof createHealthWatch>[0], "calls" | "pacesOf">
}

/**
 * A reload changes the options while the reconciler runs. On paper the wallets of a shadow differ
 * from the chains, so there is nothing to compare at intervals.
 */
function compareBooks(
  context: EngineContext,
  { keys }: Runtime,
  books: () => Config["books"],
): Reconciler {
  const reconciler = createReconciler(context, {
    get everyMs() {
      return books().reconcileEveryMs
    },
    get onDifference() {
      return books().onDifference
    },
  })
  return keys?.follow === undefined ? reconciler : { ...reconciler, run: async () => undefined }
}

type Listeners = {
  readonly url: string
  readonly tcp: TcpListener | null
  readonly close: () => Promise<void>
}

/** The Unix socket always, and TCP if it is configured. */
async function listen(
  fetch: Parameters<typeof listenOnSocket>[0],
  config: Config,
  noteTurnedAway?: (words: string) => void,
): Promise<Listeners> {
  const { listen: address, tls } = config.ops
  const tcp = address === null ? null : await listenOnTcp(fetch, address, tls, noteTurnedAway)
  try {
    const socket = await listenOnSocket(fetch, socketFile(config))
    return {
      url: tcp?.url ?? socket.url,
      tcp,
      close: async () => void (await Promise.all([socket.close(), tcp?.close()])),
    }
  } catch (error) {
    await tcp?.close()
    throw error
  }
}
