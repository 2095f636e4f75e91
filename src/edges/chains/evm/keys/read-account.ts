import { createECDH } from "node:crypto"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { splitMnemonic } from "#chains/mnemonic-text.ts"
import { isKmsName, readKmsName } from "#kms/parse-kms-name.ts"
import type { Secret } from "#lib/secret.ts"
import { TOKEN_SCHEME } from "#pkcs11/parse-token-uri.ts"
import { evmKeyError, parseEvmKey } from "./parse-key.ts"

/**
 * The key's address with its EIP-55 checksum, without the chain's SDK. Throws `config.key` and
 * `pkcs11.*` (fatal). A key in a KMS has the address that its name says, which the signer proves.
 */
export async function readEvmAccount(key: Secret): Promise<string> {
  if (isKmsName(key.reference))
    return addChecksum(readKmsName(key.reveal()).address.slice(2).toLowerCase())
  const point = await readPoint(key)
  return addChecksum(Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString("hex"))
}

/** Only a key in a KMS needs hosts. Throws `kms.*` (fatal). */
export async function readEvmKeyHosts(key: Secret): Promise<readonly string[]> {
  if (!isKmsName(key.reference)) return []
  const { reachOf } = await import("#kms/open-kms-key.ts")
  return reachOf(key.reveal())
}

/** 65 bytes, uncompressed. */
async function readPoint(key: Secret): Promise<Buffer> {
  const text = key.reveal()
  if (key.reference.startsWith(TOKEN_SCHEME)) {
    const { openTokenKey } = await import("#pkcs11/open-token-key.ts")
    return openTokenKey(text, "secp256k1").publicKey
  }
  const hex = parseEvmKey(splitMnemonic(text) === null ? text : await deriveKey(text))
  if (hex === null) throw evmKeyError(key)
  const curve = createECDH("secp256k1")
  curve.setPrivateKey(Buffer.from(hex.slice(2), "hex"))
  return curve.getPublicKey()
}

async function deriveKey(text: string): Promise<string> {
  const [{ readMnemonic }, { deriveEvmKey }] = await Promise.all([
    import("#chains/mnemonic.ts"),
    import("./derive-key.ts"),
  ])
  const seeded = readMnemonic(text)
  return seeded === null ? text : deriveEvmKey(seeded)
}

/** EIP-55: a letter is a capital where the hash of the address has a digit from 8 on. */
function addChecksum(address: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(address))).toString("hex")
  const digits = [...address].map((digit, at) =>
    Number.parseInt(hash[at] ?? "0", 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${digits.join("")}`
}
