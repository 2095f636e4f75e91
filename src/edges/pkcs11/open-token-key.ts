import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto"
import { AppError } from "#lib/app-error.ts"
import { readUserFile } from "#lib/files/read-user-file.ts"
import {
  type Attribute,
  CKR,
  type Cryptoki,
  CryptokiFailure,
  loadCryptoki,
  type TokenInfo,
} from "./cryptoki.ts"
import { parseTokenUri, type TokenKeyReference } from "./parse-token-uri.ts"

/** A key that never leaves its token. */
export type TokenKey = {
  /** secp256k1: 65 bytes, uncompressed. ed25519: 32 bytes. */
  readonly publicKey: Buffer
  /**
   * Logs in and tries the private key. Only the signer process calls it, so that no other process
   * reads the PIN. Throws `pkcs11.*` (fatal).
   */
  unlock(): void
  /**
   * 64 bytes: `r` and `s` of ECDSA over a digest of 32 bytes, with a random nonce and any `s`,
   * which the caller verifies; or Ed25519 over the content itself, which OpenSSL has verified. A
   * session that the token lost is opened once more. Throws `pkcs11.locked` (bug) before `unlock`,
   * `pkcs11.device` and `pkcs11.signature` (transient).
   */
  sign(content: Uint8Array): Buffer
}

type Curve = keyof typeof CURVES

/** CKK_*, CKM_*, and CKA_EC_PARAMS: an object identifier or, in Edwards' case, also a name. */
const CURVES = {
  secp256k1: { keyType: 0x03, mechanism: 0x1041, params: ["06052b8104000a"], pointBytes: 65 },
  ed25519: {
    keyType: 0x40,
    mechanism: 0x1057,
    params: ["06032b6570", "130c656477617264733235353139"],
    pointBytes: 32,
  },
} as const

const CKA = {
  class: 0x00,
  label: 0x03,
  keyType: 0x100,
  id: 0x102,
  ecParams: 0x180,
  ecPoint: 0x181,
} as const
const CKO = { publicKey: 2, privateKey: 3 } as const
const CKF = {
  protectedPath: 0x100,
  initialised: 0x400,
  finalTry: 0x20000,
  locked: 0x40000,
} as const

/** Opens the public half, without a PIN. Throws `pkcs11.*` (fatal). */
export function openTokenKey(uri: string, curve: Curve): TokenKey {
  const reference = parseTokenUri(uri)
  if (typeof reference === "string") throw fatal("uri", `the key's URI is wrong: ${reference}`)
  const module = loadCryptoki(reference.modulePath)
  const publicKey = whileOpening(() => {
    module.initialize()
    const session = module.openSession(findSlot(module, reference).slot)
    const point = readPublicKey(module, session, reference, curve)
    module.closeSession(session)
    return point
  })
  let open: OpenKey | null = null
  let isUnlocked = false
  let pinRefusal: AppError | null = null

  /** A refused PIN is not given again, because each try brings the token nearer to its lock. */
  function reopen(): OpenKey {
    if (pinRefusal !== null) throw pinRefusal
    if (open !== null) closeQuietly(module, open.session)
    open = null
    try {
      // CAST: a text was refused above.
      open = openPrivateKey(module, reference as TokenKeyReference, curve)
    } catch (error) {
      if (error instanceof CryptokiFailure && isAboutPin(error))
        pinRefusal = wrongPin(error, "transient")
      throw pinRefusal ?? error
    }
    return open
  }

  const ed25519 = curve === "ed25519" ? toKeyObject(publicKey, curve) : null

  function verified(content: Uint8Array, signature: Buffer): Buffer {
    if (ed25519 === null || verify(null, content, ed25519, signature)) return signature
    const message = "The token gave a signature of another key, and Ballast does not use it"
    throw new AppError({ code: "pkcs11.signature", disposition: "transient", message })
  }

  return {
    publicKey,
    unlock: () => {
      open = whileOpening(() => openPrivateKey(module, reference, curve))
      tryKey(signWith(module, open, curve), publicKey, curve)
      isUnlocked = true
    },
    sign: (content) => {
      if (!isUnlocked) throw locked()
      try {
        return verified(content, signWith(module, open ?? reopen(), curve)(content))
      } catch (error) {
        if (!(error instanceof CryptokiFailure)) throw toDeviceError(error)
      }
      try {
        return verified(content, signWith(module, reopen(), curve)(content))
      } catch (error) {
        throw toDeviceError(error)
      }
    },
  }
}

type OpenKey = { readonly session: number; readonly key: number }

