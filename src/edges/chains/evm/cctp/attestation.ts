import {
  type Address,
  getAddress,
  type Hex,
  isHex,
  keccak256,
  recoverAddress,
  size,
  slice,
} from "viem"
import type { Reason } from "#domain/reason.ts"

/** The attesters that the transmitter accepts now. */
type AttesterRules = {
  readonly threshold: number
  readonly isEnabled: (attester: Address) => boolean
}

/**
 * The accounts that signed the message, in the order of their signatures. `null` for bytes that are
 * not a list of valid signatures: 65 bytes each, a low `s` and 27 or 28 at the end.
 */
export async function recoverAttesters(
  message: Hex,
  attestation: string,
): Promise<readonly Address[] | null> {
  const count = isHex(attestation) ? size(attestation) / SIGNATURE_BYTES : 0
  if (!isHex(attestation) || !Number.isInteger(count) || count < 1 || count > MOST_SIGNATURES)
    return null
  const hash = keccak256(message)
  const signatures = Array.from({ length: count }, (_, index) =>
    slice(attestation, index * SIGNATURE_BYTES, (index + 1) * SIGNATURE_BYTES),
  )
  if (!signatures.every(isStrict)) return null
  try {
    return await Promise.all(signatures.map((signature) => recoverAddress({ hash, signature })))
  } catch {
    return null // No key gives such a signature.
  }
}

/**
 * Every reason for which the transmitter would refuse this attestation. A mint that reverts costs
 * gas and nothing else; the contract asks for the same.
 */
export async function checkAttestation(
  message: Hex,
  attestation: string,
  { threshold, isEnabled }: AttesterRules,
): Promise<Reason[]> {
  const signers = await recoverAttesters(message, attestation)
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
  const strangers = signers.filter((signer) => !isEnabled(getAddress(signer)))
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

function isStrict(signature: Hex): boolean {
  const v = Number.parseInt(signature.slice(-2), 16)
  return (v === 27 || v === 28) && BigInt(slice(signature, 32, 64)) <= HIGHEST_S
}

function isBelow(a: Address | undefined, b: Address): boolean {
  return a !== undefined && BigInt(a) < BigInt(b)
}

function refuse(message: string, numbers: Readonly<Record<string, string | number>>): Reason {
  const texts = Object.entries(numbers).map(([key, value]) => [key, String(value)])
  return { code: "cctp.attestation", message, ...Object.fromEntries(texts) }
}
