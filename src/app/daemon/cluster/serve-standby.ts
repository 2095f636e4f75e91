import { configHash } from "#config/hash.ts"
import type { ClusterReading } from "#health/readings.ts"
import { readReplica } from "#journal/disk/replay-groups.ts"
import { SCHEMA_VERSION } from "#journal/schema-version.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { App } from "#ops/answers.ts"
import { createApp } from "#ops/create-app.ts"
import { renderMetrics } from "#ops/metrics.ts"
import type { Operations } from "#ops/operations.ts"
import {
  createJournalOperations,
  type ReadJournal,
  readJournalSamples,
  viewStatus,
  viewUnreadBalance,
} from "../serve/journal-operations.ts"
import { findProven } from "../serve/keyed-requests.ts"
import { hostsOf, tokensOf } from "../serve/ops-access.ts"
import { readProposals } from "../serve/proposals.ts"
import { decimalsOf } from "../start/decimals-of.ts"
import { txidFormsOf } from "../start/txid-forms-of.ts"
import { createStudies, type StudySource } from "../study/create-studies.ts"
import { createDeskViews } from "../views/desk-views.ts"
import { readDeliveryState, viewDeliveries } from "../views/read-deliveries.ts"
import { readOverview } from "../views/read-overview.ts"
import { readStandbySamples } from "../views/read-samples.ts"
import { viewRule } from "../views/view-rule.ts"
import { quotersIn } from "../views/view-services.ts"

type StandbyParts = Pick<Operations, "readLog"> &
  StudySource & {
    /** The copy of the journal, which changes only between two reads. */
    readonly file: string
    readonly version: string
    readonly clock: Clock
    readonly log: Logger
    readonly cluster: () => ClusterReading
  }

/**
 * The HTTP interface of a standby: it answers from its copy of the journal, with the same tokens as
 * the leader. What needs the engine, a chain or a change answers 503 with `cluster.standby`.
 */
export function serveStandby(parts: StandbyParts): App {
  const { config } = parts
  return createApp(createStandbyOperations(parts), {
    ...parts,
    tokens: () => tokensOf(config.ops),
    hosts: () => hostsOf(config.ops),
  })
}

function createStandbyOperations(parts: StandbyParts): Operations {
  const { config, file, version, clock, cluster } = parts
  const startedAtMs = clock.now()
  const read = readerOf(file, cluster)
  const decimals = decimalsOf(config)
  const refusals = refuseEach(() => cluster().holder)
  const views = <Value>(use: (made: ReturnType<typeof createDeskViews>) => Value): Value =>
    read((journal) => use(createDeskViews({ journal, clock, config: () => config })))
  const overview: Operations["overview"] = () =>
    read((journal) =>
      readOverview({
        journal,
        nowMs: clock.now(),
        dataDir: config.dataDir,
        config,
        live: null,
        cluster: cluster(),
        daemon: { answers: true, pid: process.pid, startedAtMs, version, waitsFor: [] },
      }),
    )
  const services = quotersIn(config)
  return {
    isReady: () => false,
    isStandby: () => true,
    overview,
    readLog: parts.readLog,
    ...createJournalOperations(read, () => decimals, clock, txidFormsOf(config)),
    status: () =>
      read((journal) =>
        viewStatus({
          journal,
          nowMs: clock.now(),
          mode: config.mode,
          services,
          chains: [],
          configHash: configHash(config),
          startedAtMs,
        }),
      ),
    balances: async () =>
      config.assets.map(({ id }) => viewUnreadBalance(id, "", onlyLeader(cluster().holder))),
    rules: () =>
      read((journal) =>
        config.rules.map((rule) => viewRule({ journal, clock }, rule, null, decimals)),
      ),
    alerts: (query) => views((made) => made.alerts(query)),
    deliveries: () =>
      read((journal) => viewDeliveries(readDeliveryState(journal), config.alerts.receivers)),
    proposals: () => read((journal) => readProposals(journal, parts.written, clock.now())),
    books: () => views((made) => made.books()),
    settings: () => views((made) => made.settings()),
    summary: (since) => views((made) => made.summary(since)),
    flows: (since) => views((made) => made.flows(since)),
    series: (asset, since) => views((made) => made.series(asset, since)),
    ...createStudies(() => parts, clock),
    metrics: renderMetrics(() => {
      const samples = readStandbySamples(overview(), config)
      return read((journal) => ({
        ...samples,
        ...readJournalSamples({ services, journal, nowMs: clock.now() }),
      }))
    }),
    // The copy changes in steps, so there is no live feed of it.
    subscribe: () => () => undefined,
    // Only whole groups reach the copy.
    untilOnDisk: async () => undefined,
    ...refusals,
    findKeyed: async (key) => read((journal) => findProven(journal, key)) ?? refusals.submit(),
  }
}

/** The operations that need the engine, a chain or a change. Each throws `cluster.standby`. */
function refuseEach(holder: () => string | null) {
  const refuse = (): never => {
    throw onlyLeader(holder())
  }
  return {
    plan: refuse,
    quote: refuse,
    submit: refuse,
    once: refuse,
    quoteFor: refuse,
    submitFor: refuse,
    propose: refuse,
    dismissProposal: refuse,
    pause: refuse,
    resume: refuse,
    confirmClock: refuse,
    recover: refuse,
    reload: refuse,
    operate: refuse,
    recordCall: refuse,
    durable: refuse,
    reconcile: refuse,
    acknowledge: refuse,
    handOver: refuse,
    withdrawKey: refuse,
  } satisfies Partial<Operations>
}

/**
 * Opens the copy for one use: a rebuild replaces the file, and an open connection would show the
 * old one.
 */
function readerOf(file: string, cluster: StandbyParts["cluster"]): ReadJournal {
  return (use) => {
    const schema = readReplica(file)?.schema
    if (schema === undefined)
      throw standbyError(`it has no journal yet; ${cluster().error ?? "ask the leader"}`)
    // To open it would change its schema, and the log's next group would not fit.
    if (schema !== SCHEMA_VERSION)
      throw standbyError("the leader runs another version, with another schema of the journal")
    const journal = openJournal(file)
    try {
      return use(journal)
    } finally {
      journal.close()
    }
  }
}

function onlyLeader(holder: string | null): AppError {
  const leader =
    holder === null ? "no daemon holds the treasury's lease now" : `ask the leader, ${holder}`
  return standbyError(`it only reads its copy of the journal; ${leader}`)
}

function standbyError(why: string): AppError {
  const message = `This daemon is a standby, and ${why}`
  return new AppError({ code: "cluster.standby", disposition: "transient", message })
}
