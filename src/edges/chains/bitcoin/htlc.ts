import { type Network, opcodes, payments, script } from "bitcoinjs-lib"
import { z } from "zod"
import { mustExist } from "#lib/assert.ts"
import { isXOnlyPoint } from "./keys/secp.ts"

/**
 * The Taproot HTLC of the swap service: tree `[redeem, [refund, instant]]`, leaf version 0xc0, one
 * condition per leaf (mempool policy refuses branches inside tapscript, BIP 342).
 *
 * - redeem:  `OP_SHA256 <hash> OP_EQUALVERIFY <redeemKey> OP_CHECKSIG`
 * - refund: `<timelock> OP_CHECKSEQUENCEVERIFY OP_DROP <refundKey> OP_CHECKSIG` (BIP 112, blocks,
 *   minimal push)
 * - instant: `<refundKey> OP_CHECKSIG <redeemKey> OP_CHECKSIGADD OP_2 OP_NUMEQUAL`
 *
 * Pure. The terms must have passed the schema `htlcTerms`.
 */
export function deriveHtlc(terms: HtlcTerms, network: Network): Htlc {
  const refundKey = bytes(terms.refundKey)
  const redeemKey = bytes(terms.redeemKey)
  const redeemLeaf = script.compile([
    opcodes["OP_SHA256"],
    bytes(terms.secretHash),
    opcodes["OP_EQUALVERIFY"],
    redeemKey,
    opcodes["OP_CHECKSIG"],
  ])
  const refundLeaf = script.compile([
    script.number.encode(terms.timelock),
    opcodes["OP_CHECKSEQUENCEVERIFY"],
    opcodes["OP_DROP"],
    refundKey,
    opcodes["OP_CHECKSIG"],
  ])
  const instantLeaf = script.compile([
    refundKey,
    opcodes["OP_CHECKSIG"],
    redeemKey,
    opcodes["OP_CHECKSIGADD"],
    opcodes["OP_2"],
    opcodes["OP_NUMEQUAL"],
  ])
  const payBy = (leaf: Uint8Array) =>
    payments.p2tr({
      internalPubkey: INTERNAL_KEY,
      scriptTree: [{ output: redeemLeaf }, [{ output: refundLeaf }, { output: instantLeaf }]],
      redeem: { output: leaf, redeemVersion: LEAF_VERSION },
      network,
    })
  const payment = payBy(refundLeaf)
  return {
    address: mustExist(payment.address, "the HTLC's address"),
    script: mustExist(payment.output, "the HTLC's script"),
    refundLeaf,
    refundControlBlock: mustExist(payment.witness?.at(-1), "the refund leaf's control block"),
    redeemLeaf,
    redeemControlBlock: mustExist(
      payBy(redeemLeaf).witness?.at(-1),
      "the redeem leaf's control block",
    ),
  }
}

/**
 * The leaf by which our key spends the HTLC: with the secret the redeem leaf, without it the refund
 * leaf.
 */
export function leafOf(
  htlc: Htlc,
  secret: string | undefined,
): { script: Uint8Array; controlBlock: Uint8Array } {
  return secret === undefined
    ? { script: htlc.refundLeaf, controlBlock: htlc.refundControlBlock }
    : { script: htlc.redeemLeaf, controlBlock: htlc.redeemControlBlock }
}

export type Htlc = {
  readonly address: string
  readonly script: Uint8Array
  readonly refundLeaf: Uint8Array
  readonly refundControlBlock: Uint8Array
  readonly redeemLeaf: Uint8Array
  readonly redeemControlBlock: Uint8Array
}

/**
 * BIP 68: a relative lock in blocks has 16 bits; a larger number means a lock by time or no lock.
 */
export const MAX_TIMELOCK_BLOCKS = 0xffff

export const LEAF_VERSION = 0xc0

/** This key has no known private key, so the key path is closed (field notes of the interface). */
const INTERNAL_KEY = bytes("2160e11a135f94e536a5b222e5d09fd9db1be5f5f5e753920290c0410cf388f0")

/**
 * The four values that determine an HTLC address. Keys are x-only, hashes 32 bytes, all lower-case
 * hex. Survives JSON.
 */
export const htlcTerms = z.object({
  refundKey: z.string().refine((key) => parseXOnlyKey(key) === key),
  redeemKey: z.string().refine((key) => parseXOnlyKey(key) === key),
  secretHash: z.string().regex(/^[0-9a-f]{64}$/),
  timelock: z.int().min(1).max(MAX_TIMELOCK_BLOCKS),
})

export type HtlcTerms = z.infer<typeof htlcTerms>

/**
 * Reads a public key in wire form: 32 bytes x-only or 33 bytes compressed, hex. Returns x-only hex,
 * or `null` for any other text.
 */
export function parseXOnlyKey(text: string | null): string | null {
  const match = /^(?:0x)?(?:0[23])?([0-9a-f]{64})$/i.exec(text ?? "")
  const key = match?.[1]?.toLowerCase()
  return key !== undefined && isXOnlyPoint(bytes(key)) ? key : null
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"))
}
