import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { decodeJson } from "#lib/json.ts"
import { listEverSigned, type OrderData } from "#order/data.ts"
import { migrateSigned } from "#order/migrate-order.ts"
import type { Journal } from "#ports/journal.ts"
import { FILL } from "../pay/follow-fills.ts"

/**
 * Every transaction that the order ever signed. An earlier version dropped a replaced deposit from
 * the order's data, so the list is completed from the order's events and from the signing record.
 *
 * Throws `signing.plan_unknown` (transient) for a signature whose plan is nowhere: without it
 * nothing can be proven about its bytes.
 */
export function listSigned(
  journal: Pick<Journal, "listEvents" | "listOf">,
  data: OrderData,
): readonly SignedTransaction[] {
  const all = new Map(listEverSigned(data).map((transaction) => [transaction.txid, transaction]))
  const missing = journal
    .listOf(data.id)
    .filter(({ purpose, txid }) => txid !== null && !purpose.startsWith(FILL) && !all.has(txid))
  if (missing.length === 0) return [...all.values()]
  for (const { type, body } of journal.listEvents(data.id))
    if (SIGNED.includes(type))
      for (const transaction of readSigned(body)) all.set(transaction.txid, transaction)
  for (const { plan, txid, raw } of missing) {
    if (txid === null || raw === null || all.has(txid)) continue
    if (plan === null) throw unknownPlan(data.id, txid)
    all.set(txid, { plan, raw, txid })
  }
  return [...all.values()]
}

/** The event's name today, and in version 0.1. */
const SIGNED = ["transaction.signed", "move.signed"]

function readSigned(body: string): SignedTransaction[] {
  const event = decodeJson(body)
  return typeof event === "object" && event !== null ? migrateSigned(event) : []
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
