import type { TransactionPlan } from "#domain/transaction.ts"
import type { Wallet } from "../wallet.ts"
import { formatUnsigned, type UnsignedTx } from "./unsigned.ts"

/** The plan of an unsigned transaction. Deterministic: the same transaction gives the same plan. */
export function toPlan(
  wallet: Pick<Wallet, "chain" | "account">,
  {
    action,
    attempt,
    spends,
    fromHeight,
  }: Pick<TransactionPlan, "action" | "attempt" | "spends" | "fromHeight">,
  tx: UnsignedTx,
): TransactionPlan {
  return {
    chain: wallet.chain,
    account: wallet.account,
    action,
    attempt,
    ...formatUnsigned(tx),
    resources: [`nonce:${tx.nonce}`],
    spends,
    maxFeeUnits: tx.gas * tx.maxFeePerGas,
    fromHeight,
    // Signed bytes stay valid while their nonce is free.
    expiresAtHeight: null,
  }
}
