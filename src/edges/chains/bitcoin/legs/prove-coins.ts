import { AppError } from "#lib/app-error.ts"
import { sameBytes } from "../address.ts"
import type { Esplora } from "../esplora.ts"
import { strippedBytes } from "../spend/raw-transaction.ts"
import { type Coin, outpointOf } from "../wallet.ts"

/**
 * Adds to each coin the transaction that made it, and takes the coin's value from there: an
 * endpoint's word is not enough to sign for. Leaves out coins of another script. Throws
 * `bitcoin.parent_missing` (transient) if no endpoint has the transaction.
 */
export async function proveCoins(
  esplora: Esplora,
  coins: readonly Coin[],
  script: Uint8Array,
): Promise<readonly Required<Coin>[]> {
  const proven: Required<Coin>[] = []
  for (const { txid, vout } of coins) {
    const transaction = await esplora.findRaw(txid)
    if (transaction === null) throw parentMissing(outpointOf({ txid, vout }))
    const out = transaction.outs[vout]
    if (out === undefined || !sameBytes(out.script, script)) continue
    proven.push({ txid, vout, units: out.value, parent: strippedBytes(transaction) })
  }
  return proven
}

function parentMissing(outpoint: string): AppError {
  return new AppError({
    code: "bitcoin.parent_missing",
    disposition: "transient",
    message:
      "no endpoint has the transaction that made a listed coin, so its value is unproven; " +
      "ask again",
    details: { outpoint },
  })
}
