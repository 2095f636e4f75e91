import type { PastUse } from "#ports/account-uses.ts"
import { readAddress } from "../htlc.ts"
import { readAgreed } from "../nodes/agree.ts"
import type { At } from "../rpc.ts"
import { readCall } from "../spend/permit.ts"
import { type Wallet, withUrgentCaps } from "../wallet.ts"
import { findNonceUse } from "./find-nonce-use.ts"
import { readIncluded } from "./find-rival.ts"
import { findTransaction, isSignedWith } from "./read-transaction.ts"

/**
 * Reads the call of the transaction that used a nonce of ours. Its fields give its hash and our
 * signature, so no endpoint can invent one. `null` where no endpoint shows it, and where it makes
 * another call than Ballast.
 */
export async function readEvmUse(wallet: Wallet, resource: string): Promise<PastUse | null> {
  const nonce = Number(resource.slice("nonce:".length))
  const { use } = await readAgreed(wallet.rpc, async (at) => ({
    use: await readUseAt(at, wallet, nonce),
  }))
  return use
}

async function readUseAt(at: At, wallet: Wallet, nonce: number): Promise<PastUse | null> {
  const { client, height } = at
  const found = await findNonceUse(client, { address: wallet.account, nonce, head: height })
  const transaction = found === null ? null : await findTransaction(client, found.hash)
  if (transaction === null || !(await isSignedWith(transaction, wallet.account, nonce))) return null
  const to = readAddress(transaction.to ?? "")
  // Another type could do more: an EIP-7702 transaction sets the account's code.
  if (transaction.type !== "eip1559" || to === null) return null
  const call = readCall(wallet, { ...transaction, to, data: transaction.input })
  const included = await readIncluded(at, transaction.hash)
  if (call === null || included === null) return null
  const { maxFeePerGasUnits } = call.action === "redeem" ? withUrgentCaps(wallet) : wallet
  const isWithin =
    transaction.gas <= wallet.maxGasLimit && transaction.maxFeePerGas <= maxFeePerGasUnits
  return {
    txid: transaction.hash,
    action: call.action,
    feeUnits: isWithin ? included.feeUnits : null,
  }
}
