import { getAddress, type Hex, keccak256, toHex } from "viem"
import { publicKeyToAddress } from "viem/accounts"
import type { KmsKey } from "#kms/open-kms-key.ts"
import { AppError } from "#lib/app-error.ts"
import { createAccount, type EvmAccount } from "../keys/account.ts"
import { finish, toDigest } from "./token-account.ts"

/**
 * An account whose key a KMS holds. Until `unlock` it only has the address that is configured, and
 * `open` is not called, so that no other process than the signer loads a client.
 */
export function openKmsAccount(
  configured: string,
  open: () => Promise<KmsKey>,
): {
  readonly account: EvmAccount
  /**
   * Proves that the key has this address and signs. Throws `kms.key_mismatch` (fatal) and what
   * `KmsKey` throws.
   */
  unlock(): Promise<void>
} {
  const address = getAddress(configured.toLowerCase())
  let unlocked: KmsKey | null = null
  const signHash = async (key: KmsKey, hash: Hex) =>
    finish(await key.sign(toDigest(hash)), { hash, address, code: "kms.signature" })
  return {
    account: createAccount(address, (hash) => {
      if (unlocked === null) throw locked()
      return signHash(unlocked, hash).catch((error) => Promise.reject(toPassing(error)))
    }),
    unlock: async () => {
      const key = await open()
      const found = publicKeyToAddress(toHex(await key.fetchPoint()))
      if (found !== address) throw mismatch(found, address)
      await signHash(key, keccak256(toHex("Ballast tries this key before it uses it")))
      unlocked = key
    },
  }
}

/** A key that has signed once is right, so a later refusal can be repaired: signatures wait. */
function toPassing(error: unknown): unknown {
  if (!(error instanceof AppError) || error.disposition !== "fatal") return error
  const { code, message, details } = error
  return new AppError({ code, disposition: "transient", message, details, cause: error })
}

function mismatch(found: string, address: string): AppError {
  const message = `the key in the KMS has the address ${found}, not ${address} as configured`
  return new AppError({ code: "kms.key_mismatch", disposition: "fatal", message })
}

function locked(): AppError {
  const message = "Only the signer process signs with a key in a KMS"
  return new AppError({ code: "kms.locked", disposition: "bug", message })
}
