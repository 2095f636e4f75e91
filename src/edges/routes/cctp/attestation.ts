import { keccak_256 } from "@noble/hashes/sha3.js"
import * as ecc from "tiny-secp256k1"
import type { Reason } from "#domain/reason.ts"
import type { Hex } from "./message.ts"

/** The attesters that the transmitter accepts now. Addresses have 20 bytes, in lower-case hex. */
type AttesterRules = {
  readonly threshold: number
  readonly isEnabled: (attester: Hex) => boolean
}

/**
 * The accounts that signed the message, in the order of their signatures. `null` for bytes that are
 * not a list of valid signatures: 65 bytes each, a low `s` and 27 or 28 at the end.
 */
export function recoverAttesters(message: Hex, attestation: string): readonly Hex[] | null {
  const isHex = /^0x([0-9a-fA-F]{2})*$/.test(attestation)
  const count = isHex ? (attestation.length - 2) / 2 / SIGNATURE_BYTES : 0
  if (!Number.isInteger(count) || count < 1 || count > MOST_SIGNATURES) return null
  const hash = keccak_256(Buffer.from(message.slice(2), "hex"))
  const bytes = Buffer.from(attestation.slice(2), "hex")
  const signers: Hex[] = []
  for (let at = 0; at < bytes.length; at += SIGNATURE_BYTES) {
    const signer = recover(hash, bytes.subarray(at, at + SIGNATURE_BYTES))
    if (signer === null) return null
    signers.push(signer)
  }
  return signers
}

/**
 * Every reason for which the transmitter would refuse this attestation. A mint that reverts costs
 * gas and nothing else; the contract asks for the same.
 */
export function checkAttestation(
  message: Hex,
  attestation: string,
  { threshold, isEnabled }: AttesterRules,
): Reason[] {
  const signers = recoverAttesters(message, attestation)
  if (signers === null)
    return [refuse("The attestation is not a list of valid signatures", { threshold })]
  const reasons: Reason[] = []
  if (signers.length !== threshold)
    reasons.push(
      refuse("The attestation has another number of signatures than the contract asks for", {
        threshold,
        signatures: signers.length,
      }),
    )
  const isOrdered = signers.every((signer, at) => at === 0 || isBelow(signers[at - 1], signer))
  if (!isOrdered)
    reasons.push(
      refuse("The signatures are not in the order of their signers' addresses", {
        signers: signers.join(),
      }),
    )
  const strangers = signers.filter((signer) => !isEnabled(signer))
  if (strangers.length > 0)
    reasons.push(
      refuse("A signer is not an attester that the contract accepts", {
        signers: strangers.join(),
      }),
    )
  return reasons
}

const SIGNATURE_BYTES = 65
/** Far above every threshold; it bounds the work for a hostile answer. */
const MOST_SIGNATURES = 64
/** Half the order of secp256k1: a larger `s` belongs to the mirrored signature. */
const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

function recover(hash: Uint8Array, signature: Buffer): Hex | null {
  const v = signature[64]
  const s = BigInt(`0x${signature.toString("hex", 32, 64)}`)
  if ((v !== 27 && v !== 28) || s > HIGHEST_S) return null
  try {
    const point = ecc.recover(hash, signature.subarray(0, 64), v === 27 ? 0 : 1, false)
    if (point === null) return null
    const address = Buffer.from(keccak_256(point.subarray(1))).subarray(12)
    return `0x${address.toString("hex")}`
  } catch {
    return null // No key gives such a signature.
  }
}

function isBelow(a: Hex | undefined, b: Hex): boolean {
  return a !== undefined && BigInt(a) < BigInt(b)
}

function refuse(message: string, numbers: Readonly<Record<string, string | number>>): Reason {
  const texts = Object.entries(numbers).map(([key, value]) => [key, String(value)])
  return { code: "cctp.attestation", message, ...Object.fromEntries(texts) }
}
