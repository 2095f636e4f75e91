import type { AssetId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { findNonce } from "../keys/nonces.ts"
import { requireAddress, requireAsset, tokenOf, type Wallet } from "../wallet.ts"
import { type AllowanceSlot, findAllowanceSlot } from "./allowance-slot.ts"
import { toPlan } from "./plan.ts"
import { canReplaceApproval } from "./probe-approvals.ts"
import { parseUnsigned } from "./unsigned.ts"

/**
 * Can deposits of this asset be paired with their approvals? The token must let an approval replace
 * another one, and the node must simulate the deposit with the allowance that it will have. Both
 * are read once per process: a wrong answer costs fees, and no deposit.
 */
export async function canPairEvm(
  wallet: Wallet,
  asset: AssetId,
  spender: string,
): Promise<boolean> {
  return (await readPairing(wallet, asset, spender)) !== null
}

/**
 * The slot of the allowance by which a paired deposit is simulated; `null` where no pair is
 * possible. A failed read is asked again.
 */
export async function readPairing(
  wallet: Wallet,
  asset: AssetId,
  spenderText: string,
): Promise<AllowanceSlot | null> {
  const token = tokenOf(requireAsset(wallet, asset))
  if (token === null) return null
  const spender = requireAddress(spenderText)
  const name = `${token}/${spender}`
  const known = wallet.pairings.get(name)
  if (known !== undefined) return known
  try {
    const found = await wallet.rpc.read(async (client) => {
      if (!(await canReplaceApproval(client, token, spender))) return null
      return findAllowanceSlot(client, token, { owner: wallet.account, spender })
    })
    wallet.pairings.set(name, found)
    return found
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The node answered, and cannot do it.
    if (error.code === "evm.rpc") wallet.pairings.set(name, null)
    return null
  }
}

/** Both plans with the lowest two adjacent nonces that are free. */
export async function bindEvmPair(
  wallet: Wallet,
  plans: readonly [TransactionPlan, TransactionPlan],
  reserved: ReadonlySet<string>,
): Promise<readonly [TransactionPlan, TransactionPlan]> {
  const [first, second] = plans
  const nonce = await findNonce(wallet, "initiate", reserved, 2)
  return [withNonce(wallet, first, nonce), withNonce(wallet, second, nonce + 1)]
}

function withNonce(wallet: Wallet, plan: TransactionPlan, nonce: number): TransactionPlan {
  const tx = parseUnsigned(plan.unsigned)
  return tx.nonce === nonce ? plan : toPlan(wallet, plan, { ...tx, nonce })
}
