import type { Pending } from "./pending.ts"

/**
 * The result of comparing a wallet's balance on chain with the ledger, as far as orders in flight
 * allow a judgement.
 */
type BalanceVerdict = "agrees" | "unsettled" | "surplus" | "missing"

/**
 * `missing`: fewer units than orders in flight can explain · `surplus`: more units and no order in
 * flight, so they came from outside · `unsettled`: orders in flight may explain the difference, or
 * hide its size. Exact to the unit. Pure.
 */
export function judgeBalance(
  ledgerUnits: bigint,
  chainUnits: bigint,
  pending: Pending,
): BalanceVerdict {
  const difference = chainUnits - ledgerUnits
  if (difference === 0n) return "agrees"
  if (difference < -pending.outUnits) return "missing"
  return difference > 0n && isQuiet(pending) ? "surplus" : "unsettled"
}

export function isQuiet({ inUnits, outUnits }: Pending): boolean {
  return inUnits === 0n && outUnits === 0n
}
