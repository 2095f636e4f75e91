import type { Wallets } from "#books/entries-of.ts"
import type { ChainPort } from "#chains/port.ts"
import type { AffiliateFee } from "#domain/affiliate-fee.ts"
import { type Asset, type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { findNativeAsset, nativeAssetId } from "#domain/native-coin.ts"
import type { OrderPolicy } from "#domain/order.ts"
import type { Limits } from "#guards/limits.ts"
import type { Journal } from "#journal/port.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import type { PricePort } from "#prices/port.ts"
import type { ServicePort } from "#service/port.ts"

/** Everything that the engine may touch: ports, and settings as plain data. */
export type EngineContext = {
  readonly journal: Journal
  readonly service: ServicePort
  readonly prices: PricePort
  readonly chains: ReadonlyMap<ChainId, ChainPort>
  readonly clock: Clock
  readonly log: Logger
  readonly settings: EngineSettings
  /** Randomness comes in: 128 bits as hex, and a u64 as decimal text. */
  readonly newOrderId: () => string
  readonly newNonce: () => string
}

export type EngineSettings = {
  readonly assets: ReadonlyMap<AssetId, Asset>
  readonly limits: Limits
  /** `null`: one minute after a failure for rules, nothing for manual requests. */
  readonly cooldownMs: number | null
  /** Up to where a cool-down grows with failures in a row; `null`: sixteen times its base. */
  readonly cooldownMaxMs?: number | null
  /** What of a chain's own coin must stay, beside the fees of a deposit and its refund. */
  readonly minNative: ReadonlyMap<ChainId, bigint>
  /** How much more than its `maxCost` a quote may lose by reference prices. */
  readonly priceToleranceBps: bigint
  readonly affiliateFees: readonly AffiliateFee[]
  /** All of the configuration, also those that are not enabled. */
  readonly rules: readonly TimedRule[]
  readonly policyFor: (from: AssetId, to: AssetId) => OrderPolicy
  /** The address that may be paid: the one asked for, our own wallet where none was; `null` when it is not allowed or no address there. */
  readonly destinationFor: (to: AssetId, asked: string | null) => string | null
  readonly mode: "live" | "observe"
  /** What decisions name the configuration by; without one they name none. */
  readonly configHash?: string
}

export function chainFor(context: EngineContext, asset: AssetId): ChainPort {
  const chain = context.chains.get(chainOf(asset))
  if (chain) return chain
  throw new AppError({
    code: "config.chain_missing",
    disposition: "hold",
    message: `The chain of ${asset} is not configured any more; add it again so that its orders can go on`,
    details: { asset },
  })
}

/** The configured asset in which the chain takes its network fees; `null` where none is configured. */
export function nativeAssetOf({ settings, chains }: EngineContext, chain: ChainId): Asset | null {
  const port = chains.get(chain)
  return port ? findNativeAsset(chain, settings.assets.values(), port.traits.nativeCoin) : null
}

/** The chain's native coin in the books: the configured asset, else `<chain>:native`. */
export function nativeIdOf({ settings, chains }: EngineContext, chain: ChainId): AssetId {
  return nativeAssetId(chain, settings.assets.values(), chains.get(chain)?.traits.nativeCoin ?? { token: null })
}

/** What the books must know of the wallets. */
export function walletsOf(context: EngineContext): Wallets {
  const { settings, chains } = context
  return {
    assets: [...settings.assets.values()],
    nativeOf: (chain) => nativeIdOf(context, chain),
    takesRefundFeeFromAmount: (chain) => chains.get(chain)?.traits.refundFeeTakenFromAmount === true,
    isOurs: (asset, address) => {
      const chain = chains.get(chainOf(asset))
      return chain?.sameAddress(address, chain.account) === true
    },
  }
}

/** Journal names of what one wallet may use only once: `<chain>/<account>/nonce:7`. */
export function accountPrefix(chain: ChainPort): string {
  return `${chain.chain}/${chain.account}/`
}

/** One order at a time between its exact allowance and its deposit. */
export function allowanceLock(asset: AssetId, spender: string): string {
  return `lock/${asset}/${spender.toLowerCase()}`
}
