import type { ChainPreset, DatedInterval, Explorer } from "#chains/chain-preset.ts"
import { solanaTraits } from "./traits.ts"

const { nativeCoin } = solanaTraits
const blockTime: DatedInterval = {
  ms: 400,
  asOf: "2026-09",
  source: "timelocks of live orders (field notes)",
}

/**
 * Solana's clusters of live deployments. `solana_testnet` is devnet (field notes). No configuration
 * key names the cluster.
 */
export const solanaPresets: readonly ChainPreset[] = [
  {
    name: "solana",
    network: "main",
    identity: {},
    defaults: {},
    nativeCoin,
    blockTime,
    explorer: explorerFor(""),
  },
  {
    name: "solana_testnet",
    network: "test",
    identity: {},
    defaults: {},
    nativeCoin,
    blockTime,
    explorer: explorerFor("?cluster=devnet"),
  },
]

/**
 * The genesis hash of a preset's cluster (Solana docs, clusters). The doctor compares it with each
 * endpoint.
 */
export const GENESIS_HASHES: Readonly<Record<string, string>> = {
  solana: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  solana_testnet: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
}

/** The preset of this name, or with this genesis hash; nothing for any other chain. */
export function presetNameOf(text: string | null | undefined): string {
  const known = Object.entries(GENESIS_HASHES)
  return known.find(([name, hash]) => name === text || hash === text)?.[0] ?? ""
}

function explorerFor(query: string): Explorer {
  const base = "https://explorer.solana.com"
  return { tx: `${base}/tx/{tx}${query}`, address: `${base}/address/{address}${query}` }
}
