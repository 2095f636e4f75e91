import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import type { RestClient } from "#nodes/rest-client.ts"

type Paths = Pick<RestClient, "find" | "read">

/** For the daemon and its probes. `blocks`: highest first; none where the server lists none. */
export async function readNewest({ find, read }: Paths, listsBlocks = true) {
  const blocks = listsBlocks ? await find("/blocks", newestSchema).catch(ignoreForm) : null
  const height = blocks?.[0]?.height ?? (await read("/blocks/tip/height", wholeSchema))
  return { height, blocks: blocks ?? [] }
}

/** The hash of the block at this height; `null` where the server has none. */
export function findBlockHash({ find }: Pick<Paths, "find">, height: bigint) {
  return find(`/block-height/${height}`, hashText)
}

/** Its time in milliseconds, as its miner wrote it. */
export async function findBlockMs(paths: Pick<Paths, "find">, height: bigint) {
  const hash = await findBlockHash(paths, height)
  return hash === null ? null : paths.find(`/block/${hash}`, blockTimeSchema)
}

export const hashText = z.string().regex(/^[0-9a-f]{64}$/)
export const wholeSchema = z.int().nonnegative().transform(BigInt)

const timeMs = z.int().transform((seconds) => seconds * 1_000)
const blockTimeSchema = z.object({ timestamp: timeMs }).transform(({ timestamp }) => timestamp)
const optionalMs = timeMs.nullable().catch(null)
const newSchema = z.object({ id: hashText, height: wholeSchema, timestamp: optionalMs })

/** `null` for any other answer. */
const newestSchema = z
  .array(newSchema.transform(({ id, height, timestamp }) => ({ id, height, timeMs: timestamp })))
  .refine((blocks) => blocks.every(({ height }, at) => blocks[0]?.height === height + BigInt(at)))
  .nullable()
  .catch(null)

/** Some servers have no such list, and say so in many ways. */
function ignoreForm(error: unknown): null {
  if (error instanceof AppError && error.code === "bitcoin.esplora_answer") return null
  throw error
}
