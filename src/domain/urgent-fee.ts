/**
 * Where a told secret is at stake and the payout's lock nearly ends, a redemption may pay this many times the configured fee cap: a fee is smaller
 * than the loss of the deposit.
 */
export const URGENT_FEE_FACTOR = 50n
