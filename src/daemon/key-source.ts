import type { KeyHolder } from "#chains/key-holder.ts"
import type { ChainId } from "#domain/asset.ts"

/** The keys of a signer process, as the daemon reaches them. Absent where the daemon holds its keys itself. */
export type KeySource = {
  /** Waits for the signer. Throws `signer.unavailable` (transient), `signer.chain_unknown` (refused), or the error with which the signer ended. */
  holderOf(chain: ChainId): Promise<KeyHolder>
  /** Asks the signer for a sign of life, and starts none. Throws `signer.unavailable` (transient), or the error with which the signer ended. */
  checkAlive(): Promise<void>
  /** Lets the signer read the configuration again, because chains, assets or limits changed. */
  renew(): Promise<void>
  stop(): Promise<void>
}
