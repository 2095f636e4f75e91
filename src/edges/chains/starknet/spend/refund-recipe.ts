import { ANYBODY_REFUNDS, type RefundRecipe } from "#chains/family-definition.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { starknetExtras } from "../extras.ts"
import { formatFelt, readHexFelt } from "../felt.ts"
import { SELECTORS } from "../htlc.ts"

/**
 * The order id follows from known contracts, so the recipe says where the chain shows it. Where two
 * generations of contracts have different ids, the service's swap id tells which one this is; an id
 * that does not follow from the deposit is never printed.
 */
export function describeStarknetRefund(
  deposit: VerifiedDeposit,
  swapId: string | null,
): RefundRecipe {
  const { orderId, orderIds } = starknetExtras.parse(deposit.extras)
  const derived = [...new Set([...(orderId === null ? [] : [orderId]), ...orderIds])]
  const reported = swapId === null ? null : readHexFelt(swapId)
  const likely = derived.filter((id) => readHexFelt(id) === reported)
  const ids = [...new Set([...likely, ...derived])].map((id) => `0x${id}`)
  return {
    who: ANYBODY_REFUNDS,
    when: `more than ${deposit.timelock} blocks after the initiation`,
    how: [
      "read the order id from the deposit transaction: the second key of the contract's " +
        "`Initiated` event (or `InitiatedWithDestinationData`)",
      "check it with `get_order`: initiator, redeemer and amount are those of the deposit, " +
        "and `fulfilled_at` is 0",
      "invoke `refund` with that order id from any account, for instance in the explorer's " +
        '"write contract" view',
    ],
    to: deposit.htlc,
    entrypoint: "refund",
    selector: formatFelt(SELECTORS.refund),
    /** The likeliest id. */
    calldata: ids.slice(0, 1),
    possibleOrderIds: ids,
  }
}
