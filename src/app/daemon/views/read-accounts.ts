import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import type { ChainId } from "#domain/asset.ts"
import { addPlaceInFile } from "../start/place-in-file.ts"

/**
 * The account of each chain, without the libraries of the chains: those take a second to load.
 * Throws `config.*` (fatal) that names the chain's place in the file, as an opened chain would.
 */
export async function readAccounts({
  chains,
  assets,
}: Config): Promise<ReadonlyMap<ChainId, string>> {
  const accounts = chains.map(async (chain) => {
    const own = assets.filter((asset) => asset.chain === chain.chain)
    try {
      return [chain.chain, await familyOf(chain).readAccount(chain, own)] as const
    } catch (error) {
      throw addPlaceInFile(error, chain)
    }
  })
  return new Map(await Promise.all(accounts))
}
