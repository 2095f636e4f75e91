import { feeKey } from "#domain/ledger.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import type {
  Clocked,
  Configured,
  HasChains,
  HasJournal,
  HasPrices,
  Logged,
} from "../../context.ts"
import { bookFee, isFeeBooked } from "../book-fee.ts"

/**
 * The purpose of a signature that fills a gap, or that puts a rescue in the place of another
 * transaction, begins with it; the nonce follows.
 */
export const FILL = "fill/"

/**
 * Books the fee of each fill that a block shows, and of each refund and redemption that lands after
 * its order has ended. Settles it when its block, or its rival's, is final. No order does so.
 */
export async function followFills(
  context: HasJournal<Ledger & OrderStore & SigningRecord> &
    HasPrices &
    HasChains &
    Configured &
    Logged &
    Clocked,
  port: ChainPort,
): Promise<void> {
  const { journal, clock } = context
  const isOfEnded = ({ orderId, purpose }: { orderId: string; purpose: string }): boolean =>
    (purpose === "refund" || purpose === "redeem") &&
    (journal.findOrder(orderId)?.outcome ?? null) !== null
  const fills = journal
    .listUnsettled(port.chain, port.account)
    .filter((row) => row.purpose.startsWith(FILL) || isOfEnded(row))
  for (const { orderId, purpose, plan, txid, raw } of fills) {
    if (plan === null || txid === null || raw === null) continue
    const seen = await observeOrNull(context, port, { plan, txid, raw })
    if (seen === null) continue
    const isBooked = isFeeBooked(context, txid)
    if (seen.status === "mined" && !isBooked) {
      const kind = plan.action === "redeem" || plan.action === "refund" ? plan.action : "void"
      const note =
        kind === "void"
          ? "fills a gap in the nonces"
          : purpose.startsWith(FILL)
            ? "has the nonce of another transaction"
            : "landed after the end of its order"
      const { feeUnits } = seen
      await bookFee(context, port.chain, { orderId, txid, purpose: kind, feeUnits, note })
    } else if (seen.status !== "mined" && isBooked) {
      journal.book({ reversedKeys: [feeKey(txid)], add: [] }, { orderId, atMs: clock.now() })
    }
    const isOver = (seen.status === "mined" || seen.status === "excluded") && seen.final
    if (isOver) journal.settleSignatures(orderId, purpose)
  }
}

/** One that cannot be read, for instance at pruned nodes, keeps no rescue of another order back. */
async function observeOrNull(
  { log }: Logged,
  port: ChainPort,
  signed: SignedTransaction,
): Promise<TransactionObservation | null> {
  try {
    return await port.observeTransaction(signed)
  } catch (error) {
    if (!(error instanceof AppError) || error.disposition === "aborted") throw error
    log.warn({ err: error, tx: signed.txid }, "The transaction that fills a gap cannot be read")
    return null
  }
}
