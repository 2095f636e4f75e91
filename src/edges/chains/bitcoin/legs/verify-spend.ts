import { createHash } from "node:crypto"
import { crypto, payments, script, Transaction } from "bitcoinjs-lib"
import { rootHashFromPath, tapleafHash, tweakKey } from "bitcoinjs-lib/src/payments/bip341"
import * as ecc from "tiny-secp256k1"
import { sameBytes } from "../address.ts"
import { LEAF_VERSION } from "../htlc.ts"
import type { Output } from "../spend/raw-transaction.ts"
import "../keys/secp.ts"

/**
 * Verifies that an input is spent by the keys of the output that it spends, from bytes alone. No
 * server can forge such a spend.
 *
 * Knows the three ways that matter here: P2WPKH, a Taproot key path, and the three leaves of the
 * HTLC. `by` names the way, `secret` is the preimage of a redeem. `null` for a wrong signature, and
 * for any other kind of output. `prevouts` are the outputs that the transaction spends, in order of
 * its inputs. Pure.
 */
export function verifySpend(
  transaction: Transaction,
  vin: number,
  prevouts: readonly Output[],
): VerifiedSpend | null {
  const prevout = prevouts[vin]
  const witness = transaction.ins[vin]?.witness ?? []
  if (prevout === undefined || prevouts.length !== transaction.ins.length) return null
  try {
    if (isKeyHash(prevout.script)) return verifyKeyHash(transaction, vin, prevout, witness)
    if (isTaproot(prevout.script))
      return verifyTaproot({ transaction, vin, prevouts }, prevout.script, witness)
  } catch {
    // bitcoinjs-lib throws for signatures and control blocks that it cannot decode: the network
    // would refuse them, too.
  }
  return null
}

export type VerifiedSpend = {
  readonly by: "key" | "redeem" | "refund" | "instant"
  readonly secret: string | null
}

type Spending = {
  readonly transaction: Transaction
  readonly vin: number
  readonly prevouts: readonly Output[]
}

function isKeyHash(output: Uint8Array): boolean {
  return output.length === 22 && output[0] === 0x00 && output[1] === 20
}

function isTaproot(output: Uint8Array): boolean {
  return output.length === 34 && output[0] === 0x51 && output[1] === 32
}

/** BIP 143: the script code of P2WPKH is the P2PKH script of the same key. */
function verifyKeyHash(
  transaction: Transaction,
  vin: number,
  prevout: Output,
  witness: readonly Uint8Array[],
): VerifiedSpend | null {
  const [encoded, key] = witness
  if (witness.length !== 2 || encoded === undefined || key === undefined) return null
  const hash = prevout.script.slice(2)
  const code = payments.p2pkh({ hash }).output
  if (code === undefined || !sameBytes(crypto.hash160(key), hash)) return null
  const { signature, hashType } = script.signature.decode(encoded)
  const digest = transaction.hashForWitnessV0(vin, code, prevout.value, hashType)
  return ecc.verify(digest, key, signature) ? { by: "key", secret: null } : null
}

function verifyTaproot(
  spending: Spending,
  output: Uint8Array,
  whole: readonly Uint8Array[],
): VerifiedSpend | null {
  const last = whole.at(-1)
  const annex = whole.length > 1 && last?.[0] === 0x50 ? last : undefined
  const witness = annex === undefined ? whole : whole.slice(0, -1)
  const outputKey = output.slice(2)
  const verify = (
    key: Uint8Array,
    signature: Uint8Array | undefined,
    leafHash?: Uint8Array,
  ): boolean =>
    signature !== undefined && verifySchnorr(spending, key, signature, { leafHash, annex })
  if (witness.length === 1)
    return verify(outputKey, witness[0]) ? { by: "key", secret: null } : null
  const [leaf, control] = witness.slice(-2)
  if (leaf === undefined || control === undefined || !commitsTo(outputKey, leaf, control))
    return null
  const leafHash = tapleafHash({ output: leaf, version: LEAF_VERSION })
  return verifyLeaf(spending, leaf, witness.slice(0, -2), (key, signature) =>
    verify(key, signature, leafHash),
  )
}

/**
 * BIP 341: the output key is the internal key, tweaked by the root of the script tree that contains
 * this leaf.
 */
