import type { VerifiedDeposit } from "#domain/deposit.ts"
import { mustExist } from "#lib/assert.ts"
import { termsOf } from "../decode.ts"
import { starknetExtras } from "../extras.ts"
import { readAddress, readHexFelt } from "../felt.ts"
import { readEach } from "../nodes/compare-views.ts"
import type { View } from "../nodes/reference-block.ts"
import { requireAddress, type Wallet } from "../wallet.ts"
import { findInitiation, type InitiationQuery, isInitiationOf } from "./read-leg.ts"
import { fetchOrder, type StoredOrder } from "./read-order.ts"

/**
 * Lists the ids to refund by, of all endpoints: first those that commit to the deposit's terms.
 * Empty if no endpoint shows the deposit.
 */
export async function listRefundIds(
  wallet: Wallet,
  deposit: VerifiedDeposit,
): Promise<readonly bigint[]> {
  const found = (await readEach(wallet.rpc, (view) => findRefundId(wallet, view, deposit))).filter(
    (one) => one !== null,
  )
  const derived = found.filter(({ by }) => by === "derived")
  return [...new Set((derived.length > 0 ? derived : found).map(({ id }) => id))]
}

/**
 * `derived`: the contract shows the deposit under an id that commits to all its terms. `event`:
 * only the contract's own event names the id.
 */
type RefundId = { readonly id: bigint; readonly by: "derived" | "event" }

/**
 * Finds the id of the deposit's order in the contract, as one endpoint shows it; `null` if it shows
 * no such order.
 *
 * Our own derivations come first, because they commit to every term. `get_order` shows which one
 * exists, and where a contract has no such view, the `Initiated` event does. If no derivation
 * exists on chain, the `Initiated` event of our secret hash has the id, if the same transaction
 * paid for it in our name. The service's swap id has no say: a stranger's order could be behind it.
 */
async function findRefundId(
  wallet: Wallet,
  view: View,
  deposit: VerifiedDeposit,
): Promise<RefundId | null> {
  const htlc = requireAddress(deposit.htlc)
  const query = searchFor(view, deposit)
  for (const id of listDerived(deposit)) {
    const order = await fetchOrder(view, htlc, id)
    const isOurs =
      order === "unreadable"
        ? await isInitiationOf(view, query, htlc, id)
        : order !== null && isOrderOf(deposit, order)
    if (isOurs) return { id, by: "derived" }
  }
  const found = await findInitiation(wallet, view, query, htlc)
  if (found === null) return null
  const order = await fetchOrder(view, htlc, found)
  return order === "unreadable" || (order !== null && isOrderOf(deposit, order))
    ? { id: found, by: "event" }
    : null
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

/**
 * A refund becomes due after one timelock. Three of them back is well before every deposit that
 * still waits for it.
 */
function searchFor({ block }: View, deposit: VerifiedDeposit): InitiationQuery {
  const { secretHash, units, timelock, redeemer, refundTo } = deposit
  const asset = mustExist(deposit.asset, "the asset of the verified deposit")
  const back = block.height - 3n * timelock
  return {
    asset,
    secretHash,
    units,
    initiator: refundTo,
    redeemer,
    timelock,
    fromHeight: back > 0n ? back : 0n,
  }
}
