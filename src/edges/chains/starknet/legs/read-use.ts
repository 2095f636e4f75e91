import { AppError } from "#lib/app-error.ts"
import type { PastUse } from "#ports/account-uses.ts"
import { readAgreed } from "../nodes/compare-views.ts"
import type { View } from "../nodes/reference-block.ts"
import { readSafeAction } from "../spend/permit.ts"
import { type Wallet, withUrgentCap } from "../wallet.ts"
import { findStarknetNonceUse, type StarknetNonceUse } from "./find-nonce-use.ts"
import { receiptSchema } from "./observe-transaction.ts"

/**
 * Reads the transaction that used a nonce of ours, as far as it pays only us. Its hash is computed
 * again from its fields. `null`: no endpoint shows it, or it does more.
 */
export async function readStarknetUse(wallet: Wallet, resource: string): Promise<PastUse | null> {
  const nonce = BigInt(resource.slice("nonce:".length))
  const { use } = await readAgreed(wallet.rpc, async (view) => ({
    use: await readUseAt(view, wallet, nonce),
  }))
  return use
}

async function readUseAt(view: View, wallet: Wallet, nonce: bigint): Promise<PastUse | null> {
  const found = await findUse(view, wallet, nonce)
  const action = found?.calls ? readSafeAction(wallet, found.calls) : null
  if (found === null || action === null) return null
  const receipt = await view.read("starknet_getTransactionReceipt", [found.txid], receiptSchema)
  const { maxFeeUnits } = action === "redeem" ? withUrgentCap(wallet) : wallet
  const feeUnits = receipt.actual_fee.amount
  return { txid: found.txid, action, feeUnits: feeUnits <= maxFeeUnits ? feeUnits : null }
}

async function findUse(
  view: View,
  wallet: Wallet,
  nonce: bigint,
): Promise<StarknetNonceUse | null> {
  try {
    return await findStarknetNonceUse(
      view,
      { felt: wallet.accountFelt, chainId: wallet.chainId },
      nonce,
    )
  } catch (error) {
    if (error instanceof AppError && error.code === "starknet.rival_unknown") return null
    throw error
  }
}
