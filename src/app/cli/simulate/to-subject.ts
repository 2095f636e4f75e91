import type { Subject } from "#backtest/subject.ts"
import type { ScenarioTraits } from "#backtest/world/derive-scenario.ts"
import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { toSettings } from "#daemon/start/settings.ts"

/** A swap over a chain with minutes between two blocks takes tens of minutes. */
const SLOW_BLOCK_S = 300

/**
 * The part of a configuration that a backtest uses. It opens no chains, so the settings have no
 * addresses.
 */
export function toSubject(name: string, config: Config, solve?: Subject["solve"]): Subject {
  return {
    ...(solve === undefined ? {} : { solve }),
    name,
    assets: config.assets,
    maxCost: config.guards.maxCost,
    priced: new Set(config.prices.sources.map(({ asset }) => asset)),
    settings: toSettings(config, new Map()),
  }
}

export function toScenarioTraits(chain: ChainConfig): ScenarioTraits {
  const { traits, timelocksOf, typicalFeesOf } = familyOf(chain)
  const { refundFeeTakenFromAmount } = traits
  return {
    chain: chain.chain,
    nativeCoin: chain.nativeCoin,
    refundFeeTakenFromAmount,
    isSlow: timelocksOf(chain).secondsPerUnit >= SLOW_BLOCK_S,
    fees: typicalFeesOf(chain),
  }
}
