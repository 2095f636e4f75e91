import { bitcoinFamily } from "#chains/bitcoin/family.ts"
import type { ChainConfig } from "#chains/chain-config.ts"
import type { ChainPreset } from "#chains/chain-preset.ts"
import { evmFamily } from "#chains/evm/family.ts"
import type { FamilyDefinition } from "#chains/family-definition.ts"
import { solanaFamily } from "#chains/solana/family.ts"
import { starknetFamily } from "#chains/starknet/family.ts"
import type { Family } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import type { DepositReader } from "#ports/deposit-reader.ts"

/** Every chain family. A new family is a folder beside these and one entry here. */
export const FAMILIES: readonly FamilyDefinition[] = [
  bitcoinFamily,
  evmFamily,
  solanaFamily,
  starknetFamily,
]

/** How each family reads its deposit request in the service's answer to a create. */
export const DEPOSIT_READERS: readonly DepositReader[] = FAMILIES.map(
  ({ depositReader }) => depositReader,
)

/** The definition of a name as a file writes it; `null` for an unknown one. */
export function findFamily(name: string | null): FamilyDefinition | null {
  return FAMILIES.find((family) => family.name === name) ?? null
}

export function familyOf({ family }: Pick<ChainConfig, "family">): FamilyDefinition {
  return familyNamed(family)
}

/**
 * Throws `bug.assertion` for a name that the registry does not list: the configuration's schema
 * accepts no other.
 */
export function familyNamed(name: Family): FamilyDefinition {
  return mustExist(findFamily(name), `the chain family ${name}`)
}

/** A preset and its family; `null` for an unknown name. */
export function findPreset(
  name: string,
): { readonly family: FamilyDefinition; readonly preset: ChainPreset } | null {
  for (const family of FAMILIES) {
    const preset = family.presets.find((candidate) => candidate.name === name)
    if (preset !== undefined) return { family, preset }
  }
  return null
}
