import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto"
import { z } from "zod"

/**
 * The content of a keystore of ours: one mnemonic for every family, or one key in its family's own
 * form.
 */
export type KeystoreContent = { readonly kind: "mnemonic" | "key"; readonly text: string }

/**
 * What a password can seal: a keystore, or the rescue data of one order. The tag covers the kind,
 * so neither passes as the other.
 */
type SealedContent = KeystoreContent | { readonly kind: "rescue"; readonly text: string }

/**
 * N = 2^17, r = 8, p = 1: the strongest of the parameters that OWASP's cheat sheet recommends,
 * about half a second and 128 MiB.
 */
const SCRYPT = { n: 2 ** 17, r: 8, p: 1 } as const
/** A file may ask for eight times that work, and no more. */
const MAX_N = 2 ** 20

const base64 = z.base64().max(1_000_000)
const schema = z.strictObject({
  ballast_keystore: z.literal(1),
  kind: z.enum(["mnemonic", "key", "rescue"]),
  kdf: z.literal("scrypt"),
  n: z
    .int()
    .min(2 ** 14)
    .max(MAX_N)
    .refine((n) => (n & (n - 1)) === 0),
  r: z.literal(8),
  p: z.literal(1),
  salt: base64,
  cipher: z.literal("aes-256-gcm"),
  iv: base64,
  ciphertext: base64,
  tag: base64,
})

type Sealed = z.output<typeof schema>

/**
 * Encrypts with a key from the password (scrypt, AES-256-GCM of Node's OpenSSL). The tag also
 * covers every other field of the file.
 */
export function sealKeystore({ kind, text }: SealedContent, password: string): string {
  const salt = randomBytes(32)
  const iv = randomBytes(12)
  const head = {
    ballast_keystore: 1,
    kind,
    kdf: "scrypt",
    ...SCRYPT,
    salt: salt.toString("base64"),
  } as const
  const cipher = createCipheriv("aes-256-gcm", deriveKey(head, password), iv).setAAD(
    headBytes(head),
  )
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  const body = {
    cipher: "aes-256-gcm",
    iv: iv.toString("base64"),
    ciphertext: ciphertext.toString("base64"),
  }
  const tag = cipher.getAuthTag().toString("base64")
  return `${JSON.stringify({ ...head, ...body, tag }, null, 2)}\n`
}

/**
 * `null` if the value is no keystore of ours; `wrong-password` also for a damaged file, because
 * nothing tells the two apart.
 */
export function openSealed(
  value: unknown,
  password: string,
): SealedContent | "wrong-password" | null {
  const parsed = schema.safeParse(value)
  if (!parsed.success) return null
  const { iv, ciphertext, tag, kind } = parsed.data
  try {
    const bytes = (text: string): Buffer => Buffer.from(text, "base64")
    const key = deriveKey(parsed.data, password)
    const decipher = createDecipheriv("aes-256-gcm", key, bytes(iv), { authTagLength: 16 })
    decipher.setAAD(headBytes(parsed.data)).setAuthTag(bytes(tag))
    return {
      kind,
      text: Buffer.concat([decipher.update(bytes(ciphertext)), decipher.final()]).toString("utf8"),
    }
  } catch {
    // The tag does not fit.
    return "wrong-password"
  }
}

type Head = Pick<Sealed, "ballast_keystore" | "kind" | "kdf" | "n" | "r" | "p" | "salt">

function headBytes({ ballast_keystore, kind, kdf, n, r, p, salt }: Head): Buffer {
  return Buffer.from(JSON.stringify([ballast_keystore, kind, kdf, n, r, p, salt]))
}

function deriveKey({ n, r, p, salt }: Head, password: string): Buffer {
  const options = { N: n, r, p, maxmem: 128 * r * (n + p + 2) + 1024 ** 2 }
  return scryptSync(password.normalize("NFKC"), Buffer.from(salt, "base64"), 32, options)
}
