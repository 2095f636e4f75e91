import type { AssetId } from "#domain/asset.ts"
import { ARB, BTC, ETH, SNBTC, SOL, STRK, WBTC } from "../../support/fake-world.ts"

/** The routes of the simulated world. */
export const ROUTES = [
  [ETH, BTC],
  [WBTC, BTC],
  [WBTC, ARB],
  [BTC, WBTC],
  [BTC, ETH],
  [ARB, BTC],
  [ARB, ETH],
  [SOL, BTC],
  [SOL, WBTC],
  [BTC, SOL],
  [SNBTC, BTC],
  [SNBTC, SOL],
  [STRK, ETH],
  [WBTC, SNBTC],
] as const satisfies readonly (readonly [AssetId, AssetId])[]

/** Routes from a token, which a relay can deposit for us. */
export const TOKEN_ROUTES = [
  [WBTC, BTC],
  [WBTC, ARB],
  [WBTC, SNBTC],
  [SNBTC, BTC],
  [SNBTC, SOL],
] as const satisfies readonly (readonly [AssetId, AssetId])[]

/** The pairs that the contracts of the issuer join. */
export const BURN_ROUTES = [
  [ETH, ARB],
  [ARB, ETH],
  [WBTC, ARB],
  [ARB, WBTC],
  [SOL, ARB],
  [SOL, WBTC],
  [ARB, SOL],
  [WBTC, SOL],
] as const satisfies readonly (readonly [AssetId, AssetId])[]
