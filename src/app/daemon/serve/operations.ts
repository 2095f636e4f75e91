import type { ChainConfig } from "#chains/chain-config.ts"
import { formatUnits } from "#domain/amount.ts"
import { type Asset, type AssetId, chainOf } from "#domain/asset.ts"
import { readPause } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import { accountPrefix, type EngineContext, quoteSourcesOf, txidFormIn } from "#engine/context.ts"
import type { Engine } from "#engine/engine.ts"
import { reasonOf } from "#engine/orders/observe/job.ts"
import type { PauseScope } from "#engine/watches/pause.ts"
import type { Reconciler } from "#engine/watches/reconciler.ts"
import { toAppError } from "#lib/app-error.ts"
import { nearestName } from "#lib/nearest-name.ts"
import { AGENT_PREFIX } from "#ops/caller.ts"
import type { Samples } from "#ops/metric-families.ts"
import { renderMetrics } from "#ops/metrics.ts"
import type { BalanceView, Operations, Scope } from "#ops/operations.ts"
import type { RequestKey } from "#ports/journal/request-keys.ts"
import type { Answer } from "#schema/answers/answers.ts"
import type { SubmitRequest } from "#schema/requests.ts"
import type { Reloaded } from "../start/reload.ts"
import type { Studies } from "../study/create-studies.ts"
import type { DeskViews } from "../views/desk-views.ts"
import { viewDeliveries } from "../views/read-deliveries.ts"
import { viewChains } from "../views/view-chains.ts"
import { readDryRun } from "../views/view-dry-run.ts"
import { readPlan } from "../views/view-plan.ts"
import { readQuote } from "../views/view-quote.ts"
import { viewRule } from "../views/view-rule.ts"
import type { Alerting } from "../watch/alerting.ts"
import { reconcile } from "../watch/reconciliation.ts"
import { createAgentOperations } from "./agent-operations.ts"
import { answerRequest } from "./answer-request.ts"
import {
  createJournalOperations,
  readJournalSamples,
  viewStatus,
  viewUnreadBalance,
} from "./journal-operations.ts"
import { createKeyedRequests, type KeyedRequests } from "./keyed-requests.ts"
import type { Proposals } from "./proposals.ts"

/** Characters of a request's body that the journal keeps. */
const MAX_RECORDED = 2_000

const UNPAUSED: Reason = {
  code: "recover.unpaused",
  message:
    "Rules would act on balances without the lost orders: `ballast pause`, then recover again",
}

/** Implements the operations of HTTP and CLI on the journal and the engine. */
export function createOperations(
  context: EngineContext,
  engine: Engine,
  runtime: Runtime,
): Operations {
  const { journal } = context
  const keyed = createKeyedRequests(journal, context.clock)
  const decimals = (): ReadonlyMap<AssetId, number> =>
    new Map([...context.settings.assets.values()].map((asset) => [asset.id, asset.decimals]))
  return {
    isReady: runtime.isReady,
    subscribe: runtime.subscribe,
    ...createJournalOperations(
      (use) => use(journal),
      decimals,
      context.clock,
      (asset) => txidFormIn(context, asset),
    ),
    status: () => readStatus(context, engine, runtime),
    overview: runtime.overview,
    handOver: runtime.handOver,
    ...alertOperations(runtime),
    recover: (adopt) => recover(context, engine, adopt),
    ...runtime.views,
    ...runtime.studies,
    ...runtime.proposals,
    balances: () =>
      Promise.all(
        [...context.settings.assets.values()].map((asset) => readBalance(context, asset)),
      ),
    rules: () =>
      context.settings.rules.map((rule) =>
        viewRule(context, rule, engine.nextMs(rule), decimals()),
      ),
    plan: () => readPlan(context, engine),
    quote: (request) =>
      answerRequest(context, request, async (asked) => {
        const body = await readQuote(context, runtime.chains(), {
          ...asked,
          rule: "manual",
          occurrence: null,
        })
        return { ok: true, body }
      }),
    submit: (request, key = null, by = "ops.socket") =>
      submit({ context, engine, keyed, chains: runtime.chains(), by }, request, key),
    ...createAgentOperations({ context, engine, keyed, chains: runtime.chains }),
    findKeyed: keyed.find,
    once: keyed.once,
    withdrawKey: keyed.withdraw,
    ...controlEngine(context, engine, runtime.agents),
    reload: () => reload(runtime),
    recordCall: (call) => {
      journal.recordOperatorCall({
        ...call,
        body: call.body.slice(0, MAX_RECORDED),
        atMs: context.clock.now(),
      })
      const { body: _body, ...shown } = call
      context.log.info(shown, "An operator asks for a change")
    },
    durable: () => journal.durable(),
    untilOnDisk: () => journal.durableHere(),
    reconcile: (accept) => reconcile(context, runtime.reconciler, accept, decimals()),
    readLog: runtime.readLog,
    metrics: renderMetrics(() => samplesNow(context, engine, runtime)),
  }
}

