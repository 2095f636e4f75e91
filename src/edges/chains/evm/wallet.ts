import type { Address } from "viem"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import {
  isNearLockEnd,
  type RedeemStake,
  redeemFeeCap,
  URGENT_FEE_FACTOR,
} from "#domain/redeem-fee-cap.ts"
import { AppError } from "#lib/app-error.ts"
import type { FinalityProfile } from "./finality.ts"
import { readAddress } from "./htlc.ts"
import type { KnownIds } from "./legs/known-ids.ts"
import type { SignedNotes } from "./legs/signed-notes.ts"
import type { RouteKey } from "./routes/route-key.ts"
import type { EvmRpc } from "./rpc.ts"
import type { AllowanceSlot } from "./spend/allowance-slot.ts"

/**
 * The configuration and the nodes that all parts of this family share. `maxFeePerGasUnits` and
 * `maxTipPerGasUnits` in wei.
 */
export type Wallet = {
  readonly chain: ChainId
  /** EIP-155. */
  readonly chainId: number
  readonly account: Address
  /**
   * The account that redemptions and refunds pay: `account`, or the treasury's where a watchtower
   * only pays the fee.
   */
  readonly payee: Address
  readonly finality: FinalityProfile
  readonly maxFeePerGasUnits: bigint
  readonly maxTipPerGasUnits: bigint
  readonly maxGasLimit: bigint
  readonly assets: readonly Asset[]
  readonly rpc: EvmRpc
  readonly signed: SignedNotes
  /** Absent: each look asks every contract by every formula. */
  readonly knownIds?: KnownIds
  /**
   * By token and spender: the slot of our allowance where deposits can be paired with their
   * approvals, else `null`.
   */
  readonly pairings: Map<string, AllowanceSlot | null>
  /** The payers that had coin at the last check of a payee. */
  readonly holders: Set<Address>
  /** Absent: this key signs for HTLCs alone. */
  readonly routes?: readonly RouteKey[]
}

type Caps = Pick<Wallet, "maxFeePerGasUnits" | "maxTipPerGasUnits">

/** The caps of a redemption without a known worth. */
export function withUrgentCaps<T extends Caps>(wallet: T): T {
  const maxFeePerGasUnits = wallet.maxFeePerGasUnits * URGENT_FEE_FACTOR
  return {
    ...wallet,
    maxFeePerGasUnits,
    maxTipPerGasUnits: wallet.maxTipPerGasUnits * URGENT_FEE_FACTOR,
  }
}

/**
 * The caps per gas of a redemption with this gas limit. Within the worth of the payout the tip has
 * no cap of its own.
 */
export function redeemCaps(wallet: Caps, gas: bigint, stake: RedeemStake | null): Caps {
  if (stake === null || !isNearLockEnd(stake)) return wallet
  const capUnits = redeemFeeCap(wallet.maxFeePerGasUnits * gas, stake)
  const isWithinWorth = stake.worthUnits !== null && capUnits <= stake.worthUnits
  const maxFeePerGasUnits = capUnits / gas
  return {
    maxFeePerGasUnits,
    maxTipPerGasUnits: isWithinWorth ? maxFeePerGasUnits : withUrgentCaps(wallet).maxTipPerGasUnits,
  }
}

/** Throws `evm.asset_unknown` (fatal). */
export function requireAsset(wallet: Pick<Wallet, "assets" | "chain">, id: AssetId): Asset {
  const asset = wallet.assets.find((each) => each.id === id)
  if (asset) return asset
  throw new AppError({
    code: "evm.asset_unknown",
    disposition: "fatal",
    message: `${id} is not configured on ${wallet.chain}; add it under assets`,
    details: { asset: id, chain: wallet.chain },
  })
}

export function tokenOf(asset: Asset): Address | null {
  return asset.token === null ? null : requireAddress(asset.token)
}

export function htlcsOf(asset: Asset): readonly Address[] {
  return asset.htlc.map(requireAddress)
}

/** Throws `evm.address` (fatal), because only configured texts reach this function. */
export function requireAddress(text: string): Address {
  const address = readAddress(text)
  if (address !== null) return address
  throw new AppError({
    code: "evm.address",
    disposition: "fatal",
    message: `"${text.slice(0, 80)}" is not an EVM address; write it as 0x and 40 hex digits`,
    details: { text: text.slice(0, 80) },
  })
}
