import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { listEverSigned, type OrderData } from "#order/data.ts"
import type { Journal } from "#ports/journal.ts"
import { FILL } from "../pay/follow-fills.ts"

/**
 * Every transaction that the order ever signed, by its data and by the signing record.
 *
 * Throws `signing.plan_unknown` (transient) for a signature whose plan is nowhere: without it
 * nothing can be proven about its bytes.
 */
export function listSigned(
  journal: Pick<Journal, "listOf">,
  data: OrderData,
): readonly SignedTransaction[] {
  const all = new Map(listEverSigned(data).map((transaction) => [transaction.txid, transaction]))
  for (const { purpose, plan, txid, raw } of journal.listOf(data.id)) {
    // A gasless signature is no transaction of ours, also where the chain shows its name.
    if (purpose === "gasless" || purpose.startsWith(FILL)) continue
    if (txid === null || raw === null || all.has(txid)) continue
    if (plan === null) throw unknownPlan(data.id, txid)
    all.set(txid, { plan, raw, txid })
  }
  return [...all.values()]
}

function unknownPlan(order: string, txid: string): AppError {
  return new AppError({
    code: "signing.plan_unknown",
    disposition: "transient",
    message:
      `The journal has the signed transaction ${txid} without its plan, so nothing can be ` +
      "proven about it",
    details: { order, txid },
  })
}
