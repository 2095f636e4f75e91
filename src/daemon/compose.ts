import { randomBytes } from "node:crypto"
import type { ChainConfig } from "#chains/chain-config.ts"
import { DEPOSIT_READERS, familyOf } from "#chains/families.ts"
import type { ChainPort } from "#chains/port.ts"
import type { Config } from "#config/config.ts"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import { type ConfiguredParts, createLiveContext, type FixedParts, type LiveContext } from "#engine/live-context.ts"
import type { Journal } from "#journal/port.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { createHttpPrices } from "#prices/http-prices.ts"
import { createServiceClient } from "#service/client.ts"
import { createAsk } from "./create-ask.ts"
import { journalFile } from "./journal-file.ts"
import type { KeySource } from "./key-source.ts"
import { addPlaceInFile } from "./place-in-file.ts"
import { toSettings } from "./settings.ts"
import { tellBlockTime } from "./tell-block-time.ts"

/** Shorter than the time for which admission waits for a quote, so that a request by hand gets the name of a silent price source. */
const PRICE_TIMEOUT_MS = 3_000

/** Connects the engine with the concrete ports. Only this file, the CLI and tests know all of them. */
export async function compose(
  config: Config,
  runtime: {
    clock: Clock
    log: Logger
    afterCommit?: () => void
    journal?: Journal
    keys?: KeySource
    readStopFile?: () => string | null
  },
): Promise<LiveContext> {
  const { clock, log } = runtime
  const chains = await openChains(config, clock, runtime.keys)
  const fixed: FixedParts = {
    journal: runtime.journal ?? openJournalOf(config, runtime.afterCommit),
    clock,
    log,
    ...(runtime.readStopFile ? { readStopFile: runtime.readStopFile } : {}),
    newOrderId: () => randomBytes(16).toString("hex"),
    // 53 bits: a service that reads the nonce into a double keeps every digit.
    newNonce: () => (randomBytes(8).readBigUInt64BE() >> 11n).toString(),
  }
  return createLiveContext(fixed, { ...openEdges(config, clock), chains, settings: toSettings(config, chains) })
}

/** The clients that every configuration creates anew. */
export function openEdges(config: Config, clock: Clock): Pick<ConfiguredParts, "services" | "prices"> {
  return {
    services: new Map(
      config.services.map((service) => [
        service.name,
        createServiceClient({ ...service, baseUrl: service.url, depositReaders: DEPOSIT_READERS, clock }),
      ]),
    ),
    prices: createHttpPrices({ sources: config.prices.sources, timeoutMs: PRICE_TIMEOUT_MS, clock }),
  }
}

function openJournalOf(config: Config, afterCommit: (() => void) | undefined): Journal {
  return openJournal(journalFile(config), afterCommit ? { afterCommit } : {})
}

/** Imports only the configured families, because all of them together take two seconds and 200 MB. */
export async function openChains(
  config: Config,
  clock: Clock,
  keys?: KeySource,
): Promise<ReadonlyMap<ChainId, ChainPort>> {
  const ports = await Promise.all(config.chains.map((chain) => openChain(chain, config, clock, keys)))
  return new Map(ports.map((port) => [port.chain, port]))
}

/** `keys` are the keys of another process. Throws `config.*` (fatal) that names the chain's place in the file. */
export async function openChain(
  chain: ChainConfig,
  config: Config,
  clock: Clock,
  keys?: KeySource,
): Promise<ChainPort> {
  try {
    const { dataDir, service } = config
    const apart = keys === undefined ? {} : { keyHolder: keys.holderOf(chain.chain) }
    // The port awaits the holder after its libraries; until then a failure has no handler, and Node would end the process.
    apart.keyHolder?.catch(() => undefined)
    const world = { assets: assetsOf(config, chain.chain), timeoutMs: service.timeoutMs, clock, dataDir, ...apart }
    const port = await familyOf(chain).openPort(chain, world)
    return tellBlockTime(port, chain, createAsk(service.timeoutMs))
  } catch (error) {
    throw addPlaceInFile(error, chain)
  }
}

export function assetsOf(config: Config, chain: ChainId): readonly Asset[] {
  return config.assets.filter((asset) => asset.chain === chain)
}

export function decimalsOf(config: Config): ReadonlyMap<AssetId, number> {
  return new Map(config.assets.map(({ id, decimals }) => [id, decimals]))
}
