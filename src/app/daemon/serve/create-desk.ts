import type { Config } from "#config/config.ts"
import type { Engine } from "#engine/engine.ts"
import type { LiveContext } from "#engine/live-context.ts"
import type { ClusterReading } from "#health/readings.ts"
import type { Clock } from "#lib/clock.ts"
import type { LogTrouble } from "#lib/log-writer.ts"
import { type PacesOf, SERVICES } from "#nodes/paces.ts"
import type { Operations } from "#ops/operations.ts"
import type { PricePort } from "#ports/prices.ts"
import type { TraceExport } from "#telemetry/export-traces.ts"
import { createSampler, type Sampler } from "../money/take-samples.ts"
import { openUnreadConfig } from "../start/config-in-force.ts"
import { findOpenDataDir, findOpenFile } from "../start/private-files.ts"
import type { Reloader } from "../start/reload.ts"
import { createStudies, type Studies } from "../study/create-studies.ts"
import { createDeskViews, type DeskViews } from "../views/desk-views.ts"
import { type OverviewSources, readAlertProblems, readOverview } from "../views/read-overview.ts"
import { readSamples } from "../views/read-samples.ts"
import { type Alerting, createAlerting } from "../watch/alerting.ts"
import type { HealthWatch } from "../watch/health-watch.ts"
import type { JournalWatch } from "../watch/journal-watch.ts"
import { createPulse, type Pulse } from "../watch/pulse.ts"
import { capital, createSettings } from "./list-settings.ts"
import { createProposals, type Proposals } from "./proposals.ts"

/**
 * Everything that shows the state of a running daemon: the overview, the alerts, the samples of the
 * metrics and the views of the page.
 */
type Desk = {
  readonly overview: () => ReturnType<typeof readOverview>
  readonly readLog: Operations["readLog"]
  readonly alerting: Alerting
  /** What runs beside the engine until the signal. */
  readonly parts: readonly [Alerting, Sampler, Pulse]
  readonly receivers: () => Config["alerts"]["receivers"]
  readonly samples: () => Promise<ReturnType<typeof readSamples>>
  readonly views: DeskViews
  readonly studies: Studies
  readonly proposals: Proposals
  readonly agents: () => Config["ops"]["agents"]
}

type DeskParts = {
  readonly reloader: Pick<Reloader, "current" | "written">
  readonly health: HealthWatch
  readonly journalWatch: Pick<JournalWatch, "read">
  readonly startedAtMs: number
  readonly traces: TraceExport | null
  /** `undefined` without `journal`. */
  readonly cluster: () => ClusterReading | undefined
  readonly runtime: RunningProcess
}

type RunningProcess = {
  readonly version: string
  readonly readVersion?: () => string
  readonly ownFile?: string | null
  readonly check?: () => void
  readonly readLogTrouble?: () => LogTrouble | null
  readonly readLog: Operations["readLog"]
  readonly pacesOf: PacesOf
}

function listOpenFiles(dataDir: string, file: string | null): OpenFiles {
  const open = [...findOpenDataDir(dataDir), ...(file === null ? [] : findOpenFile(file))]
  return open.map(({ code, found, todo }) => ({
    code,
    sentence: capital(found),
    todo: `${capital(todo)}.`,
  }))
}

type OpenFiles = NonNullable<OverviewSources["live"]>["openFiles"]

function openSettings({ reloader, runtime }: DeskParts, clock: Clock) {
  const list = createSettings()
  const { current, written } = reloader
  const file = runtime.ownFile ?? null
  const read = () => list({ config: current(), written: written(), file, nowMs: clock.now() })
  // The files of secrets are compared with those of the start.
  read()
  return read
}

function readCluster({ cluster }: DeskParts): Pick<OverviewSources, "cluster"> {
  const read = cluster()
  return read === undefined ? {} : { cluster: read }
}

function openStudies(
  { current, written }: DeskParts["reloader"],
  clock: Clock,
  { pacesOf }: RunningProcess,
): ReturnType<typeof createStudies> {
  const source = () => ({ config: current(), written: written() })
  return createStudies(source, clock, { paces: pacesOf(SERVICES) })
}

export function createDesk({ context }: LiveContext, engine: Engine, parts: DeskParts): Desk {
  const { journal, clock, log } = context
  const { reloader, health, startedAtMs, runtime, traces } = parts
  const config = reloader.current
  const { written } = reloader
  const listSettings = openSettings(parts, clock)
  const findUnread = openUnreadConfig(clock, runtime.check)
  const studies = openStudies(reloader, clock, runtime)
  const proposals = createProposals({ journal, clock, written, simulate: studies.simulate })
  const readSources = (): OverviewSources => ({
    ...readCluster(parts),
    journal,
    nowMs: clock.now(),
    dataDir: config().dataDir,
    config: config(),
    daemon: {
      answers: true,
      pid: process.pid,
      startedAtMs,
      version: runtime.version,
      installed: readInstalled(runtime),
      waitsFor: engine.findAssetDoubts(),
    },
    live: {
      watched: health.list(),
      agreements: engine.trust(),
      nextMs: engine.nextMs,
      overdueSinceMs: engine.overdueSinceMs,
      unreadConfig: findUnread(config().dataDir),
      proposed: proposals.proposals().filter(({ state }) => state === "open"),
      openFiles: listOpenFiles(config().dataDir, runtime.ownFile ?? null),
      settings: listSettings(),
      lostJournal: parts.journalWatch.read(),
      stuckLog: runtime.readLogTrouble?.() ?? null,
      parts: [...context.memory.faults].map(([part, fault]) => ({ part, ...fault })),
    },
  })
  const overview = (): ReturnType<typeof readOverview> => readOverview(readSources())
  const alerting = createAlerting(context, engine, {
    config,
    findProblems: () => readAlertProblems(readSources()),
  })
  const prices = (): PricePort => context.prices
  const views = createDeskViews({ journal, clock, config, turn: () => clock.turn?.() })
  const sampler = createSampler({ journal, clock, config, log, prices, chains: context.chains })
  return {
    overview,
    readLog: runtime.readLog,
    alerting,
    parts: [alerting, sampler, createPulse(context)],
    receivers: () => config().alerts.receivers,
    samples: async () => {
      const summary = await views.summary(null)
      const shown = await inOwnTurn(clock, overview)
      return readSamples({
        overview: shown,
        summary,
        journal,
        config: config(),
        turns: engine.lastTurns(),
        deliveries: alerting.read(),
        traces: traces?.counts() ?? null,
      })
    },
    views,
    studies,
    proposals,
    agents: () => config().ops.agents,
  }
}

/** A turn of the event loop before and after it, in which other work goes first. */
async function inOwnTurn<Value>(clock: Pick<Clock, "turn">, read: () => Value): Promise<Value> {
  await clock.turn?.()
  const value = read()
  await clock.turn?.()
  return value
}

/** While an upgrade replaces the package, its version is unreadable for a moment. */
function readInstalled({ readVersion }: RunningProcess): string | null {
  try {
    return readVersion?.() ?? null
  } catch {
    return null
  }
}
