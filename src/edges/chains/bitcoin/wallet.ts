import type { Network } from "bitcoinjs-lib"
import type { AssetId, ChainId } from "#domain/asset.ts"

export type AddressType = "p2wpkh" | "p2tr"

/**
 * The public half of the hot wallet, for planning, decoding and observing. The private key stays in
 * `signer.ts`.
 */
export type Wallet = {
  readonly chain: ChainId
  /** The chain's own coin; `null` when it is not among the configured assets. */
  readonly asset: AssetId | null
  readonly network: Network
  readonly addressType: AddressType
  readonly address: string
  readonly script: Uint8Array
  /** 33 bytes, compressed. */
  readonly publicKey: Uint8Array
  /** 32 bytes (BIP 340): the internal key of a P2TR account, and our key in refund leaves. */
  readonly xOnlyKey: Uint8Array
}

/** The point H of BIP 341, whose discrete logarithm is unknown: the key of no wallet. */
export const UNKNOWN_KEY = "0250929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0"

/**
 * A spendable output; `units` in satoshi. `parent` is the transaction that made it, without
 * witnesses: it proves script and value, because its id follows from its bytes. The signer signs no
 * input without it.
 */
export type Coin = {
  readonly txid: string
  readonly vout: number
  readonly units: bigint
  readonly parent?: Uint8Array
}

/** The name of a coin in `TransactionPlan.resources`: `txid:vout`. */
export function outpointOf(coin: { readonly txid: string; readonly vout: number }): string {
  return `${coin.txid}:${coin.vout}`
}

/** Sorts by outpoint, so that the same coins always make the same transaction. */
export function byOutpoint(a: Coin, b: Coin): number {
  if (a.txid !== b.txid) return a.txid < b.txid ? -1 : 1
  return a.vout - b.vout
}
