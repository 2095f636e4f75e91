import type { OpenRouteKey } from "../routes/route-key.ts"
import { isBurner, isOwnMint, readOwnBurn } from "./burn-permissions.ts"
import { readBurnPermissions } from "./read-rules.ts"

/** Burns to our own accounts, mints to them, and the allowance of a burn. */
export const openBurnKey: OpenRouteKey = (rules, place) => {
  const burns = readBurnPermissions(rules, place)
  if (burns === null) return null
  return {
    asset: burns.asset,
    readDeposit: (call) => readOwnBurn(burns, call),
    isRedemption: (call) => isOwnMint(burns, call),
    isSpender: (token, spender) => isBurner(burns, token, spender),
  }
}
