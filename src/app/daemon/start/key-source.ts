import type { ChainId } from "#domain/asset.ts"
import type { ImportMark, KeyUsePage, RecordedUse, RedeemHeadroom } from "#domain/key-use.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { KeyHolder } from "#ports/key-holder.ts"

/**
 * The keys of a signer process, as the daemon reaches them. Absent where the daemon holds its keys
 * itself.
 */
export type KeySource = {
  /**
   * Starts the signer, if it is this daemon's to start, and waits for nothing. The caller holds the
   * lock of its data directory.
   */
  begin(): void
  /**
   * Waits for the signer. Throws `signer.unavailable` (transient), `signer.chain_unknown`
   * (refused), or the error with which the signer ended.
   */
  holderOf(chain: ChainId): Promise<KeyHolder>
  /**
   * Asks the signer for a sign of life, and starts none. Throws `signer.unavailable` (transient),
   * or the error with which the signer ended.
   */
  checkAlive(): Promise<void>
  /** The port as a shadow sees it; absent where the wallets are the chain's. */
  follow?(port: ChainPort): ChainPort
  /**
   * The signer's own record before this number, newest first. Throws `signer.unavailable`
   * (transient).
   */
  listUses(before: number | null): Promise<KeyUsePage>
  /**
   * Adds claims of the journal to the signer's record, oldest first. Returns up to which claim the
   * record was filled.
   */
  importUses(uses: readonly RecordedUse[]): Promise<ImportMark | null>
  /**
   * Asks whether the signer would sign this redemption now, beside those of the other told secrets.
   * Uses nothing up. Throws the signer's refusal, or `signer.unavailable` (transient).
   */
  askHeadroom(redemption: RedeemHeadroom): Promise<null>
  /** Lets the signer read the configuration again, because chains, assets or limits changed. */
  renew(): Promise<void>
  stop(): Promise<void>
}
