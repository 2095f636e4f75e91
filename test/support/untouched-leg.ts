/** What the service reports of a leg without a transaction, beside its terms. */
export const UNTOUCHED_LEG = {
  delegate: null,
  filledUnits: 0n,
  secret: null,
  initiateTx: null,
  redeemTx: null,
  refundTx: null,
  instantRefundTx: null,
  requiredConfirmations: 1,
  currentConfirmations: 0,
} as const
