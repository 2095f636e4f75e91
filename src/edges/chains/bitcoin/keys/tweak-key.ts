import { createECDH, createHash, ECDH } from "node:crypto"

/** The field of secp256k1 (SEC 2, section 2.4.1). */
const FIELD = 2n ** 256n - 2n ** 32n - 977n

/**
 * The output key of a P2TR address without scripts (BIP 341): `P + hash(P) * G`, with `P` of even
 * y. Takes a compressed key, gives 32 bytes.
 */
export function tweakKey(publicKey: Buffer): Buffer {
  const x = publicKey.subarray(1)
  const tag = createHash("sha256").update("TapTweak").digest()
  const curve = createECDH("secp256k1")
  curve.setPrivateKey(createHash("sha256").update(tag).update(tag).update(x).digest())
  const even = ECDH.convertKey(
    Buffer.concat([Buffer.of(2), x]),
    "secp256k1",
    undefined,
    undefined,
    "uncompressed",
  )
  const sum = addX(readPoint(Buffer.from(even)), readPoint(curve.getPublicKey()))
  return Buffer.from(sum.toString(16).padStart(64, "0"), "hex")
}

type Point = { readonly x: bigint; readonly y: bigint }

function readPoint(bytes: Buffer): Point {
  return {
    x: BigInt(`0x${bytes.subarray(1, 33).toString("hex")}`),
    y: BigInt(`0x${bytes.subarray(33).toString("hex")}`),
  }
}

/**
 * The x coordinate of the sum of two different points. That a hash gives the same point twice is as
 * likely as a guessed key.
 */
function addX(a: Point, b: Point): bigint {
  const slope = modulo((b.y - a.y) * invert(modulo(b.x - a.x)))
  return modulo(slope * slope - a.x - b.x)
}

function modulo(number: bigint): bigint {
  const rest = number % FIELD
  return rest < 0n ? rest + FIELD : rest
}

/** By Fermat's little theorem. */
function invert(number: bigint): bigint {
  let result = 1n
  let power = number
  for (let exponent = FIELD - 2n; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) result = modulo(result * power)
    power = modulo(power * power)
  }
  return result
}
