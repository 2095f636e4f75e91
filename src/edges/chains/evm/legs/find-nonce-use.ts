import type { Address, Hex } from "viem"
import type { EvmClient } from "../nodes/endpoint.ts"

/**
 * Finds the transaction by which an account used one of its nonces: proof that no other transaction
 * with this nonce can land.
 *
 * Finds the block by the account's transaction count at older and older heights (doubling steps),
 * then by bisection. `null` if the node no longer has those states, or if no transaction of the
 * account used the nonce (an EIP-7702 authorisation).
 */
export async function findNonceUse(client: EvmClient, query: NonceQuery): Promise<NonceUse | null> {
  const blockNumber = await findBlock(client, query)
  if (blockNumber === null) return null
  const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
  const user = transactions.find(
    ({ from, nonce }) =>
      from.toLowerCase() === query.address.toLowerCase() && nonce === query.nonce,
  )
  return user === undefined ? null : { hash: user.hash, height: blockNumber }
}

type NonceQuery = { readonly address: Address; readonly nonce: number; readonly head: bigint }
type NonceUse = { readonly hash: Hex; readonly height: bigint }

type IsUsedAt = (height: bigint) => Promise<boolean | null>

/** Finds the first block after which the transaction count is above the nonce. */
async function findBlock(
  client: EvmClient,
  { address, nonce, head }: NonceQuery,
): Promise<bigint | null> {
  const isUsedAt: IsUsedAt = async (blockNumber) => {
    // A node may lack an old state; then the count is `null`.
    const count = await client.getTransactionCount({ address, blockNumber }).catch(() => null)
    return count === null ? null : count > nonce
  }
  if ((await isUsedAt(head)) !== true) return null
  const range = await findRange(isUsedAt, head)
  return range === null ? null : bisect(isUsedAt, range)
}

/** The nonce is used at height `used`, and not yet at height `unused`. */
type Range = { readonly unused: bigint; readonly used: bigint }

async function findRange(isUsedAt: IsUsedAt, head: bigint): Promise<Range | null> {
  let used = head
  let step = 1n
  while (used > 0n) {
    const height = used > step ? used - step : 0n
    const isUsed = await isUsedAt(height)
    if (isUsed === false) return { unused: height, used }
    if (isUsed === null) {
      // The node does not keep this state: continue with smaller steps.
      if (step === 1n) return null
      step /= 2n
    } else {
      used = height
      step *= 2n
    }
  }
  return null
}

async function bisect(isUsedAt: IsUsedAt, { unused, used }: Range): Promise<bigint | null> {
  if (used - unused === 1n) return used
  const middle = (used + unused) / 2n
  const isUsed = await isUsedAt(middle)
  if (isUsed === null) return null
  return bisect(isUsedAt, isUsed ? { unused, used: middle } : { unused: middle, used })
}
