import { ComputeBudgetProgram } from "@solana/web3.js"
import type { TransactionPlan } from "#domain/transaction.ts"
import {
  isComputeBudget,
  type ReadInstruction,
  type ReadTransaction,
} from "../legs/read-transaction.ts"
import type { RouteCall } from "./route-key.ts"

export type RouteParts = {
  readonly transaction: ReadTransaction
  readonly call: ReadInstruction
  /** In micro-lamports per compute unit. */
  readonly price: bigint
}

/**
 * Why the message is not the one that its call allows; `null` if it is. A table of addresses leaves
 * the bytes open, so each part is compared in place of all bytes. Pure.
 */
export function findRouteProblem(
  plan: TransactionPlan,
  route: RouteCall,
  { transaction, call, price }: RouteParts,
): string | null {
  if (route.action !== plan.action) return `its call is to ${route.action}`
  if (textOf(route.spends) !== textOf(plan.spends))
    return "it transfers a different amount than planned"
  const { header, staticAccountKeys } = transaction.message
  const isOurs = staticAccountKeys[0]?.toBase58() === plan.account
  if (!isOurs || header.numRequiredSignatures !== route.signers)
    return "it has other signers than its action"
  const hasLookups = call.accounts.some(({ address }) => address === null)
  if (transaction.unusedAccounts.length > 0 || (hasLookups && !route.takesTable))
    return "it locks accounts that its action does not need"
  const budget = transaction.instructions.filter(isComputeBudget).map(({ data }) => toHex(data))
  return route.unitLimits.some((limit) => budget.join() === budgetOf(limit, price).join())
    ? null
    : "its compute budget differs from that of its action"
}

function textOf(spends: TransactionPlan["spends"]): string {
  return spends.map(({ asset, units }) => `${asset} ${units}`).join()
}

function budgetOf(unitLimit: bigint, price: bigint): readonly string[] {
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: Number(unitLimit) }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }),
  ].map(({ data }) => toHex(data))
}

function toHex(data: Uint8Array): string {
  return Buffer.from(data).toString("hex")
}