function signWith(
  module: Cryptoki,
  { session, key }: OpenKey,
  curve: Curve,
): (content: Uint8Array) => Buffer {
  return (content) => {
    const signature = module.sign(session, key, CURVES[curve].mechanism, content)
    if (signature.length === 64) return signature
    throw new CryptokiFailure("C_Sign", signature.length)
  }
}

/** Initialises too: another user of the library in this process may have ended it. */
function openPrivateKey(module: Cryptoki, reference: TokenKeyReference, curve: Curve): OpenKey {
  module.initialize()
  const { slot, info } = findSlot(module, reference)
  const session = module.openSession(slot)
  try {
    login(module, session, reference, info)
    const wanted = [numberAttribute(CKA.class, CKO.privateKey), ...nameKey(reference)]
    return { session, key: only(module.findObjects(session, wanted), "private", reference, curve) }
  } catch (error) {
    closeQuietly(module, session)
    throw error
  }
}

/** A session that the token lost needs no closing. */
function closeQuietly(module: Cryptoki, session: number): void {
  try {
    module.closeSession(session)
  } catch (error) {
    if (!(error instanceof CryptokiFailure)) throw error
  }
}

/**
 * A wrong PIN is tried once, and the last try of a PIN is left to a person: after it the token
 * locks itself.
 */
function login(
  module: Cryptoki,
  session: number,
  { pinSource }: TokenKeyReference,
  { flags, token }: TokenInfo,
): void {
  if ((flags & CKF.locked) !== 0)
    throw fatal(
      "pin_locked",
      `the PIN of token ${token} is locked; its security officer can set a new one`,
    )
  if ((flags & CKF.finalTry) !== 0) {
    throw fatal(
      "pin_locked",
      `token ${token} has one try of its PIN left; log in once by hand with the right PIN`,
    )
  }
  const hasKeypad = (flags & CKF.protectedPath) !== 0
  if (pinSource === null && !hasKeypad) {
    throw fatal(
      "pin_missing",
      `token ${token} needs a PIN; add pin-source=file:PATH to the key's URI`,
    )
  }
  module.login(session, pinSource === null ? null : readPin(pinSource))
}

function readPin(pinSource: string): string {
  const path = pinSource.slice("file:".length)
  if (!pinSource.startsWith("file:")) {
    throw fatal(
      "pin_missing",
      "the PIN is a credential of systemd, and CREDENTIALS_DIRECTORY is not set; start the " +
        "signer as that service",
    )
  }
  try {
    return readUserFile(path)
      .toString("utf8")
      .replace(/\r?\n$/, "")
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    throw fatal("pin_missing", `the PIN's file ${path} cannot be read (${code})`)
  }
}

function findSlot(
  module: Cryptoki,
  { token, slotId, modulePath }: TokenKeyReference,
): { slot: number; info: TokenInfo } {
  const slots = module.listSlots().filter((slot) => slotId === null || slot === slotId)
  const infos = slots.map((slot) => ({ slot, info: module.readToken(slot) }))
  const fitting = infos
    .filter(({ info }) => (info.flags & CKF.initialised) !== 0)
    .filter(({ info }) => NAMES.every((name) => token[name] === null || token[name] === info[name]))
  const [first, second] = fitting
  if (first !== undefined && second === undefined) return first
  const problem =
    first === undefined ? "has no such token" : "has several such tokens; name one by serial"
  const seen = infos.map(({ info }) => info.token || "(empty)").join(", ")
  throw fatal("token_missing", `${modulePath} ${problem} (tokens: ${seen || "none"})`)
}

const NAMES = ["token", "serial", "manufacturer", "model"] as const

function readPublicKey(
  module: Cryptoki,
  session: number,
  reference: TokenKeyReference,
  curve: Curve,
): Buffer {
  const wanted = [numberAttribute(CKA.class, CKO.publicKey), ...nameKey(reference)]
  const key = only(module.findObjects(session, wanted), "public", reference, curve)
  const isCurve =
    module.readAttribute(session, key, CKA.keyType).readUInt32LE(0) === CURVES[curve].keyType &&
    CURVES[curve].params.some(
      (params) => params === module.readAttribute(session, key, CKA.ecParams).toString("hex"),
    )
  const point = isCurve
    ? decodePoint(module.readAttribute(session, key, CKA.ecPoint), CURVES[curve].pointBytes)
    : null
  if (point !== null) return point
  throw fatal(
    "key_curve",
    `${nameOf(reference)} is not a key of the curve ${curve}, which this chain needs`,
  )
}

