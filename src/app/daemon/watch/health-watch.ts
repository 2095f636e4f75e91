import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Config, ServiceConfig } from "#config/config.ts"
import type { ChainId } from "#domain/asset.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { EngineMemory } from "#engine/memory.ts"
import { forgetFault, noteFault } from "#engine/watches/part-faults.ts"
import type { Reconciler } from "#engine/watches/reconciler.ts"
import { listWatchCauses } from "#health/find-node-problems.ts"
import { followBreaks, LONGEST_FALL_MS, SLOW_MS } from "#health/judge-nodes.ts"
import { SLOW_SERVICE_MS } from "#health/judge-service.ts"
import type { BreaksReading, EndpointReading, SignerReading } from "#health/readings.ts"
import { changeAlarms } from "#health/watch-alarms.ts"
import { toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { encodeJson } from "#lib/json.ts"
import type { Logger } from "#lib/log.ts"
import { type Address, hostOf, urlOf } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { createAsk, timeAsk } from "#nodes/create-ask.ts"
import { describeFailure } from "#nodes/exchange.ts"
import type { Pace } from "#nodes/pace.ts"
import { type PacesOf, SERVICES } from "#nodes/paces.ts"
import type { AgreementReport, HeadTip } from "#ports/chain/balances.ts"
import type { Journal } from "#ports/journal.ts"
import type { PricePort } from "#ports/prices.ts"
import type { RoutePort } from "#ports/route.ts"
import { withUrgency } from "#ports/urgency.ts"
import { openProbe, pickIndicativeQuote } from "../serve/ask-service.ts"
import type { KeySource } from "../start/key-source.ts"
import { readReceivers } from "../views/read-deliveries.ts"
import { createPriceWatch } from "./price-watch.ts"
import type { ServiceCalls } from "./service-calls.ts"
import { createWalletWatch, followAccounts, listUnreadBalances } from "./wallet-watch.ts"
import {
  namesOf,
  nodesOf,
  readWatchAlarms,
  readWatched,
  WATCH_ALARMS_FLAG,
  WATCHED_FLAG,
  type Watched,
} from "./watched.ts"

/**
 * Asks every endpoint and every service for a sign of life, and keeps the alarms of those that give
 * none or whose calls fail.
 */
export type HealthWatch = {
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly list: () => Watched
}

type Parts = {
  readonly config: () => Config
  readonly journal: Pick<
    Journal,
    "readFlag" | "writeFlag" | "noteFlag" | "raiseAlert" | "countInFlight"
  >
  readonly prices: () => PricePort
  /** The routes of other kinds than HTLCs, by kind. */
  readonly routes?: () => ReadonlyMap<RouteKind, Pick<RoutePort, "life">> | undefined
  /** The failed real calls of the services. */
  readonly calls: ServiceCalls
  /** Absent where the daemon holds its keys itself. */
  readonly signer: Pick<KeySource, "checkAlive"> | undefined
  /** The account of a chain's wallet; `null` while the chain is not open. */
  readonly accountOf: (chain: ChainId) => string | null
  /** The last reports of the ports: a newest block in them is a sign of life too. */
  readonly tips: () => readonly PortTips[]
  /** The balances that could not be compared with the books. */
  readonly unreadBalances?: Reconciler["unread"]
  /** What the ports learn of their endpoints' limits. */
  readonly pacesOf?: PacesOf
  readonly clock: Clock
  readonly log: Logger
  readonly memory: Pick<EngineMemory, "faults">
}

/** The name of the checks among the parts that fail. */
const CHECKS = "checks of endpoints and services"

type PortTips = Pick<AgreementReport, "tips"> & { readonly chain: ChainId; readonly atMs: number }

/**
 * An endpoint that needs longer counts as one that failed: an alarm comes within a minute of the
 * last good answer.
 */
const LONGEST_PROBE_MS = 8_000
/**
 * The journal gets the answers this often: a command without a daemon tells when it was last seen.
 */
const STORE_EVERY_MS = 30_000

export function createHealthWatch(parts: Parts): HealthWatch {
  const { clock, log } = parts
  let watched = readFailures(parts.journal)
  for (const { name, calls = [], hours = [] } of readWatched(parts.journal)?.services ?? [])
    parts.calls.restore(name, calls, hours)
  restoreHours(parts)
  let storedMs = Number.NEGATIVE_INFINITY

  const priceWatch = createPriceWatch(clock, parts.prices)
  const watchWallet = createWalletWatch(clock, watched.wallets ?? [])

  async function check(): Promise<void> {
    const config = parts.config()
    const [endpoints, services, issuers, wallets, signer] = await Promise.all([
      Promise.all(config.chains.flatMap((chain) => probeChain(chain, watched, config, parts))),
      Promise.all(config.services.map((service) => probeService(service, watched, config, parts))),
      Promise.all([...(parts.routes?.() ?? [])].flatMap((one) => probeIssuer(one, watched, parts))),
      Promise.all(
        config.chains.map((chain) =>
          watchWallet(chain, parts.accountOf(chain.chain), askerOf(chain, config, parts)),
        ),
      ),
      probeSigner(parts, watched.signer),
    ])
    watched = {
      atMs: clock.now(),
      endpoints,
      services: [...services, ...issuers],
      wallets: [
        ...wallets.flat().filter(({ code }) => !WHOLE.includes(code)),
        ...followAccounts(
          parts.journal,
          config.chains.map(({ chain }) => [chain, parts.accountOf(chain)]),
          clock.now(),
        ),
        ...listUnreadBalances(parts.unreadBalances?.() ?? [], endpoints, {
          nowMs: clock.now(),
          silentAfterMs: config.health.alarmAfterMs,
        }),
      ],
      unpriced: await priceWatch.check(config.assets.map(({ id }) => id)),
      ...signer,
    }
    const isChanged = keepAlarms(parts, watched)
    if (!isChanged && watched.atMs - storedMs < STORE_EVERY_MS && watched.atMs >= storedMs) return
    storedMs = watched.atMs
    parts.journal.noteFlag(WATCHED_FLAG, encodeJson(watched))
  }

  async function checkOnce(): Promise<number> {
    await check()
    const pauseMs = pauseOf(parts, watched)
    forgetFault(parts, CHECKS)
    return pauseMs
  }

  return {
    run: async (signal) => {
      while (!signal.aborted) {
        const done = withUrgency("background", checkOnce).catch((error: unknown) => {
          noteFault(parts, CHECKS, error)
          log.error({ err: error }, "The endpoints and services could not be checked")
          return parts.config().health.checkEveryMs
        })
        await clock.sleep(await Promise.race([done, aborted(signal).then(() => 0)]), signal)
      }
    },
    list: () => watched,
  }
}

/** Found anew at each look, and not followed as the facts that endpoints show. */
const WHOLE: readonly string[] = ["wallet.unread", "wallet.changed"]

/**
 * While all is well and no order is in flight, probes are rare: many plans of nodes count requests.
 * There is still time for a second probe before the alarm of a silence.
 */
function pauseOf(
  { config, journal, unreadBalances }: Parts,
  { endpoints, services }: Watched,
): number {
  const { checkEveryMs, alarmAfterMs } = config().health
  const isRead = (unreadBalances?.() ?? []).length === 0
  const isWell = isRead && [...endpoints, ...services].every(({ error }) => error === null)
  if (!isWell || journal.countInFlight() > 0) return checkEveryMs
  return Math.max(checkEveryMs, Math.min(IDLE_MS, alarmAfterMs - checkEveryMs))
}

const IDLE_MS = 30_000

function restoreHours({ config, journal, pacesOf }: Parts): void {
  const { chains, service } = config()
  const known = readWatched(journal)?.endpoints ?? []
  for (const chain of chains)
    for (const { address, host } of namesOf(familyOf(chain).doctor.endpointsOf(chain))) {
      const { hours = [] } = known.find((one) => isEndpoint(one, chain, host)) ?? {}
      pacesOf?.(chain.chain)(address, service.timeoutMs).reads.restore(hours)
    }
}

function isEndpoint(one: Watched["endpoints"][number], { chain }: ChainConfig, host: string) {
  return one.chain === chain && one.host === host
}

/**
 * The endpoints and services that failed before a restart: their silence goes on. Good answers of
 * an earlier process prove nothing, and their age would look like a silence.
 */
function readFailures(journal: Parts["journal"]): Watched {
  const { endpoints, services, wallets = [] } = readWatched(journal) ?? NOTHING
  const failed = ({ error }: { readonly error: string | null }): boolean => error !== null
  const isFailing = (one: Watched["services"][number]): boolean =>
    failed(one) || (one.calls ?? []).length > 0
  return {
    atMs: 0,
    endpoints: endpoints.filter(failed),
    services: services.filter(isFailing),
    wallets,
    unpriced: [],
  }
}

const NOTHING: Watched = { atMs: 0, endpoints: [], services: [], unpriced: [] }

/** Opens and closes alarms. Says whether one of them changed. */
function keepAlarms(
  { config, journal, clock, log }: Parts,
  { endpoints, services, ...rest }: Watched,
): boolean {
  const nowMs = clock.now()
  const { chains, health, alerts } = config()
  const nodes = chains.map((chain) => ({
    chain: chain.chain,
    needed: 1,
    agreement: null,
    ...nodesOf(chain, { endpoints }),
  }))
  const idle = services.map((service) => ({ ...service, inFlight: 0, rest: null }))
  const receivers = readReceivers(journal, { alerts })
  const readings = { nodes, services: idle, ...rest, receivers, nowMs }
  const causes = listWatchCauses(readings, health.alarmAfterMs)
  const { alarms, opened, closed } = changeAlarms(readWatchAlarms(journal), causes, nowMs)
  if (opened.length === 0 && closed.length === 0) return false
  for (const { reason, atMs } of opened) {
    log.error({ reason }, "An endpoint, a service, a price or the signer needs attention")
    journal.raiseAlert(atMs, reason)
  }
  for (const { reason, atMs } of closed)
    log.info(
      { code: reason.code, endpoint: reason["endpoint"], forMs: nowMs - atMs },
      "An alarm closed itself",
    )
  journal.writeFlag(WATCH_ALARMS_FLAG, encodeJson(alarms))
  return true
}

function probeChain(
  chain: ChainConfig,
  last: Watched,
  config: Config,
  parts: Pick<Parts, "clock" | "pacesOf" | "tips">,
) {
  const { clock, pacesOf, tips } = parts
  const { doctor } = familyOf(chain)
  const ask = askerOf(chain, config, parts)
  const report = tips().find((one) => one.chain === chain.chain)
  return namesOf(doctor.endpointsOf(chain)).map(async ({ address, host }, index) => {
    const known = last.endpoints.find((one) => isEndpoint(one, chain, host))
    const tip = report?.tips?.[index] ?? null
    const isFresh = isWithin(clock.now(), report?.atMs, 2 * config.health.alarmAfterMs)
    const seen =
      known !== undefined && isFresh && tip?.endpoint === hostOf(address)
        ? readPortTip(known, { ...tip, atMs: report?.atMs ?? 0 })
        : null
    const read = seen ?? (await probeEndpoint({ chain, address, host, ask, clock }, known ?? null))
    const paced = readPace(pacesOf?.(chain.chain)(address, config.service.timeoutMs))
    const slowSinceMs =
      paced.limit === null ? (read.slowSinceMs ?? null) : (known?.slowSinceMs ?? clock.now())
    return { chain: chain.chain, ...read, slowSinceMs, ...paced }
  })
}

function askerOf(
  { chain }: ChainConfig,
  { service }: Config,
  { clock, pacesOf }: Pick<Parts, "clock" | "pacesOf">,
): AskHttp {
  return createAsk(Math.min(LONGEST_PROBE_MS, service.timeoutMs), clock, pacesOf?.(chain))
}

function readPace(pace: Pace | undefined) {
  const { reads, limit } = pace ?? {}
  return { limit: limit?.() ?? null, reads: reads?.worst() ?? null, hours: reads?.hours() ?? [] }
}

/**
 * What the port has read of an endpoint, as an answer to a probe. `null` where the network has to
 * be asked for again. Where the read does not tell the block's time, a higher block is a new one.
 */
function readPortTip(
  known: EndpointReading,
  { height, timeMs, tookMs, atMs }: HeadTip & { readonly atMs: number },
): EndpointReading | null {
  if (!isNetworkKnown(known, atMs)) return null
  if ((known.askedMs ?? 0) >= atMs) return known
  const isNew = known.height === null || height > known.height
  return {
    ...known,
    ...paceOf(tookMs, atMs - tookMs, known),
    askedMs: atMs - tookMs,
    answeredMs: atMs,
    sinceMs: atMs,
    height,
    falls: fallsOf(known, height, atMs),
    blockAtMs: timeMs ?? (isNew ? atMs : known.blockAtMs),
  }
}

/** The falls of the endpoint's height that follow one another within minutes. */
function fallsOf(
  known: EndpointReading | null,
  height: bigint,
  atMs: number,
): NonNullable<EndpointReading["falls"]> | null {
  const last = known?.falls ?? null
  const kept = last !== null && atMs - last.lastMs < LONGEST_FALL_MS ? last : null
  const blocks = (known?.height ?? height) - height
  if (blocks <= LEAST_FALL_BLOCKS) return kept
  return { times: (kept?.times ?? 0) + 1, blocks, lastMs: atMs }
}

type Answered = Pick<EndpointReading, "answeredMs" | "error" | "breaks">

function breaksOf(
  known: Answered | null,
  fault: string | null,
  atMs: number,
): BreaksReading | null {
  const wasGood = known !== null && known.error === null && known.answeredMs !== null
  return followBreaks(known?.breaks ?? null, wasGood, fault, atMs)
}

/** A reorganisation is smaller. */
const LEAST_FALL_BLOCKS = 20n

function isWithin(nowMs: number, atMs: number | undefined, mostMs: number): boolean {
  const ageMs = nowMs - (atMs ?? Number.NEGATIVE_INFINITY)
  return ageMs >= 0 && ageMs < Math.min(mostMs, OLDEST_TIP_MS)
}

/** The ports ask every 30 s, and each answer may take some seconds. */
const OLDEST_TIP_MS = 40_000

type Probe = {
  readonly chain: ChainConfig
  readonly address: Address
  readonly host: string
  readonly ask: AskHttp
  readonly clock: Clock
}

async function probeEndpoint(
  { chain, address, host, ask, clock }: Probe,
  known: EndpointReading | null,
): Promise<EndpointReading> {
  const askedMs = clock.now()
  try {
    const { doctor } = familyOf(chain)
    const asked = isNetworkKnown(known, askedMs) ? (known?.network ?? null) : null
    const timed = timeAsk(ask, clock)
    const tip = await doctor.readTip(chain, address, timed.ask, asked)
    const { network, expected, height, blockMs } = tip
    const networkMs = asked === null ? askedMs : (known?.networkMs ?? askedMs)
    const answeredMs = clock.now()
    const times = {
      answeredMs,
      sinceMs: answeredMs,
      askedMs,
      ...paceOf(timed.slowestMs(), askedMs, known),
    }
    return {
      host,
      ...times,
      height,
      falls: fallsOf(known, height, answeredMs),
      breaks: breaksOf(known, null, answeredMs),
      blockAtMs: blockMs,
      network,
      networkMs,
      expected,
      error: null,
    }
  } catch (error) {
    const unknown = {
      height: null,
      blockAtMs: null,
      network: null,
      expected: null,
      answeredMs: null,
      tookMs: null,
    }
    const start = { ...unknown, sinceMs: askedMs }
    const fault = sayFailure(urlOf(address), error)
    const breaks = breaksOf(known, fault, askedMs)
    return { host, ...(known ?? start), askedMs, error: fault, breaks }
  }
}

/**
 * An endpoint keeps its network, so each probe asks only for the newest block. After a failure, and
 * after an hour, another network may answer at its address.
 */
function isNetworkKnown(known: EndpointReading | null, nowMs: number): boolean {
  if (known === null || known.error !== null) return false
  const { network, expected, networkMs = 0 } = known
  const ageMs = nowMs - networkMs
  return (expected === null || network === expected) && ageMs >= 0 && ageMs < NETWORK_MS
}

const NETWORK_MS = 60 * 60_000

async function probeService(
  service: ServiceConfig,
  last: Watched,
  config: Config,
  { calls, clock, pacesOf }: Pick<Parts, "calls" | "clock" | "pacesOf">,
): Promise<Watched["services"][number]> {
  const { name, url, timeoutMs } = service
  const askedMs = clock.now()
  const { host } = new URL(url)
  const known = last.services.find((one) => one.name === name && one.host === host)
  const limitMs = Math.min(LONGEST_PROBE_MS, timeoutMs)
  const probe = openProbe(service, limitMs, clock, pacesOf?.(SERVICES))
  const [{ fault: error, tookMs }] = await Promise.all([
    probe
      .askForLife(pickIndicativeQuote(config))
      .catch((cause: unknown) => ({ fault: sayFailure(url, cause), tookMs: null })),
    ...calls.failedQuotes(name).map(async (asked) => {
      const fault = await probe.askQuote(asked).catch(orFailure(url))
      calls.note(name, { call: "quote", about: `${asked.from} > ${asked.to}`, fault }, asked)
    }),
    ...calls.failedOrders(name).map(async (about) => {
      calls.note(
        name,
        { call: "get", about, fault: await probe.askOrder(about).catch(orFailure(url)) },
        null,
      )
    }),
  ])
  const now = { calls: calls.list(name), hours: calls.hours(name) }
  const fault = error?.slice(0, MOST_SHOWN) ?? null
  const life = { error: fault, breaks: breaksOf(known ?? null, fault, askedMs) }
  if (fault !== null) {
    const { answeredMs = null, sinceMs = askedMs } = known ?? {}
    return { name, host, answeredMs, sinceMs, askedMs, ...life, ...now }
  }
  const answeredMs = clock.now()
  const ownMs = tookMs ?? answeredMs - askedMs
  const pace = paceOf(ownMs, askedMs, known ?? null, SLOW_SERVICE_MS)
  return { name, host, answeredMs, sinceMs: answeredMs, askedMs, ...pace, ...life, ...now }
}

/** The sign of life of a route's issuer; none where the route needs no service. */
function probeIssuer(
  [name, { life }]: readonly [RouteKind, Pick<RoutePort, "life">],
  last: Watched,
  { clock }: Pick<Parts, "clock">,
): readonly Promise<Watched["services"][number]>[] {
  if (life === undefined) return []
  const { host } = life
  const askedMs = clock.now()
  const known = last.services.find((one) => one.name === name && one.host === host)
  const asked = withinLife(clock, life.ask()).then(
    () => {
      const answeredMs = clock.now()
      const pace = paceOf(answeredMs - askedMs, askedMs, known ?? null, SLOW_SERVICE_MS)
      return { name, host, answeredMs, sinceMs: answeredMs, askedMs, ...pace, error: null }
    },
    (cause: unknown) => {
      const { answeredMs = null, sinceMs = askedMs } = known ?? {}
      const error = sayFailure(`https://${host}`, cause)
      return { name, host, answeredMs, sinceMs, askedMs, error }
    },
  )
  return [asked]
}

function orFailure(url: string): (error: unknown) => string {
  return (error) => sayFailure(url, error)
}

/** The silence of the signer process; empty while it answers. */
async function probeSigner(
  { signer, clock }: Parts,
  known: SignerReading | undefined,
): Promise<Pick<Watched, "signer">> {
  if (signer === undefined) return {}
  const askedMs = clock.now()
  try {
    await withinLife(clock, signer.checkAlive())
    return {}
  } catch (error) {
    const { message } = toAppError(error, { code: "signer.unavailable", disposition: "transient" })
    return { signer: { sinceMs: known?.sinceMs ?? askedMs, error: message } }
  }
}

async function withinLife<T>(clock: Clock, asking: Promise<T>): Promise<T> {
  const answered = new AbortController()
  try {
    const late = clock
      .sleep(LONGEST_PROBE_MS, answered.signal)
      .then(() => Promise.reject(new Error("no answer in time")))
    return await Promise.race([asking, late])
  } finally {
    answered.abort("answered")
  }
}

/** A slow answer keeps the time of the first slow one before it. */
function paceOf(
  tookMs: number,
  askedMs: number,
  known: Pick<EndpointReading, "slowSinceMs"> | null,
  slowMs = SLOW_MS,
) {
  return { tookMs, slowSinceMs: tookMs < slowMs ? null : (known?.slowSinceMs ?? askedMs) }
}

const MOST_SHOWN = 160

function sayFailure(url: string, error: unknown): string {
  return hideKeys(url, describeFailure(error).replace(/\s+/g, " ")).slice(0, MOST_SHOWN)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })
}
