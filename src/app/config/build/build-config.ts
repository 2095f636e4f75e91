import { parse, resolve } from "node:path"
import { type BlockTime, knownBlockTime } from "#chains/block-time.ts"
import type { ChainConfig } from "#chains/chain-config.ts"
import type { ChainPreset } from "#chains/chain-preset.ts"
import { familyOf, findPreset } from "#chains/families.ts"
import type { FamilyDefinition } from "#chains/family-definition.ts"
import { findWatched } from "#chains/watch-only.ts"
import { parseUnits } from "#domain/amount.ts"
import { type Asset, type AssetId, chainOf, parseAssetId, toChainId } from "#domain/asset.ts"
import type { SecretMode } from "#domain/order.ts"
import { type SendFields, sendFieldsOf } from "#domain/route/send-fields.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { trimEndOf } from "#lib/trim-end.ts"
import { type Address, headersOf, urlOf } from "#nodes/address.ts"
import { buildRule } from "#policy/rules/registry.ts"
import { ROUTES } from "#routes/registry.ts"
import type { RouteConfig } from "#routes/route-definition.ts"
import { buildCost, fiatOf } from "#schema/build-cost.ts"
import { type LimitAmount, parseLimitAmount, unitsRoundedDown } from "#schema/limit-amount.ts"
import type { Path } from "#schema/problem.ts"
import { itemsAt, readPath } from "#schema/read-path.ts"
import { isLoopback } from "../check/check-references.ts"
import type {
  AgentConfig,
  Config,
  GuardsConfig,
  OpsConfig,
  QuietHoursConfig,
  ServiceConfig,
} from "../config.ts"
import type { ConfigFile } from "../schema/schema.ts"
import type { ChainFile } from "../schema/schema-chains.ts"
import { buildAddress, secretUrlOf } from "./build-address.ts"
import { buildAlerts } from "./build-alerts.ts"
import { bpsOf, buildPrices } from "./build-prices.ts"
import { buildSigner } from "./build-signer.ts"

/** Builds the typed configuration from a checked file. A failure here is a bug in the checks. */
export function buildConfig(
  file: ConfigFile,
  secrets: ReadonlyMap<string, Secret>,
  placeOf: (path: Path) => string,
  home: { readonly file: string; readonly dataFrom: string },
): Config {
  const assets = Object.entries(file.assets).map(([id, asset]) => buildAsset(id, asset))
  const secretOf = (reference: string): Secret =>
    mustExist(secrets.get(reference), `the secret ${reference}`)
  const services = buildServices(file, secrets)
  const guards = buildGuards(file, assets)
  return {
    service: services[0],
    services,
    treasury: file.treasury ?? parse(home.file).name,
    dataDir: resolve(home.dataFrom, file.data_dir),
    journal: file.journal === null ? null : secretUrlOf(file.journal, secrets),
    ops: buildOps(file.ops, secretOf),
    chains: Object.entries(file.chains).map(([name, chain]) =>
      buildChain(name, chain, secrets, placeOf),
    ),
    assets,
    routes: buildRoutes(file, secrets),
    affiliate: file.affiliate.map((entry) => ({
      asset: parseAssetId(entry.asset),
      address: entry.address,
      feeBps: entry.fee_bps,
    })),
    rules: file.rules.map((rule) => buildRule(rule, decimalsIn(assets))),
    guards,
    prices: buildPrices(file.prices, Object.keys(file.assets), secrets),
    stallLimitMs: file.stall_limit,
    books: { reconcileEveryMs: file.books.reconcile_every, onDifference: file.books.on_difference },
    secrets: { key: file.secrets.key === null ? null : secretOf(file.secrets.key) },
    signer: buildSigner(file, { assets, maxOrder: guards.maxOrder, dataFrom: home.dataFrom }),
    health: { checkEveryMs: file.health.check_every, alarmAfterMs: file.health.alarm_after },
    alerts: buildAlerts(file.alerts, secrets),
    telemetry: {
      otlp: file.telemetry.otlp === null ? null : secretUrlOf(file.telemetry.otlp, secrets),
    },
    mode: file.mode,
    log: file.log,
  }
}

function decimalsIn(assets: readonly Asset[]): (id: string) => number {
  return (id) =>
    mustExist(
      assets.find((asset) => asset.id === id),
      `the asset ${id}`,
    ).decimals
}

function buildAsset(text: string, asset: ConfigFile["assets"][string]): Asset {
  const id = parseAssetId(text)
  const pinned = asset.htlc.flatMap((htlc, index) => {
    const identity = asset.pinned[index]
    return identity === undefined ? [] : [{ htlc, identity }]
  })
  const { decimals, token, htlc } = asset
  return {
    id,
    chain: chainOf(id),
    decimals,
    token,
    htlc,
    ...(pinned.length === 0 ? {} : { pinned }),
  }
}

