import type { Transaction } from "bitcoinjs-lib"
import { present } from "#lib/assert.ts"
import { sameBytes } from "./address.ts"
import type { Endpoint } from "./endpoint.ts"
import type { Esplora } from "./esplora.ts"
import { inputSpending, type Output, txidOf } from "./raw-transaction.ts"
import { type VerifiedSpend, verifySpend } from "./verify-spend.ts"
import { outpointOf } from "./wallet.ts"

/**
 * Fetches the transaction that an endpoint names as the spender of an output, and verifies from its bytes that the output's own keys signed it.
 * A refusal says why the claim is not believed. Throws only the errors of Esplora reads.
 */
export async function proveSpend(
  esplora: Esplora,
  endpoint: Endpoint,
  spenderId: string,
  coin: { readonly txid: string; readonly vout: number; readonly script?: Uint8Array },
): Promise<ProvenSpend | { readonly unproven: string }> {
  const transaction = await esplora.findRaw(spenderId, endpoint)
  if (transaction === null) return { unproven: "no endpoint has the transaction" }
  const vin = inputSpending(transaction, coin)
  if (vin === null) return { unproven: `the transaction does not spend ${outpointOf(coin)}` }
  const prevouts = await findPrevouts(esplora, endpoint, transaction)
  if (prevouts === null) return { unproven: "no endpoint has the transactions that it spends" }
  const script = present(prevouts[vin], "the spent output").script
  if (coin.script !== undefined && !sameBytes(coin.script, script)) return { unproven: "the spent output is another" }
  const spend = verifySpend(transaction, vin, prevouts)
  return spend === null ? { unproven: "the signature is not valid for the spent output" } : { transaction, ...spend }
}

export type ProvenSpend = VerifiedSpend & { readonly transaction: Transaction }

/** A Taproot signature covers the scripts and values of all spent outputs (BIP 341), so each parent's raw transaction is needed. */
async function findPrevouts(
  esplora: Esplora,
  endpoint: Endpoint,
  transaction: Transaction,
): Promise<readonly Output[] | null> {
  const prevouts: Output[] = []
  for (const { hash, index } of transaction.ins) {
    const out = (await esplora.findRaw(txidOf(hash), endpoint))?.outs[index]
    if (out === undefined) return null
    prevouts.push(out)
  }
  return prevouts
}
