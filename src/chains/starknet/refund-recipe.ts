import { ANYBODY_REFUNDS, type RefundRecipe } from "#chains/family-definition.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { starknetExtras } from "./extras.ts"
import { formatFelt } from "./felt.ts"
import { SELECTORS } from "./htlc.ts"

export function describeStarknetRefund(deposit: VerifiedDeposit): RefundRecipe {
  const { orderId } = starknetExtras.parse(deposit.extras)
  return {
    who: ANYBODY_REFUNDS,
    when: `more than ${deposit.timelock} blocks after the initiation`,
    how: ['invoke `refund` of the contract from any account, for instance in the explorer\'s "write contract" view'],
    to: deposit.htlc,
    entrypoint: "refund",
    selector: formatFelt(SELECTORS.refund),
    calldata: [`0x${orderId}`],
  }
}
