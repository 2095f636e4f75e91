import type { Subject } from "#backtest/subject.ts"
import type { ScenarioTraits } from "#backtest/world/derive-scenario.ts"
import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { toSettings } from "#daemon/start/settings.ts"
import { mustExist } from "#lib/assert.ts"

/** A swap over a chain with minutes between two blocks takes tens of minutes. */
const SLOW_BLOCK_S = 300

/**
 * The part of a configuration that a backtest uses. It opens no chains, so the settings have no
 * addresses.
 */
export function toSubject(name: string, config: Config, solve?: Subject["solve"]): Subject {
  const { sources, pegs } = config.prices
  const sourced = sources.map(({ asset }) => asset)
  // One source prices all assets of its peg (`edges/prices/create-prices.ts`).
  const pricedPegs = pegs.filter(({ assets }) => assets.some((asset) => sourced.includes(asset)))
  return {
    ...(solve === undefined ? {} : { solve }),
    name,
    assets: config.assets,
    maxCost: config.guards.maxCost,
    priced: new Set([...sourced, ...pricedPegs.flatMap(({ assets }) => assets)]),
    findPeg: (a, b) => {
      const peg = pegs.find(({ assets }) => assets.includes(a))
      const isPriced = peg !== undefined && pricedPegs.includes(peg) && peg.assets.includes(b)
      return isPriced ? { toleranceBps: peg.toleranceBps } : null
    },
    service: mustExist(config.services[0], "a service").name,
    routes: config.routes,
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
