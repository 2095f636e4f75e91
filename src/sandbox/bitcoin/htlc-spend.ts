import { crypto, Transaction } from "bitcoinjs-lib"
import { signSchnorr } from "tiny-secp256k1"
import { present } from "#lib/assert.ts"
import type { BlockIndex } from "./block-index.ts"
import type { Htlc, HtlcLeaf } from "./htlc.ts"
import type { Deposit } from "./observe-swap.ts"
import { outpointOf } from "./outpoint.ts"

/** One output with everything that was deposited, and no fee: an input that pays the fee is added afterwards. */
export function buildHtlcSpend(deposits: readonly Deposit[], payTo: Uint8Array, sequence: number): Transaction {
  const spend = new Transaction()
  spend.version = 2
  for (const { entry, vout } of deposits) spend.addInput(entry.tx.getHash(), vout, sequence)
  spend.addOutput(
    payTo,
    deposits.reduce((sum, { value }) => sum + value, 0n),
  )
  return spend
}

/**
 * Signs every input that spends the HTLC through `leaf`, in place. `secret` comes second in a redeem witness.
 * The taproot signature covers all previous outputs (BIP 341), so the index must know those of the other inputs too.
 */
export function signHtlcInputs(
  spend: Transaction,
  index: BlockIndex,
  by: { htlc: Htlc; leaf: HtlcLeaf; key: Uint8Array; secret?: Uint8Array },
): void {
  const prevouts = spend.ins.map((input) => {
    const { txid, vout } = outpointOf(input)
    return present(index.findTx(txid)?.tx.outs[vout], `previous output ${txid}:${vout}`)
  })
  const scripts = prevouts.map((prevout) => prevout.script)
  const values = prevouts.map((prevout) => prevout.value)
  for (const [vin, prevout] of prevouts.entries()) {
    if (Buffer.compare(prevout.script, by.htlc.output) !== 0) continue
    const digest = spend.hashForWitnessV1(vin, scripts, values, Transaction.SIGHASH_DEFAULT, leafHash(by.leaf))
    const secret = by.secret === undefined ? [] : [by.secret]
    spend.setWitness(vin, [signSchnorr(digest, by.key), ...secret, by.leaf.script, by.leaf.controlBlock])
  }
}

/**
 * The interface's `instant_refund_tx`: version 2, spends the first deposit, one output with its full amount to the user, no fee,
 * sighash SINGLE | ANYONECANPAY (0x83), so that a fee input can be added. The redeemer's slot holds zeros until the solver signs, and
 * so does the refund key's where that key is the user's own: the network refuses it as it comes.
 */
export function buildInstantRefund(
  htlc: Htlc,
  deposit: Deposit,
  payTo: Uint8Array,
  refundKey: Uint8Array | null,
): Transaction {
  const spend = buildHtlcSpend([deposit], payTo, Transaction.DEFAULT_SEQUENCE)
  const { instant } = htlc.leaves
  const hashType = Transaction.SIGHASH_SINGLE | Transaction.SIGHASH_ANYONECANPAY
  const digest = spend.hashForWitnessV1(0, [htlc.output], [deposit.value], hashType, leafHash(instant))
  const placeholder = new Uint8Array(65)
  const refundSignature =
    refundKey === null ? placeholder : Buffer.concat([signSchnorr(digest, refundKey), Buffer.from([hashType])])
  // The leaf checks the refund key first, so its signature is the one on top of the stack.
  spend.setWitness(0, [placeholder, refundSignature, instant.script, instant.controlBlock])
  return spend
}

/** BIP 341's leaf hash; every leaf here is shorter than the 253 bytes from which the length takes more than one byte. */
function leafHash(leaf: HtlcLeaf): Uint8Array {
  return crypto.taggedHash("TapLeaf", Buffer.concat([Buffer.from([0xc0, leaf.script.length]), leaf.script]))
}
