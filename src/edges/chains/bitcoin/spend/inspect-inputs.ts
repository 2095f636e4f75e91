import { type Psbt, Transaction } from "bitcoinjs-lib"
import { sameBytes } from "../address.ts"
import { outpointOf } from "../wallet.ts"
import { coinsOf } from "./build.ts"

/**
 * Returns each input whose script and value no parent transaction proves. Each parent's id is
 * recomputed from its bytes, so no server can lie about it. Pure.
 */
export function findUnprovenInputs(psbt: Psbt): string[] {
  return coinsOf(psbt).flatMap((coin, index) => {
    const name = outpointOf(coin)
    const utxo = psbt.data.inputs[index]?.witnessUtxo
    if (coin.parent === undefined) return [`${name} comes without its parent transaction`]
    const parent = parse(coin.parent)
    if (parent === null || parent.getId() !== coin.txid)
      return [`the parent of ${name} is another transaction`]
    const out = parent.outs[coin.vout]
    if (out === undefined || utxo === undefined) return [`the parent of ${name} has no such output`]
    if (out.value !== utxo.value)
      return [`${name} holds ${out.value} units, and the plan counts ${utxo.value}`]
    return sameBytes(out.script, utxo.script) ? [] : [`${name} belongs to another script`]
  })
}

function parse(bytes: Uint8Array): Transaction | null {
  try {
    return Transaction.fromBuffer(bytes)
  } catch {
    // bitcoinjs-lib throws if the bytes are no transaction; it has no other failure here.
    return null
  }
}
