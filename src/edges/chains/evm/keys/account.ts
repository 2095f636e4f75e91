import * as ecc from "tiny-secp256k1"
import {
  type Address,
  type Hex,
  hashTypedData,
  keccak256,
  serializeSignature,
  serializeTransaction,
  toHex,
} from "viem"
import { type PrivateKeyAccount, publicKeyToAddress } from "viem/accounts"
import { mustExist } from "#lib/assert.ts"

/** An account that signs transactions and typed data (EIP-712). */
export type EvmAccount = Pick<PrivateKeyAccount, "address" | "signTransaction" | "signTypedData">

/** A signature with the lower `s` (EIP-2). `yParity`: whether the y of the nonce's point is odd. */
export type HashSignature = { readonly r: Hex; readonly s: Hex; readonly yParity: number }

/** An account whose signatures come from `signHash`. */
export function createAccount(
  address: Address,
  signHash: (hash: Hex) => Promise<HashSignature>,
): EvmAccount {
  return {
    address,
    signTransaction: async (transaction, options) => {
      const serialize = options?.serializer ?? serializeTransaction
      return serialize(transaction, await signHash(keccak256(await serialize(transaction))))
    },
    signTypedData: async (typedData) =>
      serializeSignature(await signHash(hashTypedData(typedData))),
  }
}

/**
 * The account of a private key. Its signatures are deterministic (RFC 6979) and the same bytes as
 * viem's own; the compiled libsecp256k1 needs about a quarter of the time.
 */
export function openKeyAccount(privateKey: Hex): EvmAccount {
  const key = toBytes(privateKey)
  const publicKey = mustExist(
    ecc.pointFromScalar(key, false),
    "the point of a private key between zero and the curve's order",
  )
  return createAccount(publicKeyToAddress(toHex(publicKey)), async (hash) => {
    const { signature, recoveryId } = ecc.signRecoverable(toBytes(hash), key)
    return {
      r: toHex(signature.subarray(0, 32)),
      s: toHex(signature.subarray(32)),
      yParity: recoveryId,
    }
  })
}

function toBytes(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), "hex")
}
