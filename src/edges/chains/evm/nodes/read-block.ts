import type { Hex } from "viem"
import { z } from "zod"
import type { EvmClient } from "./endpoint.ts"

/** A block as one endpoint shows it. `transactions`: the hashes of its transactions. */
export type Block = {
  readonly height: bigint
  readonly hash: Hex
  readonly baseFeePerGas: bigint | null
  readonly transactions: readonly Hex[]
  /** By the block's own clock; `null` where the endpoint does not name it. */
  readonly timeMs: number | null
}

/**
 * Reads the header of a block, or of the newest one with that tag; `null` where the endpoint has
 * none.
 */
export async function readBlock(
  { request }: Pick<EvmClient, "request">,
  block: bigint | "latest" | "safe" | "finalized",
): Promise<Block | null> {
  // CAST: a quantity of JSON-RPC.
  const name = typeof block === "bigint" ? (`0x${block.toString(16)}` as Hex) : block
  const answer: unknown = await request({ method: "eth_getBlockByNumber", params: [name, false] })
  if (answer === null) return null
  const { number, hash, baseFeePerGas = null, transactions, timestamp } = schema.parse(answer)
  const timeMs = timestamp ? Number(timestamp) * 1_000 : null
  return { height: number, hash, baseFeePerGas, transactions, timeMs }
}

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform(BigInt)
const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  // CAST: the regular expression above demands this form.
  .transform((text) => text.toLowerCase() as Hex)
const schema = z.object({
  number: quantity,
  hash,
  baseFeePerGas: quantity.nullish(),
  transactions: z.array(hash),
  timestamp: quantity.nullish(),
})

/** A transaction in a block, by a receipt or an event. */
export type TransactionPlace = {
  readonly txid: Hex
  readonly height: bigint
  readonly blockHash: Hex
}

/**
 * Does the endpoint's own chain, which has `read` at this height, contain this transaction in this
 * block? An orphaned block keeps its number, and not its hash.
 */
export async function isCanonical(
  read: Promise<Block | null> | Block,
  place: TransactionPlace,
): Promise<boolean> {
  const block = await read
  if (block === null || block.height !== place.height) return false
  return block.hash === place.blockHash.toLowerCase() && block.transactions.includes(place.txid)
}
