import type { Reason } from "#domain/reason.ts"
import { agreedEnd, type OrderData, wasRefundSigned } from "./data.ts"
import { abilitiesOf } from "./kinds/registry.ts"

/**
 * Why an operator's redemption is not possible, with the next step; `null` where the secret is told
 * and the payout may be open. Pure.
 */
export function refuseRedemption(data: OrderData): Reason | null {
  const { ownSecret } = data
  if (abilitiesOf(data).redeem === "voucher") return refuseWithVoucher(data)
  const status = ownSecret?.status ?? null
  if (status === null) return CHOSEN_BY_SERVICE
  // The signature of a refund decided it in the journal.
  if (status === "unknown" && wasRefundSigned(data)) return REFUSALS.withheld
  if (status !== "revealed") return REFUSALS[status]
  return isOpen(data) ? null : REDEEMED
}

function refuseWithVoucher(data: OrderData): Reason | null {
  if (data.voucher === undefined) return NO_VOUCHER
  return isOpen(data) ? null : REDEEMED
}

function isOpen({ seen, transactions }: OrderData): boolean {
  return agreedEnd(seen.destinationRedeemed) === null && transactions.redeem.mined === null
}

const NO_VOUCHER: Reason = {
  code: "route.no_voucher",
  message:
    "The route has not given what the payout is taken with: Ballast redeems it as soon as it " +
    "does; `ballast order ID` shows why it waits",
}
const CHOSEN_BY_SERVICE: Reason = {
  code: "secret.chosen_by_service",
  message:
    "The service chose this order's secret, so Ballast cannot redeem the payout: contact the " +
    "service",
}
const REDEEMED: Reason = {
  code: "secret.payout_redeemed",
  message: "A block already shows the payout's redemption: wait until it is final",
}
const REFUSALS: Readonly<Record<"unknown" | "withheld" | "lost", Reason>> = {
  unknown: {
    code: "secret.unrevealed",
    message:
      "A redemption would tell this order's secret, and the payout is not proven yet: " +
      "Ballast tells it once it is; `ballast order ID` shows the missing proof",
  },
  withheld: {
    code: "secret.withheld",
    message: "Ballast never tells this order's secret: the deposit waits for its refund",
  },
  lost: {
    code: "secret.lost",
    message:
      "The solver took the payout back, so nothing is left to redeem: the deposit waits for " +
      "its refund",
  },
}
