import type { ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import { parseConfig } from "#config/load.ts"
import { toScenarioTraits, toSubject } from "#daemon/study/to-subject.ts"
import { parseAssetId } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import type { WorldSource } from "#policy-test/world.ts"

/**
 * A treasury as a person would configure it: a hot wallet, a float of dollars, a sweep of income,
 * and a weekly purchase.
 */
export const TREASURY = `service: { url: "http://127.0.0.1:4400" }
ops: { listen: "127.0.0.1:7070", token: "env:OPS_TOKEN" }
chains:
  bitcoin: { family: bitcoin, network: regtest, esplora: ["http://127.0.0.1:4401"],
      key: "env:BITCOIN_WIF" }
  base: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:4402"], key: "env:EVM_KEY" }
  arbitrum: { family: evm, chain_id: 421614, rpc: ["http://127.0.0.1:4403"], key: "env:EVM_KEY" }
assets:
  bitcoin:btc: { decimals: 8 }
  base:wbtc: { decimals: 8, token: "0x1111111111111111111111111111111111111111",
      htlc: ["0x2222222222222222222222222222222222222222"] }
  base:usdc: { decimals: 6, token: "0x3333333333333333333333333333333333333333",
      htlc: ["0x2222222222222222222222222222222222222222"] }
  arbitrum:usdc: { decimals: 6, token: "0x4444444444444444444444444444444444444444",
      htlc: ["0x2222222222222222222222222222222222222222"] }
rules:
  - { id: hot, kind: band, asset: base:wbtc, min: "0.2", target: "0.5", max: "1",
      sources: [bitcoin:btc], sinks: [bitcoin:btc], every: 10m, least: "0.01" }
  - { id: float, kind: band, asset: arbitrum:usdc, min: "8000", target: "20000", max: "30000",
      sources: [bitcoin:btc], sinks: [bitcoin:btc], every: 10m, least: "500" }
  - { id: income, kind: sweep, from: base:usdc, keep: "5000", to: bitcoin:btc, every: 1h,
      least: "500" }
  - { id: weekly, kind: recurring, schedule: "0 9 * * MON", timezone: UTC, from: arbitrum:usdc,
      to: base:wbtc, amount: "1000" }
guards:
  max_cost: "100bps"
  max_order: "20000 usd"
  windows: [ { per: 24h, max: "150000 usd", max_count: 12 } ]
  max_in_flight: 4
  quiet_hours: [ { from: "22:00", to: "06:00", timezone: UTC } ]
  destinations: own
prices: { trust_service: true }
mode: live
`

/**
 * The configuration with one passage replaced. Throws when the passage is missing, so that no case
 * passes by accident.
 */
export function treasuryWith(replaced: readonly (readonly [string, string])[]): string {
  return replaced.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the configuration has no ${from}`)
    return text.replace(from, to)
  }, TREASURY)
}

export function sourceOf(text: string): WorldSource {
  const secrets = (reference: string): Secret => new Secret("", reference)
  const config = parseConfig(text, { file: "ballast.yaml", secrets })
  return {
    subject: toSubject("test", config),
    traits: config.chains.map(toScenarioTraits),
    choices: USUAL,
  }
}

/** The usual balances of the wallets without a band. */
const USUAL: ScenarioChoices = {
  assets: new Map([
    [parseAssetId("bitcoin:btc"), { startUnits: 500_000_000n }],
    [parseAssetId("base:usdc"), { startUnits: 6_000_000_000n }],
  ]),
  prices: new Map(),
  pair: {},
  pairs: new Map(),
  chains: new Map(),
  orders: {},
  flows: [],
  quotes: [],
}
