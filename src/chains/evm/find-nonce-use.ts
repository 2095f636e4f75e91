import type { Address, Hex } from "viem"
import type { EvmClient } from "./rpc.ts"

/**
 * The transaction by which an account used one of its nonces: proof that another one with this nonce can never land.
 *
 * The block is found by the account's transaction count at older and older heights (steps that double), then by bisection. `null` when the
 * node no longer has those states, or when the nonce was used without a transaction of its own (an EIP-7702 authorisation).
 */
export async function findNonceUse(client: EvmClient, query: NonceQuery): Promise<NonceUse | null> {
  const blockNumber = await findBlock(client, query)
  if (blockNumber === null) return null
  const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
  const mine = transactions.find(
    ({ from, nonce }) => from.toLowerCase() === query.address.toLowerCase() && nonce === query.nonce,
  )
  return mine === undefined ? null : { hash: mine.hash, height: blockNumber }
}

export type NonceQuery = { readonly address: Address; readonly nonce: number; readonly head: bigint }
export type NonceUse = { readonly hash: Hex; readonly height: bigint }

/** The first block after which the count is above the nonce. */
async function findBlock(client: EvmClient, { address, nonce, head }: NonceQuery): Promise<bigint | null> {
  const isUsedAt = async (blockNumber: bigint): Promise<boolean | null> => {
    // A state that cannot be read is an answer of its own here.
    const count = await client.getTransactionCount({ address, blockNumber }).catch(() => null)
    return count === null ? null : count > nonce
  }
  let used = head
  if ((await isUsedAt(used)) !== true) return null
  let unused: bigint | null = null
  let grows = true
  for (let step = 1n; unused === null; ) {
    const height: bigint = used > step ? used - step : 0n
    const isUsed = await isUsedAt(height)
    if (isUsed === null) {
      // Beyond the states that this node keeps: from here on in smaller steps.
      if (step === 1n) return null
      grows = false
      step /= 2n
    } else if (!isUsed) {
      unused = height
    } else {
      if (height === 0n) return null
      used = height
      if (grows) step *= 2n
    }
  }
  while (used - unused > 1n) {
    const middle = (used + unused) / 2n
    const isUsed = await isUsedAt(middle)
    if (isUsed === null) return null
    if (isUsed) used = middle
    else unused = middle
  }
  return used
}
