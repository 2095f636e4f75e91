import { AppError } from "#lib/app-error.ts"
import type { Secret } from "#lib/secret.ts"
import type { ChainPort } from "#ports/chain.ts"
import { holdNothing, type KeyHolder } from "#ports/key-holder.ts"

/** In the place of a key's reference: the address of a wallet that Ballast only reads. */
export const WATCH_SCHEME = "watch:"

/** The address of a watched wallet; `null` for a wallet with a key. */
export function findWatched({ reference }: Pick<Secret, "reference">): string | null {
  return reference.startsWith(WATCH_SCHEME) ? reference.slice(WATCH_SCHEME.length) : null
}

export function holdWatched(address: string): KeyHolder {
  return holdNothing(address, NO_KEY)
}

/**
 * The port of a watched wallet. Its owner moves money with keys of their own, so no use of them is
 * foreign; it opens no account and redeems no payout, which costs a signature.
 */
export function asWatched(port: ChainPort, address: string): ChainPort {
  // Capitals and small letters together are a checksum, which only the port's account has for sure.
  const isWrong = /[a-f]/.test(address) && /[A-F]/.test(address) && address !== port.account
  if (isWrong || !port.isAddress(address))
    throw new AppError({
      code: "config.watch_address",
      disposition: "fatal",
      message: `${address} is not an address of ${port.chain}: a character may be wrong`,
      details: { chain: port.chain },
    })
  const { uses: _uses, tokenAccounts: _tokenAccounts, ...read } = port
  return { ...read, isWatchOnly: true, estimateRedeemFee: async () => null }
}

const NO_KEY = {
  code: "wallet.watch_only",
  message: "Ballast has no key of this wallet, and only reads its balances",
}