function buildRoutes(
  { routes, assets }: ConfigFile,
  secrets: ReadonlyMap<string, Secret>,
): readonly RouteConfig[] {
  const world = {
    addressOf: (written: Address) => buildAddress(written, secrets),
    tokenOf: (asset: string) => assets[asset]?.token ?? null,
  }
  return ROUTES.flatMap((route) => {
    const written = routes[route.kind] ?? null
    return written === null ? [] : [route.build(written, world)]
  })
}

/** The name of the one service of `service:`. */
const ONLY_SERVICE = "main"

function buildServices(
  { service, services, secrets: { key } }: ConfigFile,
  secrets: ReadonlyMap<string, Secret>,
): readonly [ServiceConfig, ...ServiceConfig[]] {
  const written =
    service === null ? Object.entries(services ?? {}) : [[ONLY_SERVICE, service] as const]
  const usual = key === null ? "service" : "prefer-own"
  const [first, ...others] = written.map(([name, one]) => buildService(name, one, secrets, usual))
  return [mustExist(first, "a service"), ...others]
}

function buildService(
  name: string,
  service: NonNullable<ConfigFile["service"]>,
  secrets: ReadonlyMap<string, Secret>,
  usualSecret: SecretMode,
): ServiceConfig {
  const address = buildAddress(service.url, secrets)
  return {
    name,
    url: trimEndOf(urlOf(address), "/"),
    headers: headersOf(address),
    appId: secrets.get(service.app_id)?.reveal() ?? service.app_id,
    appIdHeader: service.app_id_header,
    pathPrefix: service.path_prefix,
    timeoutMs: service.timeout,
    poll: { minMs: service.poll.min, maxMs: service.poll.max },
    maxRequestsPerSecond: service.max_requests_per_second,
    orderExtras: service.order_extras,
    send: buildSend(service),
    secret: service.secret ?? usualSecret,
    secretPairs: service.secret_pairs.map(({ from, to, secret }) => ({
      from: parseAssetId(from),
      to: parseAssetId(to),
      secret,
    })),
  }
}

function buildSend({ send, order_extras }: NonNullable<ConfigFile["service"]>): SendFields {
  const extras = sendFieldsOf(order_extras)
  return {
    solverId: send.solver_id ?? extras.solverId,
    nonce: send.nonce ?? extras.nonce,
    delegate: send.delegate ?? extras.delegate,
    slippageBps: send.slippage,
  }
}

function buildOps(ops: ConfigFile["ops"], secretOf: (reference: string) => Secret): OpsConfig {
  return {
    listen: ops.listen === null ? null : buildListen(ops.listen),
    token: ops.token === null ? null : secretOf(ops.token),
    tokens: ops.tokens.map(({ name, token, scopes }) => ({ name, token: secretOf(token), scopes })),
    agents: ops.agents.map((agent) => buildAgent(agent, secretOf)),
    tls: ops.tls === null ? null : { cert: secretOf(ops.tls.cert), key: secretOf(ops.tls.key) },
    hosts: ops.hosts.map((host) => host.toLowerCase()),
  }
}

function buildAgent(
  agent: ConfigFile["ops"]["agents"][number],
  secretOf: (reference: string) => Secret,
): AgentConfig {
  const { name, token, tools, max_order, max_day } = agent
  const maySwap = tools.includes("swap") && max_order !== null && max_day !== null
  return {
    name,
    token: token === null ? null : secretOf(token),
    socket: agent.socket,
    tools,
    limits: maySwap
      ? {
          pairs: agent.pairs.map(({ from, to }) => ({
            from: parseAssetId(from),
            to: parseAssetId(to),
          })),
          maxOrderFiat: fiatOf(max_order),
          maxDayFiat: fiatOf(max_day),
          maxDayCount: agent.max_day_count,
          maxInFlight: agent.max_in_flight,
          approveAboveFiat: fiatOf(agent.approve_above),
        }
      : null,
  }
}

function buildListen(listen: string): NonNullable<OpsConfig["listen"]> {
  const colon = listen.lastIndexOf(":")
  return {
    host: listen.slice(0, colon).replace(/^\[|\]$/g, ""),
    port: Number(listen.slice(colon + 1)),
    loopback: isLoopback(listen),
  }
}

/** Also of a watchtower's file. */
export function buildChain(
  name: string,
  chain: ChainFile,
  secrets: ReadonlyMap<string, Secret>,
  placeOf: (path: Path) => string,
): ChainConfig {
  const family = familyOf(chain)
  const chosen = findPreset(chain.preset ?? "")?.preset ?? null
  const known = chosen ?? identify(chain, family)
  const shared = {
    chain: toChainId(name),
    preset: chain.preset,
    nativeCoin: known?.nativeCoin ?? family.traits.nativeCoin,
    blockTime: blockTimeOf(chain.block_time, known, family),
    explorer: chosen?.explorer ?? null,
    key: keyOf(chain, secrets),
    keyAt: placeOf(["chains", name, "key"]),
    agree: chain.agree,
    stuckAfterMs: chain.stuck_after,
    deadlineMarginMs: chain.deadline_margin,
    timelock: { min: bigOrNull(chain.timelock?.min), max: bigOrNull(chain.timelock?.max) },
  }
  const key = family.endpointKey
  if (key === null) return family.buildConfig(shared, chain)
  // CAST: the keys of a family with endpoints list addresses there (`chain-keys.ts`).
  const written = itemsAt(chain, [key]) as readonly Address[]
  const endpoints = written.map((one) => buildAddress(one, secrets))
  return family.buildConfig(shared, { ...chain, [key]: endpoints })
}

