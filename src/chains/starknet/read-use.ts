import { AppError } from "#lib/app-error.ts"
import { readAgreed } from "./compare-views.ts"
import { findStarknetNonceUse, type StarknetNonceUse } from "./find-nonce-use.ts"
import { readSafeAction, type SafeAction } from "./permit.ts"
import type { View } from "./reference-block.ts"
import type { Wallet } from "./wallet.ts"

/** Reads the transaction that used a nonce of ours, as far as it pays only us. Its hash is computed again from its fields. `null`: no endpoint shows it, or it does more. */
export async function readStarknetUse(
  wallet: Wallet,
  resource: string,
): Promise<{ readonly txid: string; readonly action: SafeAction } | null> {
  const nonce = BigInt(resource.slice("nonce:".length))
  const use = await readAgreed(wallet.rpc, (view) => findUse(view, wallet, nonce))
  const action = use?.calls ? readSafeAction(wallet, use.calls) : null
  return use === null || action === null ? null : { txid: use.txid, action }
}

async function findUse(view: View, wallet: Wallet, nonce: bigint): Promise<StarknetNonceUse | null> {
  try {
    return await findStarknetNonceUse(view, { felt: wallet.accountFelt, chainId: wallet.chainId }, nonce)
  } catch (error) {
    if (error instanceof AppError && error.code === "starknet.rival_unknown") return null
    throw error
  }
}
