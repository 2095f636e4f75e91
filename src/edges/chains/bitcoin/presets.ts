import { type ChainPreset, type DatedInterval, explorerAt } from "#chains/chain-preset.ts"
import { bitcoinTraits } from "./traits.ts"

const { nativeCoin } = bitcoinTraits
const blockTime: DatedInterval = {
  ms: 600_000,
  asOf: "2009-01",
  source: "target of the consensus rules",
}

/** The Bitcoin networks of live deployments. `bitcoin_testnet` is Testnet4 (field notes). */
export const bitcoinPresets: readonly ChainPreset[] = [
  {
    name: "bitcoin",
    network: "main",
    identity: { network: "mainnet" },
    defaults: {},
    nativeCoin,
    blockTime,
    explorer: explorerAt("https://mempool.space"),
  },
  {
    name: "bitcoin_testnet",
    network: "test",
    identity: { network: "testnet4" },
    defaults: {},
    nativeCoin,
    blockTime,
    explorer: explorerAt("https://mempool.space/testnet4"),
  },
]