/** The operator's commands to the engine itself. */
function controlEngine(
  context: EngineContext,
  engine: Engine,
  agents: Runtime["agents"] = () => [],
): Pick<Operations, "pause" | "resume" | "confirmClock" | "operate"> {
  return {
    pause: async (scope) => {
      const found = findScope(context, scope, agents())
      if (!found.ok) return found
      await engine.pause(found.scope)
      return { ok: true, body: { paused: true, scope: found.scope } }
    },
    resume: (scope, acknowledge) => {
      const found = findScope(context, scope, agents())
      if (!found.ok) return found
      const resumed = engine.resume(found.scope, acknowledge)
      return resumed.ok ? { ok: true, body: { paused: false, scope: found.scope } } : resumed
    },
    confirmClock: () => {
      engine.confirmClock()
      return { ok: true, body: { confirmed: new Date(context.clock.now()).toISOString() } }
    },
    operate: (id, verb, intent, by) => {
      const result = engine.operate(id, verb, by, intent)
      return result.ok ? { ok: true, body: { id, state: result.state } } : result
    },
  }
}

async function reload(runtime: Pick<Runtime, "reload">): ReturnType<Operations["reload"]> {
  const result = await runtime.reload()
  if (!result.ok) return result
  const { differences, configHash } = result
  return { ok: true, body: { changed: differences.length > 0, configHash, differences } }
}

async function recover(
  { journal }: EngineContext,
  engine: Engine,
  adopt: boolean,
): ReturnType<Operations["recover"]> {
  if (adopt && readPause(journal) === null) return { ok: false, reasons: [UNPAUSED] }
  return { ok: true, body: await engine.recover(adopt) }
}

/** The alerts that people were told, and their answer. */
function alertOperations({
  alerting,
  receivers,
}: Runtime): Pick<Operations, "deliveries" | "acknowledge"> {
  return {
    deliveries: () => viewDeliveries(alerting.read(), receivers()),
    acknowledge: (id, by) => {
      const count = alerting.acknowledge(id, by)
      if (count > 0) return { ok: true, body: { acknowledged: count } }
      const message =
        "There is no open alert with this id that waits for an answer; `ballast alerts` lists them"
      return { ok: false, reasons: [{ code: "alerts.unknown", message }] }
    },
  }
}

type Runtime = {
  readonly alerting: Pick<Alerting, "read" | "acknowledge">
  /** The metrics beside the figures. */
  readonly samples: () => Promise<Samples>
  readonly receivers: () => readonly { readonly name: string; readonly kind: string }[]
  readonly overview: Operations["overview"]
  readonly handOver: Operations["handOver"]
  readonly isReady: () => boolean
  readonly startedAtMs: number
  readonly configHash: () => string
  readonly readLog: Operations["readLog"]
  readonly subscribe: Operations["subscribe"]
  readonly reload: () => Promise<Reloaded>
  readonly reconciler: Reconciler
  readonly chains: () => readonly ChainConfig[]
  readonly agents?: () => readonly { readonly name: string }[]
  readonly views: DeskViews
  readonly studies: Studies
  readonly proposals: Proposals
}

function readStatus(
  context: EngineContext,
  engine: Engine,
  runtime: Runtime,
): ReturnType<Operations["status"]> {
  const { journal, clock, settings } = context
  return viewStatus({
    journal,
    nowMs: clock.now(),
    mode: settings.mode,
    services: servicesOf(context),
    chains: viewChains(context, runtime.chains(), engine.trust()),
    configHash: runtime.configHash(),
    startedAtMs: runtime.startedAtMs,
  })
}

