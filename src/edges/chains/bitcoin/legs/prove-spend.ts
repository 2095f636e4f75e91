import type { Transaction } from "bitcoinjs-lib"
import type { Esplora } from "../esplora.ts"
import type { Endpoint } from "../nodes/endpoint.ts"
import { inputSpending, type Output, txidOf } from "../spend/raw-transaction.ts"
import { outpointOf } from "../wallet.ts"
import { type VerifiedSpend, verifySpend } from "./verify-spend.ts"

/**
 * Fetches the transaction that an endpoint names as the spender of an output, and verifies from its
 * bytes that the output's own keys signed it. A refusal says why the claim is not believed. Throws
 * only the errors of Esplora reads.
 */
export async function proveSpend(
  esplora: Esplora,
  endpoint: Endpoint,
  spenderId: string,
  coin: { readonly txid: string; readonly vout: number },
): Promise<ProvenSpend | { readonly unproven: string }> {
  const transaction = await esplora.findRaw(spenderId, endpoint)
  if (transaction === null) return { unproven: "no endpoint has the transaction" }
  const vin = inputSpending(transaction, coin)
  if (vin === null) return { unproven: `the transaction does not spend ${outpointOf(coin)}` }
  const prevouts = await findPrevouts(esplora, transaction, endpoint)
  if (prevouts === null) return { unproven: "no endpoint has the transactions that it spends" }
  const spend = verifySpend(transaction, vin, prevouts)
  return spend === null
    ? { unproven: "the signature is not valid for the spent output" }
    : { transaction, ...spend }
}

type ProvenSpend = VerifiedSpend & { readonly transaction: Transaction }

/**
 * The outputs that a transaction spends. A Taproot signature covers the scripts and values of all
 * of them (BIP 341), so each parent's raw transaction is needed. `null` where no endpoint has one
 * of them.
 */
export async function findPrevouts(
  esplora: Esplora,
  transaction: Transaction,
  endpoint?: Endpoint,
): Promise<readonly Output[] | null> {
  const prevouts: Output[] = []
  for (const { hash, index } of transaction.ins) {
    const out = (await esplora.findRaw(txidOf(hash), endpoint))?.outs[index]
    if (out === undefined) return null
    prevouts.push(out)
  }
  return prevouts
}
