import type { ChainFacts } from "#backtest/derive-scenario.ts"
import type { Subject } from "#backtest/subject.ts"
import type { ChainConfig, Config } from "#config/config.ts"
import { toSettings } from "#daemon/settings.ts"

/** The part of a configuration that a backtest runs. It has no chains, so it needs no keys and its settings have no addresses. */
export function toBacktestSubject(name: string, config: Config): Subject {
  return {
    name,
    assets: config.assets,
    maxCost: config.guards.maxCost,
    priced: new Set(config.prices.sources.map(({ asset }) => asset)),
    settings: toSettings(config, new Map()),
  }
}

export function toBacktestChain(chain: ChainConfig): ChainFacts {
  return { chain: chain.chain, family: chain.family, evmChainId: chain.family === "evm" ? chain.chainId : null }
}
