import { feeKey } from "#domain/ledger.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import type { Clocked, Configured, HasChains, HasJournal, HasPrices } from "../../context.ts"
import { bookFee, isFeeBooked } from "../book-fee.ts"

/**
 * The purpose of a signature that fills a gap, or that puts a rescue in the place of another
 * transaction, begins with it; the nonce follows.
 */
export const FILL = "fill/"

/**
 * Books the fee of each fill that a block shows, and settles the fill when its block, or its
 * rival's, is final. No order does so.
 */
export async function followFills(
  context: HasJournal<Ledger & SigningRecord> & HasPrices & HasChains & Configured & Clocked,
  port: ChainPort,
): Promise<void> {
  const { journal, clock } = context
  const fills = journal
    .listUnsettled(port.chain, port.account)
    .filter(({ purpose }) => purpose.startsWith(FILL))
  for (const { orderId, purpose, plan, txid, raw } of fills) {
    if (plan === null || txid === null || raw === null) continue
    const seen = await port.observeTransaction({ plan, txid, raw })
    const isBooked = isFeeBooked(context, txid)
    if (seen.status === "mined" && !isBooked) {
      const purpose = plan.action === "redeem" || plan.action === "refund" ? plan.action : "void"
      const note =
        purpose === "void" ? "fills a gap in the nonces" : "has the nonce of another transaction"
      await bookFee(context, port.chain, { orderId, txid, purpose, feeUnits: seen.feeUnits, note })
    } else if (seen.status !== "mined" && isBooked) {
      journal.book({ reversedKeys: [feeKey(txid)], add: [] }, { orderId, atMs: clock.now() })
    }
    const isOver = (seen.status === "mined" || seen.status === "excluded") && seen.final
    if (isOver) journal.settleSignatures(orderId, purpose)
  }
}
