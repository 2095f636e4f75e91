import { randomBytes } from "node:crypto"
import type { ChainConfig } from "#chains/chain-config.ts"
import { DEPOSIT_READERS, familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { judgeAccounts } from "#config/judge/judge-twins.ts"
import { type Asset, type ChainId, toChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import {
  type ConfiguredParts,
  createLiveContext,
  type FixedParts,
  type LiveContext,
} from "#engine/live-context.ts"
import { createSolver } from "#engine/rules/solver/create-solver.ts"
import { withinTime } from "#engine/rules/tick/within-time.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { createAsk } from "#nodes/create-ask.ts"
import { createPacesOf, type Paces, type PacesOf, PRICES, SERVICES } from "#nodes/paces.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Journal } from "#ports/journal.ts"
import type { PricePort } from "#ports/prices.ts"
import { createPrices } from "#prices/create-prices.ts"
import { createServiceClient } from "#service/client.ts"
import { accountsOf, openRoutes, readRouteRules } from "./open-routes.ts"
import { journalFile } from "./start/journal-file.ts"
import type { KeySource } from "./start/key-source.ts"
import { openGrouped } from "./start/open-grouped.ts"
import { addPlaceInFile } from "./start/place-in-file.ts"
import { toSettings } from "./start/settings.ts"
import { tellBlockTime } from "./start/tell-block-time.ts"
import type { ServiceCalls } from "./watch/service-calls.ts"

/**
 * Shorter than the time for which admission waits for a quote, so that a request by hand gets the
 * name of a silent price source.
 */
const PRICE_TIMEOUT_MS = 3_000

/**
 * Connects the engine with the concrete ports. Only this file, the CLI and tests know all of them.
 */
export async function compose(
  config: Config,
  runtime: {
    clock: Clock
    log: Logger
    afterCommit?: () => void
    journal?: Journal
    proveLease?: (since?: number) => Promise<void>
    countProofs?: () => number
    findLogSilence?: () => Reason | null
    keys?: KeySource
    pacesOf?: PacesOf
    readStopFile?: () => string | null
    chains?: ReadonlyMap<ChainId, ChainPort>
    calls?: ServiceCalls
  },
): Promise<LiveContext> {
  const { clock, log, calls } = runtime
  const chains = runtime.chains ?? (await openChains(config, clock, runtime.keys, runtime.pacesOf))
  const fixed: FixedParts = {
    journal: runtime.journal ?? openGrouped(journalFile(config), log, runtime.afterCommit),
    clock,
    log,
    solver: createSolver({ clock, log }),
    ...(runtime.proveLease ? { proveLease: runtime.proveLease } : {}),
    ...(runtime.countProofs ? { countProofs: runtime.countProofs } : {}),
    ...(runtime.findLogSilence ? { findLogSilence: runtime.findLogSilence } : {}),
    ...(runtime.keys ? { keyRecord: runtime.keys } : {}),
    ...(runtime.readStopFile ? { readStopFile: runtime.readStopFile } : {}),
    newOrderId: () => randomBytes(16).toString("hex"),
    // 53 bits: a service that reads the nonce into a double keeps every digit.
    newNonce: () => (randomBytes(8).readBigUInt64BE() >> 11n).toString(),
  }
  const edges = openEdges(config, clock, chains, calls, runtime.pacesOf)
  const routes = await openRoutes(config, chains, { clock, log }, runtime.pacesOf?.(SERVICES))
  const settings = toSettings(config, chains)
  return createLiveContext(fixed, { ...edges, ...routes, chains, settings })
}

/**
 * The clients that every configuration creates anew. `chains` have the price feeds; `calls` keeps
 * the failed calls of the services.
 */
export function openEdges(
  config: Config,
  clock: Clock,
  chains: ReadonlyMap<ChainId, ChainPort>,
  calls?: ServiceCalls,
  pacesOf: PacesOf = createPacesOf(clock),
): Pick<ConfiguredParts, "services" | "prices"> {
  return {
    services: new Map(
      config.services.map((service) => [
        service.name,
        createServiceClient({
          ...service,
          baseUrl: service.url,
          depositReaders: DEPOSIT_READERS,
          clock,
          paces: pacesOf(SERVICES),
          onCall: (note, asked) => calls?.note(service.name, note, asked),
        }),
      ]),
    ),
    prices: openPrices(config, clock, chains, pacesOf(PRICES)),
  }
}

/**
 * In `live` mode every pair must be priced independently of the service, unless the configuration
 * trusts the service.
 */
export function openPrices(
  { prices, mode }: Config,
  clock: Clock,
  chains: ReadonlyMap<ChainId, Pick<ChainPort, "contracts">>,
  paces?: Paces,
): PricePort {
  return createPrices({
    ...(paces === undefined ? {} : { paces }),
    ...prices,
    required: mode === "live" && !prices.trustService,
    timeoutMs: PRICE_TIMEOUT_MS,
    clock,
    readFeed: async (chain, feed) => {
      const price = await withinTime(
        clock,
        PRICE_TIMEOUT_MS,
        `reading a price feed on ${chain}`,
        async () => {
          return (await chains.get(toChainId(chain))?.contracts?.fetchFeedPrice(feed)) ?? null
        },
      )
      if (price !== null) return price
      const remedy = "correct chain or kind of the source"
      const message = `${chain} cannot read feeds of kind ${feed.kind}; ${remedy}`
      throw new AppError({
        code: "prices.feed",
        disposition: "transient",
        message,
        details: { chain },
      })
    },
  })
}

/**
 * Loads the libraries of the configured families. They block the event loop for seconds, and a
 * lease ends when its holder stands still for so long.
 */
export async function loadChains({ chains }: Config): Promise<void> {
  await Promise.all(chains.map((chain) => familyOf(chain).loadPort()))
}

/**
 * Imports only the configured families, because all of them together take two seconds and 200 MB.
 * Throws as `openChain` and `refuseSharedAccounts` do.
 */
export async function openChains(
  config: Config,
  clock: Clock,
  keys?: KeySource,
  pacesOf?: PacesOf,
): Promise<ReadonlyMap<ChainId, ChainPort>> {
  const ports = await Promise.all(
    config.chains.map((chain) => openChain(chain, config, clock, keys, pacesOf)),
  )
  const chains = new Map(ports.map((port) => [port.chain, port]))
  refuseSharedAccounts(config, chains)
  return chains
}

/** Throws `config.unsafe` (fatal) where two names are one wallet: its balance counts twice. */
export function refuseSharedAccounts(
  { chains }: Pick<Config, "chains">,
  ports: ReadonlyMap<ChainId, Pick<ChainPort, "account">>,
): void {
  const accounts = new Map([...ports].map(([chain, { account }]) => [chain, account]))
  const [found] = judgeAccounts(chains, accounts)
  if (found === undefined) return
  const { code, message, todo, subjects } = found
  throw new AppError({
    code: "config.unsafe",
    disposition: "fatal",
    message: `${message} (${code}); ${todo}`,
    details: { codes: code, chains: subjects.join(", ") },
  })
}

/**
 * `keys` are the keys of another process. Throws `config.*` (fatal) that names the chain's place in
 * the file.
 */
export async function openChain(
  chain: ChainConfig,
  config: Config,
  clock: Clock,
  keys?: KeySource,
  pacesOf = createPacesOf(clock),
): Promise<ChainPort> {
  try {
    const { dataDir, service } = config
    const paces = pacesOf(chain.chain)
    const apart = keys === undefined ? {} : { keyHolder: keys.holderOf(chain.chain) }
    // The port awaits the holder after its libraries; until then a failure has no handler, and Node
    // would end the process.
    apart.keyHolder?.catch(() => undefined)
    const routes = await readRouteRules(config, accountsOf(config, keys))
    const world = {
      assets: assetsOf(config, chain.chain),
      timeoutMs: service.timeoutMs,
      clock,
      paces,
      headsForMs: HEADS_FOR_MS,
      dataDir,
      ...(routes.size === 0 ? {} : { routes }),
      ...apart,
    }
    const port = await familyOf(chain).openPort(chain, world)
    const seen = keys?.follow?.(port) ?? port
    return tellBlockTime(seen, chain, createAsk(service.timeoutMs, clock, paces))
  } catch (error) {
    throw addPlaceInFile(error, chain)
  }
}

/** Shorter than a poll, and than the blocks of most chains: orders that look together share it. */
const HEADS_FOR_MS = 800

export function assetsOf(config: Config, chain: ChainId): readonly Asset[] {
  return config.assets.filter((asset) => asset.chain === chain)
}