/** A DER octet string by the standard; some tokens give the bytes of an Edwards point alone. */
function decodePoint(value: Buffer, length: number): Buffer | null {
  if (value.length === length) return value
  return value.length === length + 2 && value[0] === 0x04 && value[1] === length
    ? value.subarray(2)
    : null
}

function only(
  found: readonly number[],
  half: string,
  reference: TokenKeyReference,
  curve: Curve,
): number {
  const [first, second] = found
  if (first !== undefined && second === undefined) return first
  const name = nameOf(reference)
  if (second !== undefined)
    throw fatal("key_missing", `the token has several ${half} keys for ${name}; name one by id`)
  const hint = half === "public" ? "; store its public key as a public object too" : ""
  throw fatal("key_missing", `the token shows no ${half} key ${name} (${curve})${hint}`)
}

function nameKey({ object, id }: TokenKeyReference): readonly Attribute[] {
  return [
    ...(object === null ? [] : [{ type: CKA.label, value: Buffer.from(object, "utf8") }]),
    ...(id === null ? [] : [{ type: CKA.id, value: id }]),
  ]
}

function nameOf({ object, id }: TokenKeyReference): string {
  return [
    object === null ? [] : [`object ${object}`],
    id === null ? [] : [`id ${id.toString("hex")}`],
  ]
    .flat()
    .join(", ")
}

function numberAttribute(type: number, value: number): Attribute {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return { type, value: bytes }
}

/**
 * Signs a text of ours, and lets OpenSSL verify it: private and public half may carry one name and
 * not belong together.
 */
function tryKey(sign: (content: Uint8Array) => Buffer, publicKey: Buffer, curve: Curve): void {
  const text = Buffer.from("Ballast tries this key before it uses it")
  const key = toKeyObject(publicKey, curve)
  const isRight = whileOpening(() =>
    curve === "ed25519"
      ? verify(null, text, key, sign(text))
      : verify(
          "sha256",
          text,
          { key, dsaEncoding: "ieee-p1363" },
          sign(createHash("sha256").update(text).digest()),
        ),
  )
  if (!isRight)
    throw fatal(
      "key_mismatch",
      "the token's private key does not belong to its public key of the same name",
    )
}

function toKeyObject(publicKey: Buffer, curve: Curve): KeyObject {
  const text = (from: number, to: number): string =>
    publicKey.subarray(from, to).toString("base64url")
  const key =
    curve === "ed25519"
      ? { kty: "OKP", crv: "Ed25519", x: text(0, 32) }
      : { kty: "EC", crv: "secp256k1", x: text(1, 33), y: text(33, 65) }
  return createPublicKey({ key, format: "jwk" })
}

/** A start without its token is a mistake in the set-up, so the failures of that time are fatal. */
function whileOpening<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof CryptokiFailure)) throw error
    throw isAboutPin(error)
      ? wrongPin(error)
      : fatal("token_missing", `the token does not work: ${error.message}`, error)
  }
}

/**
 * After the start nothing ends the signer: the daemon asks again, and finds the token when it is
 * back.
 */
function toDeviceError(error: unknown): unknown {
  const isKnown =
    error instanceof CryptokiFailure || (error instanceof AppError && error.disposition === "fatal")
  if (!isKnown) return error
  const next = "nothing is lost, and Ballast asks again"
  const message = `the token does not sign: ${error.message}; ${next}`
  return new AppError({ code: "pkcs11.device", disposition: "transient", message, cause: error })
}

const PIN_ANSWERS: readonly number[] = [
  CKR.pinIncorrect,
  CKR.pinInvalid,
  CKR.pinLength,
  CKR.pinExpired,
  CKR.pinLocked,
  CKR.pinNotInitialised,
]

function isAboutPin({ answer }: CryptokiFailure): boolean {
  return PIN_ANSWERS.includes(answer)
}

function wrongPin(error: CryptokiFailure, disposition: "fatal" | "transient" = "fatal"): AppError {
  const isLocked = error.answer === CKR.pinLocked
  const message = isLocked
    ? "the token's PIN is locked; its security officer can set a new one"
    : `the token refuses the PIN (${error.message}); correct the file of pin-source, and start ` +
      "the signer again"
  return new AppError({
    code: isLocked ? "pkcs11.pin_locked" : "pkcs11.pin_wrong",
    disposition,
    message,
    cause: error,
  })
}

function locked(): AppError {
  const message =
    "only the signer process may sign with the key of a token; leave signer.run at child"
  return new AppError({ code: "pkcs11.locked", disposition: "bug", message })
}

function fatal(code: string, message: string, cause?: unknown): AppError {
  return new AppError({ code: `pkcs11.${code}`, disposition: "fatal", message, cause })
}
