import { getAddress, type Hex } from "viem"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"

/** Who we are on this chain and what we may touch: the configured facts that decoding, building, signing and observing share. */
export type Wallet = {
  readonly chain: ChainId
  /** The EIP-155 id. */
  readonly chainId: number
  /** Checksummed (EIP-55). */
  readonly account: Hex
  /** All assets of this chain. */
  readonly assets: readonly Asset[]
  /** From how many confirmations on something counts as final. */
  readonly confirmations: number
  readonly maxFeePerGasUnits: bigint
  readonly maxGasLimit: bigint
}

/** 20 bytes of hex in one case, or in mixed case with a right checksum: a wrong one is a typing error (EIP-55). */
export function isEvmAddress(text: string): boolean {
  const address = readAddress(text)
  // Nobody has the key of the zero address: what is paid there is burnt.
  if (address === null || BigInt(address) === 0n) return false
  const digits = text.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || address === text
}

export function sameAddress(a: string, b: string): boolean {
  const address = readAddress(a)
  return address !== null && address === readAddress(b)
}

/** The checksummed form of an address in any spelling; `null` for text that is none. */
export function readAddress(text: unknown): Hex | null {
  return typeof text === "string" && /^0x[0-9a-fA-F]{40}$/.test(text) ? getAddress(text.toLowerCase()) : null
}

/** 32 bytes as lower-case `0x` hex, from text with or without the prefix; `null` for anything else. */
export function readBytes32(text: unknown): Hex | null {
  const digits = typeof text === "string" ? /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1] : undefined
  return digits === undefined ? null : `0x${digits.toLowerCase()}`
}

/** Throws `evm.unknown_asset` (refused). */
export function requireAsset(wallet: Wallet, id: AssetId): Asset {
  const asset = wallet.assets.find((candidate) => candidate.id === id)
  if (asset !== undefined) return asset
  throw new AppError({
    code: "evm.unknown_asset",
    disposition: "refused",
    message: `${id} is not configured on ${wallet.chain}; add it to the assets`,
    details: { asset: id, chain: wallet.chain },
  })
}

/** `null` for the native asset. */
export function tokenOf(asset: Asset): Hex | null {
  return asset.token === null ? null : requireAddress(asset.token)
}

export function holdsHtlc(asset: Asset, htlc: string): boolean {
  return asset.htlc.some((known) => sameAddress(known, htlc))
}

/** Throws `evm.address` (refused). */
export function requireAddress(text: string): Hex {
  const address = readAddress(text)
  if (address !== null) return address
  throw new AppError({
    code: "evm.address",
    disposition: "refused",
    message: `"${text.slice(0, 80)}" is not an EVM address; check the configured token and HTLC addresses`,
    details: { text: text.slice(0, 80) },
  })
}