function servicesOf(context: EngineContext): readonly { readonly name: string }[] {
  return [...quoteSourcesOf(context).keys()].map((name) => ({ name }))
}

async function samplesNow(
  context: EngineContext,
  engine: Engine,
  runtime: Runtime,
): Promise<Samples> {
  const { journal, clock } = context
  const samples = await runtime.samples()
  // A scrape holds neither the engine nor other answers: each part is a turn of its own.
  await clock.turn?.()
  return {
    ...samples,
    ...readJournalSamples({ journal, nowMs: clock.now(), services: servicesOf(context) }),
    ballast_chain_endpoints: engine.trust().flatMap(({ chain, endpoints, needed, agreeing }) =>
      Object.entries({ configured: endpoints, needed, agreeing }).map(([state, value]) => ({
        labels: { chain, state },
        value,
      })),
    ),
  }
}

type Submitting = {
  readonly context: EngineContext
  readonly engine: Engine
  readonly keyed: KeyedRequests
  readonly chains: readonly ChainConfig[]
  readonly by: string
}

/** The key is looked up first: the configuration may have changed since its order was opened. */
async function submit(
  { context, engine, keyed, chains, by }: Submitting,
  request: SubmitRequest,
  key: string | null,
): Promise<Answer<"AcceptedSwap" | "DryRun">> {
  if (request.dryRun === true) {
    return answerRequest(context, request, async (asked) => {
      const body = await readDryRun(context, chains, { ...asked, rule: "manual", occurrence: null })
      return { ok: true, body }
    })
  }
  const open = (requestKey: RequestKey | null): Promise<Answer<"AcceptedSwap">> =>
    answerRequest(context, request, async (asked) => {
      const admission = await engine.submit({ ...asked, requestKey, askedBy: by })
      return admission.ok ? { ok: true, body: { id: admission.id } } : admission
    })
  return key === null ? open(null) : keyed.submit(key, request, open)
}

async function readBalance(context: EngineContext, asset: Asset): Promise<BalanceView> {
  const chain = context.chains.get(chainOf(asset.id))
  const show = (units: bigint): string => formatUnits(units, asset.decimals)
  const unread = (reason: Reason): BalanceView =>
    viewUnreadBalance(asset.id, chain?.account ?? "", reason)
  if (!chain)
    return unread({ code: "config.chain_missing", message: "The chain is not configured" })
  try {
    const { units, spendableUnits } = await chain.fetchBalance(
      asset.id,
      context.journal.listReserved(accountPrefix(chain)),
    )
    return {
      asset: asset.id,
      account: chain.account,
      amount: show(units),
      amountUnits: units.toString(),
      spendable: show(spendableUnits),
      spendableUnits: spendableUnits.toString(),
      error: null,
    }
  } catch (error) {
    const fallback = { code: "chain.unreadable", disposition: "transient" } as const
    return unread(reasonOf(toAppError(error, fallback)))
  }
}

type FoundScope =
  | { readonly ok: true; readonly scope: PauseScope }
  | { readonly ok: false; readonly reasons: Reason[] }

/** Refuses unknown names: otherwise the answer would be "paused" while nothing is paused. */
function findScope(
  { chains, settings }: EngineContext,
  { chain, rule }: Scope,
  agents: readonly { readonly name: string }[],
): FoundScope {
  if (chain !== undefined) {
    const known = [...chains.keys()].find((each) => each === chain)
    return known
      ? { ok: true, scope: { kind: "chain", chain: known } }
      : unknownScope("chain", chain, [...chains.keys()])
  }
  if (rule === undefined) return { ok: true, scope: { kind: "all" } }
  const ofAgents = agents.map(({ name }) => `${AGENT_PREFIX}${name}`)
  const rules = [...settings.rules.map(({ id }) => id), ...ofAgents]
  return rules.includes(rule)
    ? { ok: true, scope: { kind: "rule", rule } }
    : unknownScope("rule", rule, rules)
}

function unknownScope(what: "chain" | "rule", name: string, known: readonly string[]): FoundScope {
  const near = nearestName(name.slice(0, 80), known)
  const hint = near === null ? "" : ` (did you mean ${near}?)`
  const message =
    `There is no ${what} "${name.slice(0, 80)}" in the configuration${hint}; it has: ` +
    `${known.join(", ") || "none"}`
  return { ok: false, reasons: [{ code: "pause.unknown", message }] }
}
