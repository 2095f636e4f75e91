import type { AssetId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import { holdNothing } from "#ports/key-holder.ts"
import type { KeySource } from "../start/key-source.ts"

/**
 * Wallets that sign nothing: the public halves of the followed daemon's keys, with the balances of
 * the shadow's paper book.
 */
export function watchOnly(
  wallets: Readonly<Record<string, string>>,
  unitsOf: (asset: AssetId) => bigint,
): KeySource {
  return {
    begin: () => undefined,
    holderOf: async (chain) => {
      const publicKey = wallets[chain]
      if (publicKey !== undefined) return holdNothing(publicKey, NO_KEY)
      throw new AppError({
        code: "shadow.no_wallet",
        disposition: "fatal",
        message: `the followed daemon has no wallet on ${chain}; leave the chain out of the shadow`,
        details: { chain },
      })
    },
    follow: (port) => onPaper(port, unitsOf),
    checkAlive: async () => undefined,
    listUses: async () => ({ first: null, uses: [] }),
    importUses: async () => null,
    askHeadroom: async () => null,
    renew: async () => undefined,
    stop: async () => undefined,
  }
}

const NO_KEY = {
  code: "shadow.no_key",
  message: "A shadow has no key, so it signs nothing",
} as const

/** The account's transactions are those of the followed daemon, so none of them is watched. */
function onPaper(port: ChainPort, unitsOf: (asset: AssetId) => bigint): ChainPort {
  const { uses: _uses, touched: _touched, ...watched } = port
  return {
    ...watched,
    fetchBalance: async (asset) => {
      const units = unitsOf(asset)
      const owned = units > 0n ? units : 0n
      return { units: owned, spendableUnits: owned }
    },
  }
}
