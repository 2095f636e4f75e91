import { readFileSync } from "node:fs"
import { z } from "zod"
import { type BlockHeader, parseHeader } from "#chains/bitcoin/proof/block-header.ts"
import { type HeaderChain, startChain } from "#chains/bitcoin/proof/header-chain.ts"
import { mustExist } from "#lib/assert.ts"

/**
 * Headers and a Merkle branch of the Bitcoin main network: the one chain that cannot be imitated.
 */

const rowSchema = z.object({ height: z.int(), hash: z.string(), raw: z.string() })
const runSchema = z.object({ periodStart: rowSchema, headers: z.array(rowSchema) })
const fileSchema = z.object({
  acrossRetarget: runSchema,
  fork: runSchema.extend({ stale: rowSchema }),
  retargets: z.array(z.object({ first: rowSchema, last: rowSchema, next: rowSchema })),
  inclusions: z.array(
    z.object({
      height: z.int(),
      header: z.string(),
      raw: z.string(),
      txid: z.string(),
      position: z.int(),
      siblings: z.array(z.string()),
    }),
  ),
})

export type Row = z.infer<typeof rowSchema>
export const MAIN = fileSchema.parse(
  JSON.parse(readFileSync("test/fixtures/bitcoin-headers.json", "utf8")),
)

export function headerOf({ raw }: { raw: string }): BlockHeader {
  return mustExist(parseHeader(Buffer.from(raw, "hex")), "80 bytes")
}

/**
 * A chain that ends with the first of the run's headers. The fixture has only the first header of
 * the period and those at its end; the ones between, which no rule reads, are copies of the last.
 */
export function chainBefore({
  periodStart,
  headers,
}: {
  periodStart: Row
  headers: readonly Row[]
}): HeaderChain {
  const last = mustExist(headers[0], "a header")
  const between = last.height - periodStart.height
  const chain = startChain(periodStart.height, headerOf(periodStart))
  return {
    ...chain,
    headers: [...chain.headers, ...Array.from({ length: between }, () => headerOf(last))],
  }
}
