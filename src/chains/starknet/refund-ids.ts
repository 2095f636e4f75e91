import type { VerifiedDeposit } from "#domain/deposit.ts"
import { present } from "#lib/assert.ts"
import { termsOf } from "./decode.ts"
import { starknetExtras } from "./extras.ts"
import { readAddress, readHexFelt } from "./felt.ts"
import { findInitiation, type InitiationQuery, isInitiationOf } from "./observe.ts"
import { fetchBlockNumber, fetchOrder, type StoredOrder } from "./read-chain.ts"
import { requireAddress, type Wallet } from "./wallet.ts"

/**
 * Finds the id of the deposit's order in the contract. Our own derivations come first, because they commit to the secret hash, and
 * `get_order` shows which one exists. `get_order` has no secret hash, so it cannot tell the order of the service's swap id from another
 * order of ours with the same terms: that id needs the event with our secret hash too. If no candidate is proven, the `Initiated` event of
 * the secret hash has the id. Empty if the chain shows no such order.
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
  const derived = listDerived(deposit)
  const reported = readHexFelt(swapId)
  const candidates = [...new Set(reported === null ? derived : [...derived, reported])]
  for (const id of candidates) {
    const order = await fetchOrder(wallet.rpc, htlc, id)
    if (order === "unreadable") return candidates
    if (order === null || !isOrderOf(deposit, order)) continue
    if (derived.includes(id) || (await isInitiationOf(wallet, await searchFor(wallet, deposit), htlc, id))) return [id]
  }
  const found = await findInitiation(wallet, await searchFor(wallet, deposit), htlc)
  return found === null ? [] : [found]
}

function listDerived(deposit: VerifiedDeposit): readonly bigint[] {
  const { orderId, orderIds } = starknetExtras.parse(deposit.extras)
  return [orderId ?? "", ...orderIds].map(readHexFelt).filter((id) => id !== null)
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
async function searchFor(wallet: Wallet, deposit: VerifiedDeposit): Promise<InitiationQuery> {
  const { secretHash, units, timelock, redeemer, refundTo } = deposit
  const asset = present(deposit.asset, "the asset of the verified deposit")
  const head = await fetchBlockNumber(wallet.rpc)
  const back = head - 3n * timelock
  return { asset, secretHash, units, initiator: refundTo, redeemer, timelock, fromHeight: back > 0n ? back : 0n }
}
