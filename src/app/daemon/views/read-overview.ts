import { existsSync, statfsSync } from "node:fs"
import { ACCOUNTS } from "#books/accounts.ts"
import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS } from "#domain/amount.ts"
import type { Asset, AssetId } from "#domain/asset.ts"
import { nativeAssetId } from "#domain/native-coin.ts"
import { readPause } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import { findClockJump, readLimitTime } from "#engine/rules/limit-clock.ts"
import { readDecidedBalance } from "#engine/rules/tick/decided-balances.ts"
import { readDecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import type { ChainAgreement } from "#engine/watches/agreement-watch.ts"
import { describeOverview, type Overview } from "#health/describe-overview.ts"
import { findAlertProblems } from "#health/find-problems.ts"
import type { Problem } from "#health/problem.ts"
import type {
  BoundsReading,
  ChainNodes,
  ClusterReading,
  DaemonReading,
  GasReading,
  HoldingReading,
  LimitReading,
  LostJournalReading,
  PartReading,
  Readings,
  RuleReading,
  ServiceReading,
  UnreadConfig,
} from "#health/readings.ts"
import type { LogTrouble } from "#lib/log-writer.ts"
import { type ConfiguredRule, everyMsOf, ruleKindOf, scheduleOf } from "#policy/rules/registry.ts"
import { nextOccurrence } from "#policy/schedule/due-occurrences.ts"
import type { DecisionStore } from "#ports/journal/decisions.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { Journal } from "#ports/journal.ts"
import { findDiskFault } from "../start/find-disk-fault.ts"
import { readLastExit } from "../start/last-exit.ts"
import { readDeaths } from "../watch/cut-off-starts.ts"
import { readHeldSince } from "../watch/read-held-since.ts"
import { nodesOf, readWatched, type Watched } from "../watch/watched.ts"
import { createHumaniser, humaniseReason } from "./human-units.ts"
import { readAlarms } from "./read-alarms.ts"
import { readReceivers } from "./read-deliveries.ts"
import { readFlight, readUnapproved } from "./read-flight.ts"
import { readMissedRuns, whyResting } from "./read-missed-runs.ts"
import { quotersIn, viewServices } from "./view-services.ts"

/**
 * The sources of an overview. `config` is `null` where none is readable; `live` where this is not
 * the daemon.
 */
export type OverviewSources = {
  readonly journal: Journal
  readonly nowMs: number
  readonly dataDir: string
  readonly config: Config | null
  readonly daemon: Omit<DaemonReading, "lastSeenMs">
  readonly live: {
    readonly watched: Watched
    readonly agreements: readonly ChainAgreement[]
    readonly nextMs: (rule: ConfiguredRule) => number | null
    readonly overdueSinceMs: (rule: ConfiguredRule) => number | null
    readonly unreadConfig: UnreadConfig | null
    readonly proposed: NonNullable<Readings["proposed"]>
    readonly openFiles: NonNullable<Readings["openFiles"]>
    readonly settings: NonNullable<Readings["settings"]>
    readonly lostJournal: LostJournalReading | null
    readonly stuckLog: LogTrouble | null
    readonly parts: readonly PartReading[]
  } | null
  /** The cluster of a running daemon with `journal`. */
  readonly cluster?: ClusterReading
}

const DEFAULT_ALARM_AFTER_MS = 30_000

/** Reads the journal and computes the overview. Asks no node and no service. */
export function readOverview(sources: OverviewSources): Overview {
  const { config } = sources
  return describeOverview(readAll(sources), config?.health.alarmAfterMs ?? DEFAULT_ALARM_AFTER_MS)
}

/** The problems that alerts tell of. */
export function readAlertProblems(sources: OverviewSources): readonly Problem[] {
  return findAlertProblems(
    readAll(sources),
    sources.config?.health.alarmAfterMs ?? DEFAULT_ALARM_AFTER_MS,
  )
}

function readAll(sources: OverviewSources): Readings {
  const { journal, nowMs, config, daemon, live, dataDir } = sources
  const watched = live?.watched ?? readWatched(journal)
  const nodes = readNodes(sources, watched)
  const chains = config?.chains ?? []
  const rules = config?.rules ?? []
  const diskFault = findDiskFault(dataDir, live === null ? null : journal.lastRefusal())
  return {
    nowMs,
    daemon: { ...daemon, ...readEnd(sources, watched) },
    mode: config?.mode ?? null,
    pause: readPause(journal),
    pausedChains: chains
      .map(({ chain }) => chain)
      .filter((chain) => isFlagged(journal, `pause/chain/${chain}`)),
    pausedRules: rules.map(({ id }) => id).filter((id) => isFlagged(journal, `pause/rule/${id}`)),
    // Without a daemon there is no watch: old answers prove nothing, and the daemon's own absence
    // is the problem.
    nodes: live === null ? [] : nodes,
    services: live === null ? [] : readServices(sources, watched),
    ...readRunning(live),
    treasury: config === null ? [] : readHoldings(journal, config),
    gas: config === null ? [] : readGas(journal, config, nowMs),
    orders: readFlight(journal, config, nodes),
    unapproved: readUnapproved(journal, config, nowMs),
    rules: rules.map((rule) => readRule(sources, rule)),
    limits: config === null ? [] : readLimits(journal, config, nowMs),
    alarms: readAlarms(journal, nowMs, createHumaniser(config)),
    freeBytes: readFreeBytes(dataDir),
    ...(diskFault === null ? {} : { diskFault }),
    receivers: readReceivers(journal, config),
    clockJump: live === null ? null : findClockJump(journal, nowMs),
    ...(sources.cluster === undefined ? {} : { cluster: sources.cluster }),
  }
}

function readEnd(
  { daemon, live, nowMs, dataDir }: OverviewSources,
  watched: Watched | null,
): Pick<DaemonReading, "lastSeenMs" | "lastExit" | "deaths"> {
  const lastSeenMs = live === null ? (watched?.atMs ?? null) : nowMs
  const lastExit = daemon.pid === null ? readLastExit(dataDir) : null
  const deaths = readDeaths(dataDir, nowMs)
  return {
    lastSeenMs,
    ...(lastExit === null ? {} : { lastExit }),
    ...(deaths === null ? {} : { deaths }),
  }
}

/** The findings of a running daemon alone. */
function readRunning(
  live: OverviewSources["live"],
): Pick<
  Readings,
  | "unpriced"
  | "wallets"
  | "signer"
  | "unreadConfig"
  | "proposed"
  | "openFiles"
  | "settings"
  | "lostJournal"
  | "stuckLog"
  | "parts"
> {
  if (live === null) return {}
  const { unreadConfig, proposed, openFiles, settings } = live
  const { lostJournal, stuckLog, watched, parts } = live
  const { unpriced, wallets = [], signer } = watched
  return {
    unpriced,
    wallets,
    ...(signer === undefined ? {} : { signer }),
    unreadConfig,
    proposed,
    openFiles,
    settings,
    parts,
    ...(lostJournal === null ? {} : { lostJournal }),
    ...(stuckLog === null ? {} : { stuckLog }),
  }
}

function isFlagged(journal: FlagStore, flag: string): boolean {
  return journal.readFlag(flag) !== null
}

function readNodes(
  { config, live }: OverviewSources,
  watched: Watched | null,
): readonly ChainNodes[] {
  return (config?.chains ?? []).map((chain) => {
    const report = live?.agreements.find((one) => one.chain === chain.chain)
    return {
      chain: chain.chain,
      needed: familyOf(chain).describeTrust(chain).agree,
      agreement: report ?? null,
      ...nodesOf(chain, { endpoints: watched?.endpoints ?? [] }),
    }
  })
}

function readServices(
  { config, journal, nowMs }: OverviewSources,
  watched: Watched | null,
): readonly ServiceReading[] {
  if (config === null) return []
  const urls = new Map(config.services.map(({ name, url }) => [name, new URL(url).host]))
  return viewServices(journal, quotersIn(config), nowMs).map(({ name, inFlight, rest }) => {
    const known = watched?.services.find((one) => one.name === name)
    const host = urls.get(name) ?? "its issuer"
    const unasked = { name, host, answeredMs: null, sinceMs: nowMs, askedMs: null, error: null }
    return { ...(known ?? unasked), inFlight, rest }
  })
}

/** An unreadable balance keeps the units of its last comparison; the time says how old they are. */
function readUnits(journal: Ledger, asset: AssetId): { units: bigint | null; atMs: number | null } {
  const row = journal.listReconciliations().find((one) => one.asset === asset)
  if (row === undefined || row.chainUnits === null) return { units: null, atMs: null }
  return { units: row.chainUnits, atMs: row.state === "unreadable" ? row.sinceMs : row.atMs }
}

function readHoldings(
  journal: DecisionStore & Ledger,
  { assets, rules }: Config,
): readonly HoldingReading[] {
  return assets.map((asset) => {
    const holding = readHolding(journal, asset, rules)
    // A rule reads the balance that its band is about more often than the books are compared, and
    // acts by it.
    const decided = holding.bounds.flatMap(
      ({ rule }) => readDecidedBalance(journal, rule, asset.id) ?? [],
    )
    const [newest] = decided.toSorted((a, b) => b.atMs - a.atMs)
    return newest === undefined || (holding.atMs ?? 0) >= newest.atMs
      ? holding
      : { ...holding, ...newest }
  })
}

function readHolding(
  journal: Ledger,
  { id, decimals }: Asset,
  rules: readonly ConfiguredRule[],
): HoldingReading {
  const enabled = rules.filter((rule) => rule.enabled)
  const bounds = enabled.flatMap((rule): readonly BoundsReading[] =>
    ruleKindOf(rule)
      .balanceBounds(rule)
      .filter(({ asset }) => asset === id)
      .map(({ asset: _asset, ...bound }) => ({ rule: rule.id, ...bound })),
  )
  const shares = enabled.flatMap((rule) => {
    const { backtest } = ruleKindOf(rule)
    const bps = backtest.measures === "total" ? backtest.startShareBps(rule, id) : null
    return bps === null ? [] : [{ rule: rule.id, bps }]
  })
  return { asset: id, decimals, ...readUnits(journal, id), bounds, shares }
}

const DAY_MS = 24 * 3_600_000
const WEEK_MS = 7 * DAY_MS

/** The pace of so many last fees tells enough; a busy week has hundreds of thousands. */
const MOST_FEES = 5_000

/** The fees of a week, or the last ones of a busy week, are read once for all chains. */
function readGas(journal: Ledger, config: Config, nowMs: number): readonly GasReading[] {
  const fromMs = nowMs - WEEK_MS
  const fees = journal.listLastPostings({
    prefix: ACCOUNTS.networkPrefix,
    fromMs,
    limit: MOST_FEES,
  })
  const sinceMs = fees.length < MOST_FEES ? fromMs : (fees.at(-1)?.atMs ?? fromMs)
  const perDay = new Map<AssetId, bigint>()
  for (const { asset, units } of fees) perDay.set(asset, (perDay.get(asset) ?? 0n) + units)
  for (const [asset, units] of perDay)
    perDay.set(asset, (units * BigInt(DAY_MS)) / BigInt(Math.max(1, nowMs - sinceMs)))
  return config.chains.map((chain) => readGasOf(journal, chain, config, perDay))
}

function readGasOf(
  journal: Ledger,
  chain: ChainConfig,
  { assets, guards }: Config,
  perDay: ReadonlyMap<AssetId, bigint>,
): GasReading {
  const { symbol, decimals } = chain.nativeCoin
  const asset = nativeAssetId(chain.chain, assets, chain.nativeCoin)
  const { depositFeeUnits, refundFeeUnits } = familyOf(chain).typicalFeesOf(chain)
  const kept = guards.minNative.find((one) => one.chain === chain.chain)?.units ?? 0n
  return {
    chain: chain.chain,
    symbol,
    decimals,
    ...readUnits(journal, asset),
    neededUnits: kept + depositFeeUnits + refundFeeUnits,
    perDayUnits: perDay.get(asset) ?? 0n,
  }
}

function readRule(sources: OverviewSources, rule: ConfiguredRule): RuleReading {
  const { journal, nowMs, live } = sources
  const [last] = journal.listDecisions({ rule: rule.id, limit: 1 })
  const body = last === undefined ? null : readDecisionBody(last.body)
  const about = ruleKindOf(rule).soldAsset(rule) ?? ""
  const humanise = createHumaniser(sources.config)
  const show = (one: Reason): Reason => humaniseReason(humanise, one, { from: about, to: about })
  const reasons = (body === null ? [] : reasonsIn(body)).map(show)
  const everyMs = everyMsOf(rule)
  const schedule = scheduleOf(rule)
  const planned =
    schedule !== null ? nextOccurrence(schedule, nowMs) : (last?.lastAtMs ?? nowMs) + (everyMs ?? 0)
  const nextMs = live === null ? planned : live.nextMs(rule)
  return {
    id: rule.id,
    kind: rule.kind,
    enabled: rule.enabled,
    paused: isFlagged(journal, `pause/rule/${rule.id}`),
    overdueSinceMs: live?.overdueSinceMs(rule) ?? null,
    nextMs: rule.enabled && nextMs !== null && Number.isFinite(nextMs) ? nextMs : null,
    lastMs: last?.lastAtMs ?? null,
    verdict: last?.verdict ?? null,
    reasons,
    ...readRest(journal, rule.id, reasons, show),
    ...(schedule === null
      ? readHeldSince(journal, rule.id, nowMs, everyMs)
      : readRuns(journal, rule.id, nowMs, show)),
  }
}

/** Of a rule with a schedule. */
function readRuns(
  journal: Journal,
  rule: string,
  nowMs: number,
  show: (reason: Reason) => Reason,
): Pick<RuleReading, "missed" | "heldSinceMs"> {
  const missed = readMissedRuns(journal, rule, show)
  return { ...(missed === null ? {} : { missed }), ...readHeldSince(journal, rule, nowMs) }
}

/** A rest after a failed order, of a rule that tries again by itself. */
function readRest(
  journal: Journal,
  rule: string,
  reasons: readonly Reason[],
  show: (reason: Reason) => Reason,
): Pick<RuleReading, "restsAfter"> {
  if (!reasons.some(({ code }) => code === "limit.cooldown")) return {}
  const restsAfter = whyResting(journal, rule, show)
  return restsAfter === null ? {} : { restsAfter }
}

/** The windows and the number of orders in flight, as the guards count them. */
function readLimits(
  journal: FlagStore & OrderSums,
  { guards, assets, routes }: Config,
  nowMs: number,
): readonly LimitReading[] {
  const limitMs = readLimitTime(journal, nowMs)
  const flight = {
    used: BigInt(journal.countInFlight()),
    max: BigInt(guards.maxInFlight),
    decimals: 0,
    unit: "orders",
  }
  const windows = guards.windows.flatMap(({ perMs, max, maxFeesFiat, maxCount }) => {
    const span = perMs === null ? "lifetime" : `${perMs / 3_600_000} h`
    const sum = (asset: AssetId | undefined) =>
      asset === undefined
        ? null
        : journal.sumWindow(perMs === null ? -1 : limitMs - perMs, asset, null)
    const whole = sum(assets[0]?.id)
    const fiat = { decimals: FIAT_DECIMALS, unit: "usd" }
    const sold: LimitReading[] =
      max?.kind === "fiat"
        ? [{ name: `sold in ${span}`, used: whole?.fiat ?? 0n, max: max.fiat, ...fiat }]
        : assets.flatMap(({ id, decimals }) => {
            const most = max?.byAsset[id]
            if (most === undefined) return []
            return [
              {
                name: `${id} sold in ${span}`,
                used: sum(id)?.units ?? 0n,
                max: most,
                decimals,
                unit: id,
              },
            ]
          })
    return [
      ...sold,
      ...(maxFeesFiat === null
        ? []
        : [{ name: `fees in ${span}`, used: whole?.feesFiat ?? 0n, max: maxFeesFiat, ...fiat }]),
      ...(maxCount === null
        ? []
        : [
            {
              name: `orders in ${span}`,
              used: BigInt(whole?.count ?? 0),
              max: BigInt(maxCount),
              decimals: 0,
              unit: "orders",
            },
          ]),
    ]
  })
  const issuers = routes.map(({ kind, maxInFlightFiat: max }): LimitReading => {
    const used = journal.sumFiatWith(kind, null)
    const todo = "Orders above the rest take another kind of route until its payouts come."
    const name = `in flight by ${kind}`
    return { name, used, max, decimals: FIAT_DECIMALS, unit: "usd", todo }
  })
  return [{ name: "in flight", ...flight }, ...issuers, ...windows]
}

function readFreeBytes(dataDir: string): number | null {
  if (!existsSync(dataDir)) return null
  const { bavail, bsize } = statfsSync(dataDir)
  return bavail * bsize
}