/** The "key" of a watched wallet is its address, which is no secret. */
function keyOf({ key }: ChainFile, secrets: ReadonlyMap<string, Secret>): Secret {
  const watched = findWatched({ reference: key })
  if (watched !== null) return new Secret(watched, key)
  return mustExist(secrets.get(key), `the secret ${key}`)
}

/**
 * The live chain with the same identity, without its preset's defaults: its coin and its block time
 * are facts of the chain.
 */
function identify(chain: ChainFile, { presets }: FamilyDefinition): ChainPreset | null {
  const isSame = ({ identity }: ChainPreset): boolean => {
    const entries = Object.entries(identity)
    return entries.length > 0 && entries.every(([key, value]) => readPath(chain, [key]) === value)
  }
  return presets.find(isSame) ?? null
}

function blockTimeOf(
  writtenMs: number | null,
  known: ChainPreset | null,
  family: FamilyDefinition,
): BlockTime {
  if (writtenMs !== null) return knownBlockTime(writtenMs, "configuration")
  return known === null ? family.blockTime : knownBlockTime(known.blockTime.ms, "preset")
}

function bigOrNull(value: number | null | undefined): bigint | null {
  return value === null || value === undefined ? null : BigInt(value)
}

function buildGuards({ guards, chains }: ConfigFile, assets: readonly Asset[]): GuardsConfig {
  const sold = (text: string | null): SoldLimit | null =>
    text === null ? null : buildSoldLimit(text, assets)
  const above = guards.approve_above
  const steps = typeof above === "string" ? [{ over: above, people: 1 }] : (above ?? [])
  return {
    maxCost: buildCost(guards.max_cost),
    capitalBps: bpsOf(guards.capital_cost),
    maxOrder: sold(guards.max_order),
    maxServiceSecret: sold(guards.max_service_secret ?? guards.max_order),
    windows: guards.windows.map((window) => ({
      perMs: window.per === "lifetime" ? null : window.per,
      max: sold(window.max),
      maxFeesFiat: window.max_fees === null ? null : fiatOf(window.max_fees),
      maxCount: window.max_count,
    })),
    maxInFlight: guards.max_in_flight,
    maxInFlightPerRule: guards.max_in_flight_per_rule,
    maxInFlightPerPair: guards.max_in_flight_per_pair,
    maxInFlightPerChain: guards.max_in_flight_per_chain,
    maxInFlightPerService: guards.max_in_flight_per_service,
    maxGainBps: bpsOf(guards.max_gain),
    solvers: guards.solvers,
    cooldownAfterFailureMs: guards.cooldown_after_failure,
    cooldownMaxMs: guards.cooldown_max,
    restAfterFailureMs: guards.rest_after_failure,
    quietHours: guards.quiet_hours.map(buildQuietHours),
    approveAbove: sold(steps[0]?.over ?? null),
    approveSteps: steps
      .filter(({ people }) => people > 1)
      .map(({ over, people }) => ({ over: buildSoldLimit(over, assets), people })),
    approvalTtlMs: guards.approval_ttl,
    destinations: guards.destinations,
    payees: guards.payees,
    onAlarm: guards.on_alarm,
    minNative: Object.entries(guards.min_native).map(([chain, text]) => ({
      chain: toChainId(chain),
      units: parseUnits(
        text,
        familyOf(mustExist(chains[chain], `the chain ${chain}`)).traits.nativeCoin.decimals,
      ),
    })),
  }
}

const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]

function buildQuietHours({
  from,
  to,
  timezone,
  days,
}: ConfigFile["guards"]["quiet_hours"][number]): QuietHoursConfig {
  const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  return {
    fromMinute: minutes(from),
    toMinute: minutes(to),
    timezone,
    days: days.map((day) => DAYS.indexOf(day)),
  }
}

function amountOf(text: string): LimitAmount {
  return mustExist(parseLimitAmount(text), `the amount ${text}`)
}

function buildSoldLimit(text: string, assets: readonly Asset[]): SoldLimit {
  const amount = amountOf(text)
  if (amount.kind !== "own") return { kind: "fiat", fiat: fiatOf(text) }
  const entries = assets.map(({ id, decimals }): [AssetId, bigint] => [
    id,
    unitsRoundedDown(amount.text, decimals),
  ])
  // CAST: the type of Object.fromEntries loses the asset ids as keys.
  return { kind: "units", byAsset: Object.fromEntries(entries) as Record<AssetId, bigint> }
}
