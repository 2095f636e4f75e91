import type { AssetId } from "#domain/asset.ts"
import { ARB, BTC, ETH, WBTC } from "../support/fake-world.ts"

/** What may be swapped in the simulated world. */
export const ROUTES = [
  [ETH, BTC],
  [WBTC, BTC],
  [WBTC, ARB],
  [BTC, WBTC],
  [BTC, ETH],
  [ARB, BTC],
  [ARB, ETH],
] as const satisfies readonly (readonly [AssetId, AssetId])[]
