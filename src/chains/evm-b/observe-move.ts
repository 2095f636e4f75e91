import { type Hex, isHex } from "viem"
import type { MoveObservation, SignedMove } from "#domain/move.ts"
import { assert } from "#lib/assert.ts"
import { type Client, firstFailure, nullWhenMissing, type Rpc } from "./rpc.ts"
import { parseUnsigned } from "./unsigned.ts"
import type { Wallet } from "./wallet.ts"

/**
 * What the chain says of one signed transaction, asked of every endpoint; the most that one of them knows counts.
 *
 * `excluded` is final when every configured endpoint shows the nonce as used up at the configured depth and knows no receipt of
 * ours: while one is away, what the move reserves stays reserved.
 */
export async function observeMove(move: SignedMove, wallet: Wallet, rpc: Rpc): Promise<MoveObservation> {
  const { txid } = move
  assert(isHex(txid), "a transaction id is hex", { txid })
  const { nonce } = parseUnsigned(move.plan)
  const answers = await rpc.readEach((client) => look(client, wallet, txid, nonce))
  const seen = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
  const [best] = seen.toSorted((a, b) => RANK.indexOf(a.status) - RANK.indexOf(b.status))
  if (best === undefined) throw firstFailure(answers)
  if (best.status !== "excluded") return best
  const proven = seen.length === answers.length && seen.every((each) => each.status === "excluded" && each.final)
  return { ...best, final: proven }
}

/** `confirmations` counts from 1; a node whose head is behind the block has just seen it. */
export function confirmationsAt(height: bigint, head: bigint): number {
  return head < height ? 1 : Number(head - height) + 1
}

const RANK = ["mined", "pending", "excluded", "unseen"]

async function look(client: Client, wallet: Wallet, hash: Hex, nonce: number): Promise<MoveObservation> {
  const mined = await findMined(client, wallet, hash)
  if (mined !== null) return mined
  if ((await nullWhenMissing(client.getTransaction({ hash }))) !== null) return { status: "pending" }
  const used = await client.getTransactionCount({ address: wallet.account, blockTag: "latest" })
  if (used <= nonce) return { status: "unseen" }
  // It may have been mined between the two reads above.
  const late = await findMined(client, wallet, hash)
  return late ?? { status: "excluded", by: "unknown", final: await isUsedUpDeeply(client, wallet, nonce) }
}

async function findMined(client: Client, wallet: Wallet, hash: Hex): Promise<MoveObservation | null> {
  const receipt = await nullWhenMissing(client.getTransactionReceipt({ hash }))
  if (receipt === null) return null
  const confirmations = confirmationsAt(receipt.blockNumber, await client.getBlockNumber())
  return {
    status: "mined",
    ok: receipt.status === "success",
    height: receipt.blockNumber,
    confirmations,
    final: confirmations >= wallet.confirmations,
    feeUnits: receipt.gasUsed * receipt.effectiveGasPrice,
  }
}

async function isUsedUpDeeply(client: Client, wallet: Wallet, nonce: number): Promise<boolean> {
  if (wallet.confirmations <= 1) return true
  const blockNumber = (await client.getBlockNumber()) - BigInt(wallet.confirmations) + 1n
  if (blockNumber < 0n) return false
  try {
    return (await client.getTransactionCount({ address: wallet.account, blockNumber })) > nonce
  } catch {
    // Many nodes keep no past state. Without that proof it is simply not final yet.
    return false
  }
}
