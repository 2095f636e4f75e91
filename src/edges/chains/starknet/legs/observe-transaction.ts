import { z } from "zod"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { encodeJson } from "#lib/json.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import type { Question } from "#nodes/node-client.ts"
import { feltSchema, formatFelt, readFelt } from "../felt.ts"
import { depthsFor, isDeepEnough, needsL1, type StarknetDepths } from "../finality.ts"
import { type Compared, compareViews } from "../nodes/compare-views.ts"
import { fetchNonce, isOnL1 } from "../nodes/read-chain.ts"
import type { View } from "../nodes/reference-block.ts"
import { RPC_CODES, rpcCodeOf } from "../rpc.ts"
import type { Wallet } from "../wallet.ts"
import { findStarknetNonceUse } from "./find-nonce-use.ts"

/**
 * Reports the state of one of our signed transactions: in a block, in the mempool, excluded or
 * unseen. `excluded` names the transaction that used our nonce, read from its block. Each endpoint
 * is asked about the same block, and `final` needs their agreement.
 */
export async function observeStarknetTransaction(
  wallet: Wallet,
  transaction: SignedTransaction,
  stakeFiat?: bigint | null,
): Promise<TransactionObservation> {
  const { observation } = await locateTransaction(wallet, transaction, stakeFiat)
  return observation
}

/** The same with the height of the block that contains the transaction or its rival. */
export async function locateTransaction(
  wallet: Wallet,
  transaction: SignedTransaction,
  stakeFiat?: bigint | null,
): Promise<{ readonly observation: TransactionObservation; readonly height: bigint | null }> {
  const depths = depthsFor(wallet.finality, stakeFiat)
  // They begin beside the newest block: a transaction that still waits takes one request.
  const begun = new Map(wallet.rpc.nodes.map(({ ask }) => [ask, beginRead(ask, transaction.txid)]))
  const compared = await compareViews(
    wallet.rpc,
    (view) => {
      const read = begun.get(view.ask) ?? beginRead(view.ask, transaction.txid)
      return readAt(wallet, view, transaction, { ...read, askL1: needsL1(depths) })
    },
    ({ onL1: _, ...reading }) => encodeJson(reading),
  )
  const reading = compared.status === "split" ? leastFinal(compared.values) : compared.value
  return {
    observation: describe(wallet, compared, reading, depths),
    height: reading.height ?? null,
  }
}

/**
 * One endpoint's sight of a transaction. `height` and `blockHash` are those of the transaction's
 * own block, or of its rival's.
 */
type Reading =
  | { readonly status: "unseen"; readonly onL1: false; readonly height?: undefined }
  | { readonly status: "pending"; readonly onL1: false; readonly height?: undefined }
  | {
      readonly status: "mined"
      readonly ok: boolean
      readonly feeUnits: bigint
      readonly height: bigint
      readonly blockHash: string
      readonly onL1: boolean
    }
  | {
      readonly status: "excluded"
      readonly by: string
      readonly isVoid: boolean
      readonly height: bigint
      readonly blockHash: string
      readonly onL1: boolean
    }

async function readAt(
  wallet: Wallet,
  view: View,
  { raw, txid }: SignedTransaction,
  { asked, early, askL1 }: ReturnType<typeof beginRead> & { readonly askL1: boolean },
): Promise<Reading> {
  const status = await asked
  if (status === "accepted") return readMined(view, txid, askL1, await early)
  if (status === "waiting") return { status: "pending", onL1: false }
  const nonce = nonceOf(raw)
  if (((await fetchNonce(view, wallet.accountFelt)) ?? 0n) <= nonce)
    return { status: "unseen", onL1: false }
  const user = await findStarknetNonceUse(
    view,
    { felt: wallet.accountFelt, chainId: wallet.chainId },
    nonce,
  )
  // Another backend of the same endpoint did not know it yet.
  if (readFelt(user.txid) === readFelt(txid)) return readMined(view, txid, askL1, null)
  const { txid: by, height, blockHash, calls } = user
  const isVoid = calls?.length === 0
  return {
    status: "excluded",
    by,
    isVoid,
    height,
    blockHash,
    onL1: askL1 && (await isOnL1(view, user)),
  }
}