function commitsTo(outputKey: Uint8Array, leaf: Uint8Array, control: Uint8Array): boolean {
  const first = control[0] ?? 0
  if (control.length < 33 || control.length > 33 + 128 * 32 || (control.length - 33) % 32 !== 0)
    return false
  if ((first & 0xfe) !== LEAF_VERSION) return false
  const root = rootHashFromPath(control, tapleafHash({ output: leaf, version: LEAF_VERSION }))
  const tweaked = tweakKey(control.slice(1, 33), root)
  return tweaked !== null && tweaked.parity === (first & 1) && sameBytes(tweaked.x, outputKey)
}

type VerifyKey = (key: Uint8Array, signature: Uint8Array | undefined) => boolean

function verifyLeaf(
  spending: Spending,
  leaf: Uint8Array,
  stack: readonly Uint8Array[],
  verify: VerifyKey,
): VerifiedSpend | null {
  const text = Buffer.from(leaf).toString("hex")
  const [, hash, redeemer] = REDEEM_LEAF.exec(text) ?? []
  if (hash !== undefined && redeemer !== undefined)
    return verifyRedeem(hash, bytes(redeemer), stack, verify)
  const [, refunder] = REFUND_LEAF.exec(text) ?? []
  if (refunder !== undefined)
    return verifyRefund(spending, leaf, stack, (signature) => verify(bytes(refunder), signature))
  const [, first, second] = INSTANT_LEAF.exec(text) ?? []
  if (first === undefined || second === undefined || stack.length !== 2) return null
  // A script takes its first argument from the top of the stack.
  const [bottom, top] = stack
  return verify(bytes(first), top) && verify(bytes(second), bottom)
    ? { by: "instant", secret: null }
    : null
}

function verifyRedeem(
  hash: string,
  key: Uint8Array,
  stack: readonly Uint8Array[],
  verify: VerifyKey,
): VerifiedSpend | null {
  const [signature, secret] = stack
  if (stack.length !== 2 || secret === undefined) return null
  const opens = createHash("sha256").update(secret).digest("hex") === hash
  return opens && verify(key, signature)
    ? { by: "redeem", secret: Buffer.from(secret).toString("hex") }
    : null
}

function verifyRefund(
  { transaction, vin }: Spending,
  leaf: Uint8Array,
  stack: readonly Uint8Array[],
  verify: (signature: Uint8Array | undefined) => boolean,
): VerifiedSpend | null {
  const [lock] = script.decompile(leaf) ?? []
  const isOver = lock !== undefined && meetsLock(transaction, vin, lock)
  return isOver && stack.length === 1 && verify(stack[0]) ? { by: "refund", secret: null } : null
}

const REDEEM_LEAF = /^a820([0-9a-f]{64})8820([0-9a-f]{64})ac$/
/** A minimal push of the lock: OP_1 to OP_16, or up to three bytes. */
const REFUND_LEAF =
  /^(?:5[1-9a-f]|60|01[0-9a-f]{2}|02[0-9a-f]{4}|03[0-9a-f]{6})b27520([0-9a-f]{64})ac$/
const INSTANT_LEAF = /^20([0-9a-f]{64})ac20([0-9a-f]{64})ba529c$/

/** BIP 68 and 112: a relative lock in blocks. */
function meetsLock(transaction: Transaction, vin: number, lock: number | Uint8Array): boolean {
  const blocks = typeof lock === "number" ? lock - 0x50 : script.number.decode(lock)
  const sequence = transaction.ins[vin]?.sequence ?? 0xffffffff
  const isBlockLock = sequence < 0x80000000 && (sequence & 0x400000) === 0
  return transaction.version >= 2 && isBlockLock && (sequence & 0xffff) >= blocks
}

function verifySchnorr(
  { transaction, vin, prevouts }: Spending,
  key: Uint8Array,
  signature: Uint8Array,
  { leafHash, annex }: { leafHash: Uint8Array | undefined; annex: Uint8Array | undefined },
): boolean {
  const hashType = signature.length === 65 ? (signature[64] ?? 0) : Transaction.SIGHASH_DEFAULT
  // BIP 341: a signature of 65 bytes with the default type is invalid.
  if (
    signature.length !== 64 &&
    (signature.length !== 65 || hashType === Transaction.SIGHASH_DEFAULT)
  )
    return false
  const scripts = prevouts.map((prevout) => prevout.script)
  const values = prevouts.map(({ value }) => value)
  const digest = transaction.hashForWitnessV1(vin, scripts, values, hashType, leafHash, annex)
  return ecc.verifySchnorr(digest, key, signature.slice(0, 64))
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"))
}
