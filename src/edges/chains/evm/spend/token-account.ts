import { type Address, type Hex, recoverAddress, toHex } from "viem"
import { publicKeyToAddress } from "viem/accounts"
import { AppError } from "#lib/app-error.ts"
import type { TokenKey } from "#pkcs11/open-token-key.ts"
import { createAccount, type EvmAccount, type HashSignature } from "../keys/account.ts"

/** An account whose key a PKCS#11 token holds. */
export function openTokenAccount(token: TokenKey): EvmAccount {
  const address = publicKeyToAddress(toHex(token.publicKey))
  return createAccount(address, (hash) =>
    finish(token.sign(toDigest(hash)), { hash, address, code: "pkcs11.signature" }),
  )
}

export function toDigest(hash: Hex): Uint8Array {
  return Buffer.from(hash.slice(2), "hex")
}

type Wanted = {
  readonly hash: Hex
  readonly address: Address
  readonly code: "pkcs11.signature" | "kms.signature"
}

/**
 * ECDSA of a device gives any of the two valid `s` and no recovery id: this takes the lower `s`
 * (EIP-2), and the id with which the library recovers the account's own address. So no signature
 * leaves that a chain would not accept. `bytes`: `r` and `s`. Throws `code` (transient).
 */
export async function finish(
  bytes: Buffer,
  { hash, address, code }: Wanted,
): Promise<HashSignature> {
  const r = toHex(bytes.subarray(0, 32))
  const s = lowerS(BigInt(toHex(bytes.subarray(32))))
  for (const yParity of [0, 1]) {
    const signature = { r, s: toHex(s, { size: 32 }), yParity }
    const signer = await recoverAddress({ hash, signature }).catch(() => null)
    if (signer === address) return signature
  }
  throw new AppError({
    code,
    disposition: "transient",
    message: "The device gave a signature of another key, and Ballast does not use it",
    details: { address },
  })
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

function lowerS(s: bigint): bigint {
  return s > ORDER / 2n ? ORDER - s : s
}
