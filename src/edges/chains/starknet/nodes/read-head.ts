import { z } from "zod"
import type { Question } from "#nodes/node-client.ts"
import { feltSchema, formatFelt } from "../felt.ts"

/** The question for a head tells neither `timeMs` nor `isOnL1`. */
export type Block = z.infer<typeof blockSchema>

/** The newest block of one endpoint, for an observation and for a probe. */
export function readHead(ask: Question): Promise<Block> {
  return ask("starknet_blockHashAndNumber", [], blockSchema)
}

/** The block that one endpoint has at a height, with its time. */
export function readNumbered(ask: Question, height: bigint): Promise<Block> {
  return ask("starknet_getBlockWithTxHashes", [{ block_number: Number(height) }], blockSchema)
}

const blockSchema = z
  .object({
    block_number: z.int().nonnegative(),
    block_hash: feltSchema,
    timestamp: z.int().optional(),
    status: z.unknown().optional(),
  })
  .transform(({ block_number, block_hash, timestamp, status }) => ({
    height: BigInt(block_number),
    hash: formatFelt(block_hash),
    timeMs: timestamp === undefined ? null : timestamp * 1_000,
    isOnL1: status === "ACCEPTED_ON_L1",
  }))
