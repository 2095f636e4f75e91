import type { ChainPreset, DatedInterval, Explorer } from "#chains/chain-preset.ts"
import { starknetTraits } from "./traits.ts"

const { nativeCoin } = starknetTraits
const blockTime: DatedInterval = {
  ms: 2_000,
  asOf: "2026-09",
  source: "timelocks of live orders (field notes)",
}

/** The Starknet networks of live deployments. */
export const starknetPresets: readonly ChainPreset[] = [
  {
    name: "starknet",
    network: "main",
    identity: { chain_id: "SN_MAIN" },
    defaults: {},
    nativeCoin,
    blockTime,
    explorer: voyagerAt("https://voyager.online"),
  },
  {
    name: "starknet_sepolia",
    network: "test",
    identity: { chain_id: "SN_SEPOLIA" },
    defaults: {},
    nativeCoin,
    blockTime,
    explorer: voyagerAt("https://sepolia.voyager.online"),
  },
]

function voyagerAt(base: string): Explorer {
  return { tx: `${base}/tx/{tx}`, address: `${base}/contract/{address}` }
}
