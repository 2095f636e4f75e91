import type { ChainConfig } from "#chains/chain-config.ts"
import type { ChainPreset } from "#chains/chain-preset.ts"
import { familyOf, findPreset } from "#chains/families.ts"
import type { Config } from "../config.ts"

/**
 * Does this chain hold real money? Its preset, its identity (chain id, network), or else its name
 * at the service decides. A chain that Ballast does not know counts as a main network, except in a
 * family with one main network, where another identity is enough.
 */
export function isMainNetwork(chain: ChainConfig): boolean {
  const { presets } = familyOf(chain)
  const known = findKnown(chain)
  if (known !== undefined) return known.network === "main"
  const mains = presets.filter(({ network }) => network === "main")
  return mains.length !== 1 || Object.keys(mains[0]?.identity ?? {}).length === 0
}

/** A main network that Ballast knows: an unknown chain, which counts as one, is not. */
export function isKnownMainNetwork(chain: ChainConfig): boolean {
  return findKnown(chain)?.network === "main"
}

/** Real money is at stake: transactions are signed, and at least one chain is a main network. */
export function isReal({ mode, chains }: Pick<Config, "mode" | "chains">): boolean {
  return mode === "live" && chains.some(isMainNetwork)
}

function findKnown(chain: ChainConfig): ChainPreset | undefined {
  const { presets, identityOf } = familyOf(chain)
  const values = identityOf(chain)
  return (
    findPreset(chain.preset ?? "")?.preset ??
    presets.find((preset) => isIdentity(preset, values)) ??
    presets.find(({ name }) => name === chain.chain)
  )
}

function isIdentity({ identity }: ChainPreset, values: Readonly<Record<string, string>>): boolean {
  const entries = Object.entries(identity)
  return entries.length > 0 && entries.every(([key, value]) => values[key] === String(value))
}
