import { createPrivateKey, createPublicKey } from "node:crypto"
import { base58 } from "@scure/base"
import { splitMnemonic } from "#chains/mnemonic-text.ts"
import type { Asset } from "#domain/asset.ts"
import type { Secret } from "#lib/secret.ts"
import { TOKEN_SCHEME } from "#pkcs11/parse-token-uri.ts"
import { checkAssets } from "../check-assets.ts"
import { parseSolanaKey, solanaKeyError } from "./parse-key.ts"

/**
 * The key's address, without the chain's SDK. Throws `config.solana_key`, `config.solana_assets`
 * and `pkcs11.*` (fatal).
 */
export async function readSolanaAccount(key: Secret, assets: readonly Asset[]): Promise<string> {
  checkAssets(assets)
  return base58.encode(await readPublicKey(key))
}

async function readPublicKey(key: Secret): Promise<Uint8Array> {
  const text = key.reveal()
  if (key.reference.startsWith(TOKEN_SCHEME)) {
    const { openTokenKey } = await import("#pkcs11/open-token-key.ts")
    return openTokenKey(text, "ed25519").publicKey
  }
  const bytes = await readPair(text.trim())
  if (bytes?.length !== 64) throw solanaKeyError(key)
  const publicKey = publicKeyOf(bytes.subarray(0, 32))
  // The second half of the text is the public key; another one means that the text is damaged.
  if (!publicKey.equals(bytes.subarray(32))) throw solanaKeyError(key)
  return publicKey
}

async function readPair(text: string): Promise<Uint8Array | null> {
  if (splitMnemonic(text) === null) return parseSolanaKey(text)
  const [{ readMnemonic }, { deriveSolanaKey }] = await Promise.all([
    import("#chains/mnemonic.ts"),
    import("./derive-key.ts"),
  ])
  const seeded = readMnemonic(text)
  return seeded === null ? null : deriveSolanaKey(seeded)
}

/** The DER form of an Ed25519 private key before its 32 bytes (RFC 8410). */
const DER_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex")

function publicKeyOf(seed: Uint8Array): Buffer {
  const key = createPrivateKey({
    key: Buffer.concat([DER_PREFIX, seed]),
    format: "der",
    type: "pkcs8",
  })
  return createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32)
}
