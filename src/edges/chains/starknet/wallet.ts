import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import { type RedeemStake, redeemFeeCap, URGENT_FEE_FACTOR } from "#domain/redeem-fee-cap.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { readAddress } from "./felt.ts"
import type { StarknetFinality } from "./finality.ts"
import type { StarknetRpc } from "./rpc.ts"
import { starknetTraits } from "./traits.ts"

/** The configuration and the nodes that all parts of this family share. `maxFeeUnits` in fri. */
export type Wallet = {
  readonly chain: ChainId
  /** `SN_SEPOLIA` or `SN_MAIN`. */
  readonly chainId: string
  readonly account: string
  readonly accountFelt: bigint
  /**
   * The account that redemptions and refunds pay: this one, or the treasury's where a watchtower
   * only pays the fee.
   */
  readonly payeeFelt: bigint
  readonly finality: StarknetFinality
  readonly maxFeeUnits: bigint
  /**
   * Of a redemption: the rest of its lock, from which `maxFeeUnits` follows, and the configured
   * cap.
   */
  readonly redeeming?: { readonly stake: RedeemStake; readonly usualUnits: bigint }
  readonly assets: readonly Asset[]
  readonly rpc: StarknetRpc
  /** The account's next nonce as it was last known. It chooses what is asked for, and no more. */
  readonly nonce: { likely: bigint }
}

/**
 * STRK has this address on mainnet and on Sepolia (docs.starknet.io, token contracts). Transactions
 * of version 3 pay their fees in STRK.
 */
export const STRK_TOKEN = BigInt(mustExist(starknetTraits.nativeCoin.token, "STRK's token"))

/** The cap of a redemption without a known worth. */
export function withUrgentCap<T extends Pick<Wallet, "maxFeeUnits">>(wallet: T): T {
  return { ...wallet, maxFeeUnits: wallet.maxFeeUnits * URGENT_FEE_FACTOR }
}

/** The wallet with the fee cap of a redemption. */
export function withStake(wallet: Wallet, stake: RedeemStake | null = null): Wallet {
  if (stake === null) return wallet
  const usualUnits = wallet.maxFeeUnits
  return {
    ...wallet,
    maxFeeUnits: redeemFeeCap(usualUnits, stake),
    redeeming: { stake, usualUnits },
  }
}

/** Throws `starknet.asset_unknown` (fatal). */
export function requireAsset(wallet: Pick<Wallet, "assets" | "chain">, id: AssetId): Asset {
  const asset = wallet.assets.find((each) => each.id === id)
  if (asset) return asset
  throw new AppError({
    code: "starknet.asset_unknown",
    disposition: "fatal",
    message: `${id} is not configured on ${wallet.chain}; add it under assets`,
    details: { asset: id, chain: wallet.chain },
  })
}

/** The asset's ERC-20; an asset without a token is STRK, the native one. */
export function tokenOf(asset: Asset): bigint {
  return asset.token === null ? STRK_TOKEN : requireAddress(asset.token)
}

export function htlcsOf(asset: Asset): readonly bigint[] {
  return asset.htlc.map(requireAddress)
}

/** Throws `starknet.address` (fatal), because only configured texts reach this function. */
export function requireAddress(text: string): bigint {
  const address = readAddress(text)
  if (address !== null) return address
  throw new AppError({
    code: "starknet.address",
    disposition: "fatal",
    message: `"${text}" is not a Starknet address; write it as 0x and up to 64 hex digits`,
    details: { text },
  })
}
