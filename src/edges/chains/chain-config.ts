import type { ChainId, Family } from "#domain/asset.ts"
import type { NativeCoin } from "#domain/native-coin.ts"
import type { Secret } from "#lib/secret.ts"
import type { BlockTime } from "./block-time.ts"
import type { Explorer } from "./chain-preset.ts"

/**
 * One configured chain, as every room outside its family sees it. Each family adds its own fields
 * to it.
 */
export type ChainConfig = {
  readonly chain: ChainId
  readonly family: Family
  /** The preset that the configuration uses, by name or by the chain's own name. */
  readonly preset: string | null
  readonly nativeCoin: NativeCoin
  readonly blockTime: BlockTime
  /** Known only with a preset: a local chain may have the id of a live one. */
  readonly explorer: Explorer | null
  readonly key: Secret
  /** `file:line:column: path` of the key, for an error that is found only when the key is used. */
  readonly keyAt: string
  /** The number of endpoints that must agree; `null` for the default (`neededAnswers`). */
  readonly agree: number | null
  readonly stuckAfterMs: number
  readonly deadlineMarginMs: number
  /** In the chain's own unit; `null` means the family's default. */
  readonly timelock: { readonly min: bigint | null; readonly max: bigint | null }
}

/** The fields that do not depend on the family. */
export type SharedChainConfig = Omit<ChainConfig, "family">
