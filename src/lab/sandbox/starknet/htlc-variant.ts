import type { ContractsVersion } from "../local-chain.ts"
import { encodeShortString } from "./felt.ts"

/**
 * The differences between the generations of the HTLC contract that the devnet can deploy. Live
 * deployments have `v3`.
 *
 * - `v1`: the hash as eight u32; ids and signatures do not name the contract (field notes, with a
 *   published swap id).
 * - `v2`: the hash as eight u32; ids and signatures name the contract (audited contract source).
 * - `v3`: the hash as two u128, high half first; ids and signatures name the contract (published
 *   client's ABI and typed data, and the public contract source with that ABI for the order id).
 */
export type HtlcVariant = {
  readonly version: ContractsVersion
  readonly classHash: bigint
  /** The bits of one part of a 32-byte hash. */
  readonly hashPartBits: 32 | 128
  readonly namesContract: boolean
  /** The version in the SNIP-12 domain, a short string. */
  readonly domainVersion: bigint
  /**
   * Whether `redeem` takes the secret as a Cairo array, and the event repeats it as one; else as
   * eight plain words.
   */
  readonly secretAsArray: boolean
}

export const HTLC_VARIANTS: Readonly<Record<ContractsVersion, HtlcVariant>> = {
  v1: {
    version: "v1",
    classHash: encodeShortString("local htlc v1"),
    hashPartBits: 32,
    namesContract: false,
    domainVersion: encodeShortString("1"),
    secretAsArray: true,
  },
  v2: {
    version: "v2",
    classHash: encodeShortString("local htlc v2"),
    hashPartBits: 32,
    namesContract: true,
    domainVersion: encodeShortString("1"),
    secretAsArray: true,
  },
  v3: {
    version: "v3",
    // Without a version, so that the contract keeps the address that it had in earlier versions of
    // the sandbox.
    classHash: encodeShortString("local htlc"),
    hashPartBits: 128,
    namesContract: true,
    domainVersion: encodeShortString("2"),
    secretAsArray: false,
  },
}

/** Splits a hash in hex into the parts of the variant, big-endian. */
export function splitHash({ hashPartBits }: HtlcVariant, hex: string): bigint[] {
  return splitHex(hex, hashPartBits / 4)
}

/** The inverse of `splitHash`. */
export function joinHash({ hashPartBits }: HtlcVariant, parts: readonly bigint[]): string {
  return joinHex(parts, hashPartBits / 4)
}

/** Splits 32 bytes in hex into eight big-endian u32 words, the form of every secret. */
export function toWords(hex: string): bigint[] {
  return splitHex(hex, 8)
}

export function fromWords(words: readonly bigint[]): string {
  return joinHex(words, 8)
}

function splitHex(hex: string, digits: number): bigint[] {
  return Array.from({ length: 64 / digits }, (_, at) =>
    BigInt(`0x${hex.slice(at * digits, (at + 1) * digits)}`),
  )
}

function joinHex(parts: readonly bigint[], digits: number): string {
  return parts.map((part) => part.toString(16).padStart(digits, "0")).join("")
}
