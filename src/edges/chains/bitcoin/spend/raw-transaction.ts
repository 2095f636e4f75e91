import { Transaction } from "bitcoinjs-lib"
import { sameBytes } from "../address.ts"

/** One output: its script and its value in satoshi. */
export type Output = { readonly script: Uint8Array; readonly value: bigint }

/**
 * Parses a raw transaction (hex), and recomputes its id from the bytes. Returns `null` for any
 * other transaction: bytes with the right id are true, no matter who served them.
 */
export function parseRawTransaction(hex: string, txid: string): Transaction | null {
  try {
    const transaction = Transaction.fromHex(hex)
    return transaction.getId() === txid ? transaction : null
  } catch {
    // bitcoinjs-lib throws if the bytes are no transaction; it has no other failure here.
    return null
  }
}

/**
 * The bytes that the transaction id commits to: without witnesses, so that every server gives the
 * same.
 */
export function strippedBytes(transaction: Transaction): Uint8Array {
  const copy = transaction.clone()
  for (const index of copy.ins.keys()) copy.setWitness(index, [])
  return copy.toBuffer()
}

/** The outputs that pay this script. */
export function outputsTo(
  transaction: Transaction,
  script: Uint8Array,
): readonly { vout: number; units: bigint }[] {
  return transaction.outs.flatMap((out, vout) =>
    sameBytes(out.script, script) ? [{ vout, units: out.value }] : [],
  )
}

/** In satoshi. */
export function sumOutputs(outputs: readonly Pick<Output, "value">[]): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n)
}

/** Whether all outputs pay this script. */
export function paysOnly(transaction: Transaction, script: Uint8Array): boolean {
  return transaction.outs.every((out) => sameBytes(out.script, script))
}

/** The position of the input that spends this output; `null` if there is none. */
export function inputSpending(
  transaction: Transaction,
  coin: { readonly txid: string; readonly vout: number },
): number | null {
  const index = transaction.ins.findIndex(
    (input) => txidOf(input.hash) === coin.txid && input.index === coin.vout,
  )
  return index < 0 ? null : index
}

/** The id that an input's hash writes in reversed order of bytes. */
export function txidOf(hash: Uint8Array): string {
  return Buffer.from(hash).reverse().toString("hex")
}
