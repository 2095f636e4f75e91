import {
  type Hex,
  hashTypedData,
  keccak256,
  recoverAddress,
  serializeSignature,
  serializeTransaction,
  toHex,
} from "viem"
import { type PrivateKeyAccount, publicKeyToAddress } from "viem/accounts"
import { AppError } from "#lib/app-error.ts"
import type { TokenKey } from "#pkcs11/open-token-key.ts"

/**
 * An account whose key a PKCS#11 token holds. ECDSA of a token gives any of the two valid `s` and no recovery id: the account takes the lower `s`
 * (EIP-2), and the id with which the library recovers its own address. So no signature leaves that a chain would not accept.
 */
export function openTokenAccount(
  token: TokenKey,
): Pick<PrivateKeyAccount, "address" | "signTransaction" | "signTypedData"> {
  const address = publicKeyToAddress(toHex(token.publicKey))

  async function signHash(hash: Hex) {
    const bytes = token.sign(Buffer.from(hash.slice(2), "hex"))
    const [r, s] = [toHex(bytes.subarray(0, 32)), lowerS(BigInt(toHex(bytes.subarray(32))))]
    for (const yParity of [0, 1]) {
      const signature = { r, s: toHex(s, { size: 32 }), yParity }
      const signer = await recoverAddress({ hash, signature }).catch(() => null)
      if (signer === address) return signature
    }
    const message = "The token gave a signature of another key, and Ballast does not use it"
    throw new AppError({ code: "pkcs11.signature", disposition: "transient", message, details: { address } })
  }

  return {
    address,
    signTransaction: async (transaction, options) => {
      const serialize = options?.serializer ?? serializeTransaction
      return serialize(transaction, await signHash(keccak256(await serialize(transaction))))
    },
    signTypedData: async (typedData) => serializeSignature(await signHash(hashTypedData(typedData))),
  }
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

function lowerS(s: bigint): bigint {
  return s > ORDER / 2n ? ORDER - s : s
}
