import { Transaction } from "bitcoinjs-lib"
import { tapleafHash } from "bitcoinjs-lib/src/payments/bip341"
import { signSchnorr } from "tiny-secp256k1"
import { mustExist } from "#lib/assert.ts"
import type { BlockIndex } from "./block-index.ts"
import type { Htlc, HtlcLeaf } from "./htlc.ts"
import type { Deposit } from "./observe-swap.ts"
import { outpointOf } from "./outpoint.ts"

/**
 * Builds a transaction that pays all deposits to one output without a fee. The caller adds an input
 * that pays the fee.
 */
export function buildHtlcSpend(
  deposits: readonly Deposit[],
  payTo: Uint8Array,
  sequence: number,
): Transaction {
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
 * Signs all inputs that spend the HTLC through `leaf`, in place. `secret` is the second element of
 * a redeem witness. A taproot signature covers all previous outputs (BIP 341), so the index must
 * also contain those of the other inputs.
 */
export function signHtlcInputs(
  spend: Transaction,
  index: BlockIndex,
  by: { htlc: Htlc; leaf: HtlcLeaf; key: Uint8Array; secret?: Uint8Array },
): void {
  const prevouts = spend.ins.map((input) => {
    const { txid, vout } = outpointOf(input)
    return mustExist(index.findTx(txid)?.tx.outs[vout], `previous output ${txid}:${vout}`)
  })
  const scripts = prevouts.map((prevout) => prevout.script)
  const values = prevouts.map((prevout) => prevout.value)
  for (const [vin, prevout] of prevouts.entries()) {
    if (Buffer.compare(prevout.script, by.htlc.output) !== 0) continue
    const digest = spend.hashForWitnessV1(
      vin,
      scripts,
      values,
      Transaction.SIGHASH_DEFAULT,
      tapleafHash({ output: by.leaf.script }),
    )
    const secret = by.secret === undefined ? [] : [by.secret]
    spend.setWitness(vin, [
      signSchnorr(digest, by.key),
      ...secret,
      by.leaf.script,
      by.leaf.controlBlock,
    ])
  }
}

/**
 * Builds the interface's `instant_refund_tx`: version 2, one input that spends the first deposit,
 * one output with its full amount to the user, no fee, and sighash SINGLE | ANYONECANPAY (0x83), so
 * that the user can add a fee input.
 *
 * Zeros stand for the redeemer's signature until the solver signs, and for the refund signature if
 * the user holds the refund key. The network refuses the transaction until both are replaced.
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
  const digest = spend.hashForWitnessV1(
    0,
    [htlc.output],
    [deposit.value],
    hashType,
    tapleafHash({ output: instant.script }),
  )
  const placeholder = new Uint8Array(65)
  const refundSignature =
    refundKey === null
      ? placeholder
      : Buffer.concat([signSchnorr(digest, refundKey), Buffer.from([hashType])])
  // The leaf checks the refund key first, so the refund signature is on top of the stack.
  spend.setWitness(0, [placeholder, refundSignature, instant.script, instant.controlBlock])
  return spend
}
