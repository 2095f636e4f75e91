/** Our own address in a backtest, which has no real addresses. */
export const OURS = "ours"
