import { address, Psbt, Transaction } from "bitcoinjs-lib"
import { z } from "zod"
import type { TransactionPlan } from "#domain/transaction.ts"
import { type NetworkName, networkOf } from "../address.ts"

/** The inputs and outputs of an unsigned transaction, in satoshi, and its PSBT. Pure. */
export function describeBitcoinPlan(
  { unsigned }: TransactionPlan,
  networkName: NetworkName,
): Record<string, unknown> {
  const network = networkOf(networkName)
  const { psbt: text } = z.object({ psbt: z.string() }).parse(JSON.parse(unsigned))
  const psbt = Psbt.fromBase64(text, { network })
  const inputs = psbt.txInputs.map(({ hash, index, sequence }, at) => ({
    outpoint: `${Buffer.from(hash).reverse().toString("hex")}:${index}`,
    sequence: sequence ?? Transaction.DEFAULT_SEQUENCE,
    units: psbt.data.inputs[at]?.witnessUtxo?.value ?? null,
  }))
  const outputs = psbt.txOutputs.map(({ script, value }) => ({
    address: readAddress(script),
    units: value,
  }))
  return { inputs, outputs, psbt: text }

  function readAddress(script: Uint8Array): string {
    try {
      return address.fromOutputScript(script, network)
    } catch {
      return `script ${Buffer.from(script).toString("hex")}`
    }
  }
}
