import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { type Difference, diffWritten } from "#config/diff.ts"
import { configHash } from "#config/hash.ts"
import { refuseUnsafe } from "#config/judge/judge-config.ts"
import type { LoadedConfig } from "#config/load.ts"
import type { ChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { EngineContext } from "#engine/context.ts"
import type { LiveContext } from "#engine/live-context.ts"
import { reasonOf } from "#engine/orders/observe/job.ts"
import { ASSET_MISMATCH, readAssetFaults } from "#engine/watches/asset-gate.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import { type PacesOf, SERVICES } from "#nodes/paces.ts"
import type { ChainPort } from "#ports/chain.ts"
import { assetsOf, openChain, openEdges, refuseSharedAccounts } from "../compose.ts"
import { noteConfig } from "../money/past-bands.ts"
import { openRoutes } from "../open-routes.ts"
import { checkTls } from "../serve/listen.ts"
import type { ServiceCalls } from "../watch/service-calls.ts"
import { schedulesOf } from "../watch/waker.ts"
import type { KeySource } from "./key-source.ts"
import { findRestartNeeds } from "./restart-needed.ts"
import { toSettings } from "./settings.ts"

/** Reads the configuration again and puts it in force as a whole, or not at all. */
export type Reloader = {
  /** The configuration in force. */
  readonly current: () => Config
  /** The plain data of its file. */
  readonly written: () => unknown
  readonly reload: () => Promise<Reloaded>
}

export type Reloaded =
  | { readonly ok: true; readonly configHash: string; readonly differences: readonly Difference[] }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

/** The parts of the configuration that the signer reads. */
const SIGNER_READS = /^(chains|assets|routes|signer|guards|services?)\b/

/**
 * `source` reads the file and its secrets. `onRead` is called for each text that is in force, also
 * one that changes only comments; `onChange` right after a new configuration is in force.
 *
 * An order keeps the policy of its admission, which is part of its snapshot. Limits, rules and node
 * addresses are the ones in force.
 */
export function createReloader(
  { context, replace }: LiveContext,
  started: LoadedConfig,
  options: ReloadOptions,
): Reloader {
  const { log } = context
  const { calls, pacesOf } = options
  let inForce = started
  let last: Promise<unknown> = Promise.resolve()

  async function reload(): Promise<Reloaded> {
    const fresh = options.source()
    refuseUnsafe(fresh.findings)
    const differences = compare(inForce, fresh)
    if (differences.length === 0) {
      log.info({}, "The configuration is unchanged")
      options.onRead(fresh)
      return { ok: true, configHash: configHash(inForce.config), differences }
    }
    checkTls(fresh.config.ops.tls)
    if (differences.some(({ key }) => SIGNER_READS.test(key))) await options.keys?.renew()
    const chains = await openChangedChains(context, inForce.config, fresh.config, options)
    refuseSharedAccounts(fresh.config, chains)
    const edges = openEdges(fresh.config, context.clock, chains, calls, pacesOf)
    const routes = await openRoutes(fresh.config, chains, context, pacesOf?.(SERVICES))
    const otherAssets = await findOtherAssets(context, fresh.config, chains)
    if (otherAssets.length > 0) return { ok: false, reasons: otherAssets }
    // From this check to the replacement everything is synchronous, so that no order can begin in
    // between.
    const reasons = findRestartNeeds(inForce.config, fresh.config, listInFlight(context))
    if (reasons.length > 0) return { ok: false, reasons }
    restartSchedules(context, inForce.config, fresh.config)
    replace({ ...edges, ...routes, chains, settings: toSettings(fresh.config, chains) })
    inForce = fresh
    noteConfig(context.journal, fresh.config, context.clock.now())
    const hash = configHash(fresh.config)
    log.warn({ configHash: hash, differences }, "A new configuration is in force")
    options.onRead(fresh)
    await options.onChange(fresh.config)
    return { ok: true, configHash: hash, differences }
  }

  async function reloadAndLog(): Promise<Reloaded> {
    try {
      const result = await reload()
      if (!result.ok)
        log.error({ reasons: result.reasons }, "The new configuration is refused; nothing changed")
      return result
    } catch (error) {
      const known = toAppError(error, { code: "reload.failed", disposition: "bug" })
      log.error({ err: known }, "The configuration cannot be read again; nothing changed")
      if (!(error instanceof AppError)) throw known
      return { ok: false, reasons: [reasonOf(known)] }
    }
  }

  return {
    current: () => inForce.config,
    written: () => inForce.written,
    // Reloads run one after another, so that each compares with the result of the one before.
    reload: () => {
      const next = last.then(reloadAndLog, reloadAndLog)
      last = next
      return next
    },
  }
}

type ReloadOptions = {
  readonly source: () => LoadedConfig
  readonly onRead: (loaded: LoadedConfig) => void
  readonly onChange: (config: Config) => Promise<void>
  readonly keys?: KeySource | undefined
  readonly calls?: ServiceCalls
  readonly pacesOf?: PacesOf
}

/** The differences of the files, and secrets that changed behind the same reference. */
function compare(before: LoadedConfig, after: LoadedConfig): Difference[] {
  const secrets = after.config.chains.flatMap(({ chain, key }) => {
    const old = before.config.chains.find((other) => other.chain === chain)?.key
    return old && old.reference === key.reference && !old.isSame(key) ? [`chains.${chain}.key`] : []
  })
  const old = secretsOf(before.config)
  const fresh = secretsOf(after.config)
  for (const [key, secret] of fresh) {
    const known = old.get(key)
    if (known && known.reference === secret.reference && !known.isSame(secret)) secrets.push(key)
  }
  const other = secrets.map(
    (key): Difference => ({ key, change: "changed", from: "a secret", to: "another secret" }),
  )
  const written = diffWritten(before.written, after.written)
  const hidden = other.filter(({ key }) => !written.some((one) => one.key.startsWith(key)))
  return [...written, ...hidden]
}

/** The secrets of the HTTP interface and of the receivers, by their place in the file. */
function secretsOf({
  ops,
  alerts,
  chains,
  secrets,
  telemetry,
}: Config): ReadonlyMap<string, Secret> {
  return new Map([
    ...listAlertSecrets(alerts),
    ...chains.map((chain) => listAddresses(chain)),
    ...(telemetry.otlp ? ([["telemetry.otlp", telemetry.otlp]] as const) : []),
    ...(secrets.key ? ([["secrets.key", secrets.key]] as const) : []),
    ...(ops.token ? ([["ops.token", ops.token]] as const) : []),
    ...ops.tokens.map(({ name, token }) => [`ops.tokens.${name}`, token] as const),
    ...(ops.tls
      ? ([
          ["ops.tls.cert", ops.tls.cert],
          ["ops.tls.key", ops.tls.key],
        ] as const)
      : []),
  ])
}

/** They may stand behind references, with their keys. */
function listAddresses(chain: ChainConfig): readonly [string, Secret] {
  const { doctor, endpointKey } = familyOf(chain)
  const key = `chains.${chain.chain}.${endpointKey ?? "endpoints"}`
  return [key, new Secret(JSON.stringify(doctor.endpointsOf(chain)), "the endpoints")]
}

function listAlertSecrets({
  receivers,
  heartbeat,
}: Config["alerts"]): readonly (readonly [string, Secret])[] {
  const found = receivers.flatMap((receiver) =>
    Object.entries(receiver).flatMap(([key, value]) =>
      value instanceof Secret ? [[`alerts.receivers.${receiver.name}.${key}`, value] as const] : [],
    ),
  )
  return heartbeat === null ? found : [...found, ["alerts.heartbeat.url", heartbeat.url] as const]
}

/** An unchanged chain keeps its port and the port's caches. */
async function openChangedChains(
  context: EngineContext,
  before: Config,
  after: Config,
  { keys, pacesOf }: Pick<Parameters<typeof createReloader>[2], "keys" | "pacesOf">,
): Promise<ReadonlyMap<ChainId, ChainPort>> {
  const ports = after.chains.map(async (chain): Promise<[ChainId, ChainPort]> => {
    const known = context.chains.get(chain.chain)
    const port =
      known && isSameChain(chain, before, after)
        ? known
        : await openChain(chain, after, context.clock, keys, pacesOf)
    return [chain.chain, port]
  })
  return new Map(await Promise.all(ports))
}

/**
 * The assets of newly opened chains that differ from their chain. A chain without an answer stops
 * no reload: its deposits wait.
 */
async function findOtherAssets(
  context: EngineContext,
  { assets }: Config,
  chains: ReadonlyMap<ChainId, ChainPort>,
): Promise<Reason[]> {
  const found = assets.map(async ({ id, chain }) => {
    const port = chains.get(chain)
    return port && port !== context.chains.get(chain)
      ? (await readAssetFaults(context, port, id)).reasons
      : []
  })
  return (await Promise.all(found)).flat().filter(({ code }) => code === ASSET_MISMATCH)
}

function isSameChain(chain: ChainConfig, before: Config, after: Config): boolean {
  const old = before.chains.find((other) => other.chain === chain.chain)
  const portInputs = (config: Config): string =>
    encodeJson([assetsOf(config, chain.chain), config.routes, config.service.timeoutMs])
  const sameInputs = portInputs(before) === portInputs(after)
  return old?.key.isSame(chain.key) === true && encodeJson(old) === encodeJson(chain) && sameInputs
}

/**
 * A rule with a changed schedule, or one that was disabled before, does not make up for occurrences
 * from before this reload.
 */
function restartSchedules({ journal, clock }: EngineContext, before: Config, after: Config): void {
  const old = schedulesOf(before.rules)
  for (const { id, schedule, timezone } of schedulesOf(after.rules)) {
    const known = old.find((one) => one.id === id)
    if (known !== undefined && known.schedule === schedule && known.timezone === timezone) continue
    journal.writeFlag(`rule/${id}/settled-until`, String(clock.now()))
  }
}

function listInFlight({
  journal,
}: EngineContext): ReturnType<EngineContext["journal"]["listOrders"]> {
  return journal.listOrders({ open: true })
}
