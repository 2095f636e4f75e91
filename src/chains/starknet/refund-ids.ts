import type { VerifiedDeposit } from "#domain/deposit.ts"
import { termsOf } from "./decode.ts"
import { starknetExtras } from "./extras.ts"
import { readAddress, readHexFelt } from "./felt.ts"
import { findInitiation } from "./observe.ts"
import { fetchBlockNumber, fetchOrder, type StoredOrder } from "./read-chain.ts"
import { requireAddress, type Wallet } from "./wallet.ts"

/**
 * Finds the id of the deposit's order in the contract. The swap id of the service and our own derivations are candidates; `get_order` shows
 * which one is this deposit. If it shows none, the `Initiated` event of the secret hash has the id. Empty if the chain shows no such order.
 *
 * A contract without `get_order` leaves the candidates unproven: then the refund's own estimate decides, because the contract knows only ids
 * of its orders and pays each order's initiator.
 */
export async function findRefundIds(
  wallet: Wallet,
  deposit: VerifiedDeposit,
  swapId: string,
): Promise<readonly bigint[]> {
  const htlc = requireAddress(deposit.htlc)
  const candidates = listCandidates(deposit, swapId)
  for (const id of candidates) {
    const order = await fetchOrder(wallet.rpc, htlc, id)
    if (order === "unreadable") return candidates
    if (order !== null && isOrderOf(deposit, order)) return [id]
  }
  const found = await searchOrderId(wallet, deposit, htlc)
  return found === null ? [] : [found]
}

function listCandidates(deposit: VerifiedDeposit, swapId: string): readonly bigint[] {
  const { orderId, orderIds } = starknetExtras.parse(deposit.extras)
  const texts = [swapId, orderId ?? "", ...orderIds]
  return [...new Set(texts.map(readHexFelt).filter((id) => id !== null))]
}

function isOrderOf(deposit: VerifiedDeposit, order: StoredOrder): boolean {
  const terms = termsOf(deposit)
  return (
    order.initiator === readAddress(deposit.refundTo) &&
    order.redeemer === terms.redeemer &&
    order.timelock === terms.timelock &&
    order.units === terms.units
  )
}

/** A refund becomes due after one timelock. Three of them back is well before every deposit that still waits for it. */
async function searchOrderId(wallet: Wallet, deposit: VerifiedDeposit, htlc: bigint): Promise<bigint | null> {
  const { asset, secretHash, units, timelock, refundTo } = deposit
  if (asset === null) return null
  const head = await fetchBlockNumber(wallet.rpc)
  const back = head - 3n * timelock
  const query = { asset, secretHash, units, initiator: refundTo, fromHeight: back > 0n ? back : 0n }
  return findInitiation(wallet, query, htlc)
}
