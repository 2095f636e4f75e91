import type { PastUse } from "#ports/account-uses.ts"
import { sameBytes } from "../address.ts"
import { feeLimitUnits } from "../fees.ts"
import type { Planning } from "../spend/plan-transactions.ts"
import { paysOnly, sumOutputs } from "../spend/raw-transaction.ts"
import { findPrevouts } from "./prove-spend.ts"
import { verifySpend } from "./verify-spend.ts"

/**
 * Reads the transaction that spent a coin of ours. Its bytes give its id and our signature, so no
 * endpoint can invent one. It is a void if everything comes back to our address; refunds and
 * redemptions spend no coin of the wallet. `null` for any other transaction, and where no endpoint
 * has the bytes.
 */
export async function readBitcoinUse(
  { esplora, wallet, maxFeeRate }: Planning,
  txid: string,
): Promise<PastUse | null> {
  const transaction = await esplora.findRaw(txid)
  if (transaction === null || !paysOnly(transaction, wallet.script)) return null
  const prevouts = await findPrevouts(esplora, transaction)
  if (prevouts === null) return null
  const isSigned = prevouts.some(
    ({ script }, vin) =>
      sameBytes(script, wallet.script) && verifySpend(transaction, vin, prevouts)?.by === "key",
  )
  if (!isSigned) return null
  const feeUnits = sumOutputs(prevouts) - sumOutputs(transaction.outs)
  const mostUnits = feeLimitUnits(
    { action: "void", vsize: BigInt(transaction.virtualSize()), hasChange: true },
    maxFeeRate,
  )
  return { txid, action: "void", feeUnits: feeUnits <= mostUnits ? feeUnits : null }
}
