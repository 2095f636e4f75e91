import { purposeOf } from "#order/states.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import type { Clocked, HasJournal, Logged, Remembering } from "../../context.ts"
import { isOwed, listLive, type Signature, toSigned } from "./nonce-rows.ts"

/** A payout is mostly on its way within this time. */
const PATIENCE_MS = 10_000

/**
 * Sends a deposit that is owed again, if no node shows it while its order works on the payout: no
 * work of the order looks at it then, and on Solana its bytes expire within two minutes. In any
 * other state the order's own work sees that it is gone.
 */
export async function sendOwedAgain(
  context: HasJournal<OrderStore & SigningRecord> & Clocked & Logged & Remembering,
  port: ChainPort,
): Promise<void> {
  const nowMs = context.clock.now()
  const owed = listLive(context, port).filter((row) => isOwed(row) && isAtPayout(row, nowMs))
  const newest = new Map(owed.map((row) => [row.orderId, toSigned(row)]))
  for (const [order, signed] of newest) {
    if (signed === null) continue
    try {
      if ((await port.observeTransaction(signed)).status !== "unseen") continue
      context.log.warn({ order, tx: signed.txid }, "A deposit that is owed is sent again")
      await port.broadcastTransaction(signed)
    } catch (error) {
      const fields = { order, tx: signed.txid, err: error }
      context.log.warn(fields, "A deposit that is owed could not be sent again")
    }
  }
}

function isAtPayout({ order }: Signature, nowMs: number): boolean {
  if (order === null || purposeOf(order.state) !== "redeem") return false
  return Math.abs(nowMs - order.data.stateSince) >= PATIENCE_MS
}
