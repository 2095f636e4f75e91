import { z } from "zod"
import { type BlockHeader, encodeHeader, parseHeader } from "./block-header.ts"

/** Asks one Esplora server for a path below its base URL. Throws for any failure, and for a status other than 200. */
export type AskEsplora = (path: string) => Promise<string>

/** The most blocks of one answer of `/blocks/:height` (Esplora API.md); some servers list more. */
export const BLOCKS_PER_PAGE = 10

/** The server's own height; only a hint of how far to read. */
export async function readTipHeight(ask: AskEsplora): Promise<number> {
  return heightSchema.parse(JSON.parse(await ask("/blocks/tip/height")))
}

/**
 * Reads the headers from `from` to `to`, at most `BLOCKS_PER_PAGE`, in ascending order. The headers are built from the listed fields and
 * hashed here, so a wrong field shows as missing work.
 */
export async function readHeaders(ask: AskEsplora, from: number, to: number): Promise<readonly BlockHeader[]> {
  const blocks = blocksSchema.parse(JSON.parse(await ask(`/blocks/${to}`)))
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

/** The Merkle branch of a confirmed transaction, and the height at which the server places it. */
export async function readMerkleBranch(ask: AskEsplora, txid: string) {
  return branchSchema.parse(JSON.parse(await ask(`/tx/${txid}/merkle-proof`)))
}

export async function readRawTransaction(ask: AskEsplora, txid: string): Promise<string> {
  return hexSchema.parse((await ask(`/tx/${txid}/hex`)).trim())
}

const heightSchema = z.int().nonnegative()
const hexSchema = z.string().regex(/^(?:[0-9a-f]{2})+$/)
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
  .transform(({ block_height, merkle, pos }) => ({ height: block_height, branch: { position: pos, siblings: merkle } }))
