import { createDecipheriv, pbkdf2Sync, scryptSync, timingSafeEqual } from "node:crypto"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { z } from "zod"
import { formatMnemonic } from "#chains/mnemonic-text.ts"
import { AppError } from "#lib/app-error.ts"
import { openSealed } from "./sealed-keystore.ts"

/**
 * Opens a keystore of Ballast's own, or a Web3 Secret Storage file of version 3 (scrypt or PBKDF2,
 * AES-128-CTR). Returns the text of a secret: a key in its family's own form (`0x` and hex for the
 * latter), or a mnemonic with the index of the account (`formatMnemonic`).
 *
 * Throws `config.keystore` (fatal) for another format, for parameters that need more than 1 GiB or
 * take minutes, and for a wrong password. The message contains nothing from the file or the
 * password. Source: ethereum.org, Web3 Secret Storage Definition.
 */
export function decodeKeystore(text: string, password: string, index = 0): string {
  const sealed = openSealed(parseJson(text), password)
  if (sealed === "wrong-password")
    throw keystoreError("the password in BALLAST_KEYSTORE_PASSWORD does not open it")
  if (sealed?.kind === "rescue") throw keystoreError("it is a rescue file, which contains no key")
  if (sealed?.kind === "mnemonic") return formatMnemonic(sealed.text, index)
  // The first account is the key itself.
  if (index > 0)
    throw keystoreError(
      `it has one key and no mnemonic, so it has no account #${index}; write the reference ` +
        `without #${index}`,
    )
  return sealed?.text ?? decodeWeb3(text, password)
}

function decodeWeb3(text: string, password: string): string {
  const { ciphertext, cipherparams, kdf, kdfparams, mac } = parseKeystore(text)
  const derived =
    kdf === "scrypt" ? deriveScrypt(kdfparams, password) : derivePbkdf2(kdfparams, password)
  const sealed = Buffer.from(ciphertext, "hex")
  const expected = keccak_256(Buffer.concat([derived.subarray(16, 32), sealed]))
  if (!timingSafeEqual(expected, Buffer.from(mac, "hex"))) {
    throw keystoreError("the password in BALLAST_KEYSTORE_PASSWORD does not open it")
  }
  const cipher = createDecipheriv(
    "aes-128-ctr",
    derived.subarray(0, 16),
    Buffer.from(cipherparams.iv, "hex"),
  )
  return `0x${Buffer.concat([cipher.update(sealed), cipher.final()]).toString("hex")}`
}

const hex = z.string().regex(/^([0-9a-fA-F]{2})+$/)
const kdfparams = z.object({
  dklen: z.int().min(32).max(64),
  salt: hex,
  n: z
    .int()
    .min(2)
    .max(1 << 24)
    .optional(),
  r: z.int().min(1).max(64).optional(),
  p: z.int().min(1).max(64).optional(),
  c: z.int().min(1).max(10_000_000).optional(),
  prf: z.literal("hmac-sha256").optional(),
})
const crypto = z.object({
  cipher: z.literal("aes-128-ctr"),
  ciphertext: hex.length(64),
  cipherparams: z.object({ iv: hex.length(32) }),
  kdf: z.enum(["scrypt", "pbkdf2"]),
  kdfparams,
  mac: hex.length(64),
})
/** Some wallets write `Crypto`. */
const keystore = z.object({
  version: z.literal(3),
  crypto: crypto.optional(),
  Crypto: crypto.optional(),
})

type KdfParams = z.output<typeof kdfparams>

function parseKeystore(text: string): z.output<typeof crypto> {
  const result = keystore.safeParse(parseJson(text))
  const found = result.data?.crypto ?? result.data?.Crypto
  if (!found)
    throw keystoreError(
      "it is neither a keystore of `ballast wallet new` nor a Web3 Secret Storage file of " +
        "version 3 with aes-128-ctr",
    )
  return found
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the file; this one does not.
    throw keystoreError(
      "it is not JSON, as a part of a file is; put the whole file back from its backup",
    )
  }
}

const MAX_MEMORY = 1024 ** 3
/**
 * The bound of N · r · p: eight times the usual 2^18 · 8, which takes seconds. Larger parameters
 * would delay the start by minutes.
 */
const MAX_WORK = 2 ** 24

function deriveScrypt({ n, r, p, dklen, salt }: KdfParams, password: string): Buffer {
  if (n === undefined || r === undefined || p === undefined)
    throw keystoreError("n, r or p of scrypt is missing")
  const needed = 128 * r * (n + p + 2)
  // RFC 7914: N is a power of two below 2^(128 r / 8). OpenSSL refuses more.
  const wellFormed = (n & (n - 1)) === 0 && Math.log2(n) < 16 * r
  if (needed > MAX_MEMORY || n * r * p > MAX_WORK || !wellFormed)
    throw keystoreError("its scrypt parameters are out of bounds")
  return scryptSync(password, Buffer.from(salt, "hex"), dklen, {
    N: n,
    r,
    p,
    maxmem: needed + 1024 ** 2,
  })
}

function derivePbkdf2({ c, prf, dklen, salt }: KdfParams, password: string): Buffer {
  if (c === undefined || prf === undefined) throw keystoreError("c or prf of pbkdf2 is missing")
  return pbkdf2Sync(password, Buffer.from(salt, "hex"), c, dklen, "sha256")
}

function keystoreError(why: string): AppError {
  return new AppError({
    code: "config.keystore",
    disposition: "fatal",
    message: `the keystore cannot be opened: ${why}`,
  })
}
