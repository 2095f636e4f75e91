import { ComputeBudgetProgram, VersionedTransaction } from "@solana/web3.js"
import { z } from "zod"

const LAMPORTS_PER_SIGNATURE = 5_000
const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3
/**
 * Without a limit of its own an instruction may use so much (Agave,
 * `DEFAULT_INSTRUCTION_COMPUTE_UNIT_LIMIT`).
 */
const DEFAULT_UNIT_LIMIT = 200_000

const receipt = z.looseObject({
  transaction: z.tuple([z.string(), z.literal("base64")]),
  meta: z.looseObject({ fee: z.number() }),
})
const answer = z.looseObject({ result: receipt })

/**
 * The answer of `getTransaction` with the whole fee. Surfpool 1.5.0 charges the priority fee, and
 * names only that of the signatures in `meta.fee`; a validator names both. Everything else passes
 * as it is.
 */
export function correctFee(text: string): string {
  const parsed = answer.safeParse(parse(text))
  if (!parsed.success) return text
  const { transaction, meta } = parsed.data.result
  const { message, signatures } = VersionedTransaction.deserialize(
    Buffer.from(transaction[0], "base64"),
  )
  if (meta.fee !== signatures.length * LAMPORTS_PER_SIGNATURE) return text
  const program = ComputeBudgetProgram.programId
  const settings = message.compiledInstructions.filter(({ programIdIndex }) =>
    message.staticAccountKeys[programIdIndex]?.equals(program),
  )
  const read = (tag: number): Buffer | null => {
    const found = settings.find(({ data }) => data[0] === tag)
    return found === undefined ? null : Buffer.from(found.data)
  }
  const price = read(SET_UNIT_PRICE)?.readBigUInt64LE(1) ?? 0n
  if (price === 0n) return text
  const others = message.compiledInstructions.length - settings.length
  const limit = BigInt(read(SET_UNIT_LIMIT)?.readUInt32LE(1) ?? others * DEFAULT_UNIT_LIMIT)
  const priority = (price * limit + 999_999n) / 1_000_000n
  const result = { ...parsed.data.result, meta: { ...meta, fee: meta.fee + Number(priority) } }
  return JSON.stringify({ ...parsed.data, result })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
