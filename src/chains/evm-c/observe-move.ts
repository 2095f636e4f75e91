import {
  type Address,
  type Hex,
  type PublicClient,
  parseTransaction,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem"
import type { MoveObservation, SignedMove } from "#domain/move.ts"
import type { EvmRpc } from "./rpc.ts"

/** What the chain says of one of our transactions. A nonce that something else used is the proof that it can never land. */
export async function observeMove(
  context: { readonly rpc: EvmRpc; readonly account: Address; readonly confirmations: number },
  move: SignedMove,
): Promise<MoveObservation> {
  const { rpc, account, confirmations } = context
  // CAST: our own transaction hash.
  const hash = move.txid as Hex
  const found = await rpc.read((client) => lookUp(client, hash, confirmations))
  if (found !== null) return found
  // CAST: our own serialisation.
  const nonce = parseTransaction(move.plan.unsigned as Hex).nonce ?? 0
  const used = await rpc.read((client) => client.getTransactionCount({ address: account, blockTag: "latest" }))
  if (used <= nonce) return { status: "unseen" }
  // One node may lag behind another: nothing is called excluded before every node was asked for the receipt.
  for (const client of rpc.clients) {
    const late = await rpc.read(() => lookUp(client, hash, confirmations))
    if (late !== null) return late
  }
  return { status: "excluded", by: "another transaction with the same nonce", final: await usedFinally(context, nonce) }
}

async function lookUp(client: PublicClient, hash: Hex, confirmations: number): Promise<MoveObservation | null> {
  const receipt = await findReceipt(client, hash)
  if (receipt === null) return (await isKnown(client, hash)) ? { status: "pending" } : null
  const depth = Number((await client.getBlockNumber()) - receipt.blockNumber) + 1
  return {
    status: "mined",
    ok: receipt.status === "success",
    height: receipt.blockNumber,
    confirmations: depth,
    final: depth >= confirmations,
    feeUnits: receipt.gasUsed * receipt.effectiveGasPrice,
  }
}

/** `null` when the node has no receipt; throws when it cannot say. */
export async function findReceipt(client: PublicClient, hash: Hex) {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null
    throw error
  }
}

async function isKnown(client: PublicClient, hash: Hex): Promise<boolean> {
  try {
    await client.getTransaction({ hash })
    return true
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return false
    throw error
  }
}

/** Was the nonce used deep enough? Where the node keeps no such history, only a depth of one can be proven. */
async function usedFinally(
  { rpc, account, confirmations }: Parameters<typeof observeMove>[0],
  nonce: number,
): Promise<boolean> {
  return rpc.read(async (client) => {
    const head = await client.getBlockNumber()
    const blockNumber = head - BigInt(confirmations) + 1n
    if (blockNumber < 0n) return false
    try {
      return (await client.getTransactionCount({ address: account, blockNumber })) > nonce
    } catch {
      // No state that old: not proven, so asked again later.
      return confirmations <= 1
    }
  })
}
