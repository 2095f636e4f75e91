import { randomBytes } from "node:crypto"
import type { ChainConfig } from "#chains/chain-config.ts"
import { DEPOSIT_READERS, familyOf } from "#chains/families.ts"
import type { ChainPort } from "#chains/port.ts"
import type { Config } from "#config/config.ts"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import type { Journal } from "#journal/port.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { createHttpPrices } from "#prices/http-prices.ts"
import { createServiceClient } from "#service/client.ts"
import { journalFile } from "./journal-file.ts"
import { toSettings } from "./settings.ts"

/** Short, so that a silent price source is named to whoever asks by hand before admission stops waiting for a quote. */
const PRICE_TIMEOUT_MS = 3_000

/** Wires the concrete edges to the engine. The only place, beside the CLI and tests, that knows them all. */
export async function compose(
  config: Config,
  runtime: { clock: Clock; log: Logger; afterCommit?: () => void; journal?: Journal },
): Promise<EngineContext> {
  const { clock, log } = runtime
  const chains = await openChains(config, clock)
  return {
    journal: runtime.journal ?? openJournalOf(config, runtime.afterCommit),
    ...openEdges(config, clock),
    chains,
    clock,
    log,
    settings: toSettings(config, chains),
    newOrderId: () => randomBytes(16).toString("hex"),
    newNonce: () => randomBytes(8).readBigUInt64BE().toString(),
  }
}

/** The edges that are made anew with every configuration. */
export function openEdges(config: Config, clock: Clock): Pick<EngineContext, "service" | "prices"> {
  return {
    service: createServiceClient({
      ...config.service,
      baseUrl: config.service.url,
      depositReaders: DEPOSIT_READERS,
      clock,
    }),
    prices: createHttpPrices({ sources: config.prices.sources, timeoutMs: PRICE_TIMEOUT_MS, clock }),
  }
}

function openJournalOf(config: Config, afterCommit: (() => void) | undefined): Journal {
  return openJournal(journalFile(config), afterCommit ? { afterCommit } : {})
}

/** Opens each chain with its own SDK only: all together they take two seconds and 200 MB. */
export async function openChains(config: Config, clock: Clock): Promise<ReadonlyMap<ChainId, ChainPort>> {
  const ports = await Promise.all(config.chains.map((chain) => openChain(chain, config, clock)))
  return new Map(ports.map((port) => [port.chain, port]))
}

/** Throws `config.*` (fatal) that names the chain's place in the file. */
export async function openChain(chain: ChainConfig, config: Config, clock: Clock): Promise<ChainPort> {
  try {
    const world = { assets: assetsOf(config, chain.chain), timeoutMs: config.service.timeoutMs, clock }
    return await familyOf(chain).openPort(chain, world)
  } catch (error) {
    throw addPlace(error, chain)
  }
}

/** Only the family can tell that a text is no key of its own, and it does not know the file that named the key. */
function addPlace(error: unknown, { key, keyAt }: ChainConfig): unknown {
  if (!(error instanceof AppError) || error.details["reference"] !== key.reference) return error
  const { code, disposition, message, details } = error
  return new AppError({ code, disposition, message: `${keyAt}: ${message}`, details })
}

export function assetsOf(config: Config, chain: ChainId): readonly Asset[] {
  return config.assets.filter((asset) => asset.chain === chain)
}

export function decimalsOf(config: Config): ReadonlyMap<AssetId, number> {
  return new Map(config.assets.map(({ id, decimals }) => [id, decimals]))
}
