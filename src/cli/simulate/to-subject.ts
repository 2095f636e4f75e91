import type { ChainTraits } from "#backtest/derive-scenario.ts"
import type { Subject } from "#backtest/subject.ts"
import type { ChainConfig, Config } from "#config/config.ts"
import { toSettings } from "#daemon/settings.ts"

/** The part of a configuration that a backtest uses. It opens no chains, so the settings have no addresses. */
export function toSubject(name: string, config: Config): Subject {
  return {
    name,
    assets: config.assets,
    maxCost: config.guards.maxCost,
    priced: new Set(config.prices.sources.map(({ asset }) => asset)),
    settings: toSettings(config, new Map()),
  }
}

export function toChainTraits(chain: ChainConfig): ChainTraits {
  return { chain: chain.chain, family: chain.family, evmChainId: chain.family === "evm" ? chain.chainId : null }
}
