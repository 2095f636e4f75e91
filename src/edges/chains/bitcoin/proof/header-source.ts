import { z } from "zod"
import type { Endpoint } from "../nodes/endpoint.ts"
import { type BlockHeader, encodeHeader, parseHeader } from "./block-header.ts"

/** The questions to one Esplora server: `null` for 404, a transient error for any other failure. */
export type HeaderServer = Pick<Endpoint, "find">

/** The most blocks of one answer of `/blocks/:height` (Esplora API.md); some servers list more. */
export const BLOCKS_PER_PAGE = 10

/** The server's own height; only a hint of how far to read. */
export async function readTipHeight(server: HeaderServer): Promise<number> {
  return (await server.find("/blocks/tip/height", heightSchema)) ?? 0
}

/**
 * Reads the headers from `from` to `to`, at most `BLOCKS_PER_PAGE`, in ascending order. The headers
 * are built from the listed fields and hashed here, so a wrong field shows as missing work.
 */
export async function readHeaders(
  server: HeaderServer,
  from: number,
  to: number,
): Promise<readonly BlockHeader[]> {
  const blocks = (await server.find(`/blocks/${to}`, blocksSchema)) ?? []
  const byHeight = new Map(blocks.map((block) => [block.height, block]))
  const headers: BlockHeader[] = []
  for (let height = from; height <= to; height++) {
    const block = byHeight.get(height)
    const header = block === undefined ? null : parseHeader(encodeHeader(block))
    if (header === null) break
    headers.push(header)
  }
  return headers
}

/**
 * The Merkle branch of a confirmed transaction, and the height at which the server places it;
 * `null` while it is in no block.
 */
export async function readMerkleBranch(server: HeaderServer, txid: string) {
  return server.find(`/tx/${txid}/merkle-proof`, branchSchema)
}

const heightSchema = z.int().nonnegative()
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/)
const wordSchema = z.int().nonnegative().max(0xffff_ffff)

const blockSchema = z
  .object({
    height: heightSchema,
    version: z.int().min(-0x8000_0000).max(0xffff_ffff),
    timestamp: wordSchema,
    bits: wordSchema,
    nonce: wordSchema,
    merkle_root: hashSchema,
    previousblockhash: hashSchema.nullish(),
  })
  .transform(({ height, version, timestamp, bits, nonce, merkle_root, previousblockhash }) => ({
    height,
    version,
    time: timestamp,
    bits,
    nonce,
    merkleRoot: merkle_root,
    // The first block of a chain follows no other.
    previous: previousblockhash ?? "0".repeat(64),
  }))
const blocksSchema = z.array(blockSchema)

const branchSchema = z
  .object({ block_height: heightSchema, merkle: z.array(hashSchema), pos: z.int().nonnegative() })
  .transform(({ block_height, merkle, pos }) => ({
    height: block_height,
    branch: { position: pos, siblings: merkle },
  }))
