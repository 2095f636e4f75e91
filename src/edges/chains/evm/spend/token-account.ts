import { type Hex, recoverAddress, toHex } from "viem"
import { publicKeyToAddress } from "viem/accounts"
import { AppError } from "#lib/app-error.ts"
import type { TokenKey } from "#pkcs11/open-token-key.ts"
import { createAccount, type EvmAccount, type HashSignature } from "../keys/account.ts"

/**
 * An account whose key a PKCS#11 token holds. ECDSA of a token gives any of the two valid `s` and
 * no recovery id: the account takes the lower `s` (EIP-2), and the id with which the library
 * recovers its own address. So no signature leaves that a chain would not accept.
 */
export function openTokenAccount(token: TokenKey): EvmAccount {
  const address = publicKeyToAddress(toHex(token.publicKey))

  async function signHash(hash: Hex): Promise<HashSignature> {
    const bytes = token.sign(Buffer.from(hash.slice(2), "hex"))
    const r = toHex(bytes.subarray(0, 32))
    const s = lowerS(BigInt(toHex(bytes.subarray(32))))
    for (const yParity of [0, 1]) {
      const signature = { r, s: toHex(s, { size: 32 }), yParity }
      const signer = await recoverAddress({ hash, signature }).catch(() => null)
      if (signer === address) return signature
    }
    const message = "The token gave a signature of another key, and Ballast does not use it"
    throw new AppError({
      code: "pkcs11.signature",
      disposition: "transient",
      message,
      details: { address },
    })
  }

  return createAccount(address, signHash)
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

function lowerS(s: bigint): bigint {
  return s > ORDER / 2n ? ORDER - s : s
}
