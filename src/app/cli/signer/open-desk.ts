import { join, resolve } from "node:path"
import { familyOf } from "#chains/families.ts"
import { findWatched } from "#chains/watch-only.ts"
import type { Config } from "#config/config.ts"
import { accountsOf, readRouteRules } from "#daemon/open-routes.ts"
import { addPlaceInFile } from "#daemon/start/place-in-file.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import { nativeAssetId } from "#domain/native-coin.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { KeyHolderWorld } from "#ports/key-holder.ts"
import { createSigningDesk, type SigningDesk } from "#signer/create-signing-desk.ts"
import type { HeldChain } from "#signer/held-chain.ts"
import type { AssetLimit } from "#signer/judge-signature.ts"
import { openSignatureLog } from "#signer/signature-log.ts"

/** Opens every key and the signer's record. Throws `config.*`, `signer.record` (fatal). */
export async function openDesk(
  config: Config,
  runtime: { readonly clock: Clock; readonly log: Logger },
): Promise<{ readonly desk: SigningDesk; readonly close: () => void }> {
  const routes = await readRouteRules(config, accountsOf(config))
  const held = config.chains
    .filter(({ key }) => findWatched(key) === null)
    .map((chain) => holdChain(chain, config, routes))
  const chains = new Map(await Promise.all(held))
  const signatures = openSignatureLog(join(config.signer.dataDir, "signatures.db"))
  const limits = {
    byAsset: limitsOf(config, chains),
    signaturesPerHour: config.signer.signaturesPerHour,
  }
  return {
    desk: createSigningDesk({ chains, limits, signatures, ...runtime }),
    close: () => signatures.close(),
  }
}

export function socketPath({ signer }: Pick<Config, "signer">): string {
  return signer.socket ?? resolve(signer.dataDir, "signer.sock")
}

async function holdChain(
  chain: Config["chains"][number],
  config: Config,
  routes: KeyHolderWorld["routes"] & {},
): Promise<[string, HeldChain]> {
  const family = familyOf(chain)
  const assets = config.assets.filter((asset) => asset.chain === chain.chain)
  const { foreignRefundKeys } = config.signer
  const { min, max } = family.timelocksOf(chain)
  const keys = await family
    .openKey(chain, { assets, foreignRefundKeys, routes })
    .catch((error: unknown) => {
      throw addPlaceInFile(error, chain)
    })
  return [
    chain.chain,
    { keys, coin: nativeAssetId(chain.chain, assets, chain.nativeCoin), timelocks: { min, max } },
  ]
}

/** `<chain>:native` of the file is the chain's coin, also where an asset is that coin. */
function limitsOf(
  { signer }: Config,
  chains: ReadonlyMap<string, HeldChain>,
): ReadonlyMap<AssetId, AssetLimit> {
  const coins = new Map(
    [...chains].map(([chain, { coin }]) => [parseAssetId(`${chain}:native`), coin]),
  )
  return new Map(signer.limits.map(({ asset, ...limit }) => [coins.get(asset) ?? asset, limit]))
}
