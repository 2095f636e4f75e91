import type { Pending } from "./pending.ts"

/** How a wallet's balance on chain compares with the ledger's, as far as what is under way allows to say. */
export type BalanceVerdict = "agrees" | "unsettled" | "surplus" | "missing"

/**
 * `missing`: less than anything under way can explain · `surplus`: more, and nothing is under way, so that it came from outside ·
 * `unsettled`: what is under way may explain it, or hides how much it is. To the unit; nothing is rounded away. Pure.
 */
export function judgeBalance(ledgerUnits: bigint, chainUnits: bigint, pending: Pending): BalanceVerdict {
  const difference = chainUnits - ledgerUnits
  if (difference === 0n) return "agrees"
  if (difference < -pending.outUnits) return "missing"
  return difference > 0n && isQuiet(pending) ? "surplus" : "unsettled"
}

export function isQuiet({ inUnits, outUnits }: Pending): boolean {
  return inUnits === 0n && outUnits === 0n
}
