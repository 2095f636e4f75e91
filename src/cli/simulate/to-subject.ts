import type { ChainFacts } from "#backtest/derive-scenario.ts"
import type { Subject } from "#backtest/subject.ts"
import type { ChainConfig, Config } from "#config/config.ts"
import { toSettings } from "#daemon/settings.ts"

/** What of a configuration is tried. Keys are not looked at: without chains, the settings have no addresses. */
export function toSubject(name: string, config: Config): Subject {
  return {
    name,
    assets: config.assets,
    maxCost: config.guards.maxCost,
    priced: new Set(config.prices.sources.map(({ asset }) => asset)),
    settings: toSettings(config, new Map()),
  }
}

export function toChainFacts(chain: ChainConfig): ChainFacts {
  return { chain: chain.chain, family: chain.family, evmChainId: chain.family === "evm" ? chain.chainId : null }
}