export const receiptSchema = z.object({
  execution_status: z.enum(["SUCCEEDED", "REVERTED"]),
  actual_fee: z.object({ amount: feltSchema }),
  // Absent while the block is pre-confirmed.
  block_hash: feltSchema.optional(),
  block_number: z.int().nonnegative().optional(),
  events: z.array(
    z
      .object({ from_address: feltSchema, keys: z.array(feltSchema), data: z.array(feltSchema) })
      .transform(({ from_address, keys, data }) => ({ from: from_address, keys, data })),
  ),
})

export const RECEIPT = "starknet_getTransactionReceipt"
const statusSchema = z.object({ finality_status: z.string() })
const ACCEPTED: readonly string[] = ["ACCEPTED_ON_L2", "ACCEPTED_ON_L1"]

/** A receipt that does not come is asked for again. */
function beginRead(ask: Question, txid: string) {
  return {
    asked: ignoreUnhandled(readStatus(ask, txid)),
    early: ask(RECEIPT, [txid], receiptSchema).catch(() => null),
  }
}

async function readStatus(
  ask: Question,
  txid: string,
): Promise<"accepted" | "waiting" | "missing"> {
  try {
    const { finality_status: status } = await ask(
      "starknet_getTransactionStatus",
      [txid],
      statusSchema,
    )
    if (ACCEPTED.includes(status)) return "accepted"
    return status === "REJECTED" ? "missing" : "waiting"
  } catch (error) {
    if (rpcCodeOf(error) === RPC_CODES.transactionNotFound) return "missing"
    throw error
  }
}

function nonceOf(raw: string): bigint {
  return BigInt(z.object({ nonce: z.string() }).parse(JSON.parse(raw)).nonce)
}

/** A block above the reference block counts as the mempool. */
async function readMined(
  view: View,
  txid: string,
  askL1: boolean,
  early: z.infer<typeof receiptSchema> | null,
): Promise<Reading> {
  const receipt = early ?? (await view.read(RECEIPT, [txid], receiptSchema))
  const { block_number: number, block_hash: hash } = receipt
  if (number === undefined || hash === undefined || BigInt(number) > view.block.height)
    return { status: "pending", onL1: false }
  const place = { height: BigInt(number), blockHash: formatFelt(hash) }
  return {
    status: "mined",
    ok: receipt.execution_status === "SUCCEEDED",
    feeUnits: receipt.actual_fee.amount,
    ...place,
    onL1: askL1 && (await isOnL1(view, place)),
  }
}

/**
 * Where endpoints contradict each other, the answer that ends the least: a transaction in a block,
 * then one on its way.
 */
function leastFinal(readings: readonly Reading[]): Reading {
  const order = ["mined", "pending", "unseen"]
  const found = order
    .map((status) => readings.find((reading) => reading.status === status))
    .find((reading) => reading !== undefined)
  return found ?? readings[0] ?? { status: "unseen", onL1: false }
}

function describe(
  wallet: Wallet,
  compared: Compared<Reading>,
  reading: Reading,
  depths: StarknetDepths,
): TransactionObservation {
  if (reading.status === "unseen" || reading.status === "pending") return { status: reading.status }
  const confirmations = Number(compared.block.height - reading.height) + 1
  const backed =
    compared.status === "split" ? 0 : compared.supporters.filter(({ onL1 }) => onL1).length
  const depth = { confirmations, onL1: backed >= wallet.rpc.needed }
  const final = compared.status === "agreed" && isDeepEnough(depths.ending, depth)
  if (reading.status === "excluded")
    return {
      status: "excluded",
      by: reading.by,
      final,
      ...(reading.isVoid ? { isVoid: true } : {}),
    }
  const { ok, height, feeUnits } = reading
  const seen = compared.status !== "split" && isDeepEnough(depths.seen, depth)
  const alone = compared.status === "agreed" ? {} : { isAlone: true as const }
  return { status: "mined", ok, height, confirmations, seen, final, feeUnits, ...alone }
}
