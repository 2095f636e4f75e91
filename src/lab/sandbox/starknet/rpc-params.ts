import { z } from "zod"
import { type Block, blockHash, type Devnet, heightOf, type Mined } from "./devnet.ts"
import { parseFelt } from "./felt.ts"
import { invalidParams, rpcError } from "./rpc-error.ts"

type Params = Readonly<Record<string, unknown>>

export function feltParam(params: Params, name: string): bigint {
  const value = params[name]
  if (typeof value !== "string") throw invalidParams(`${name} must be a field element`)
  return parseFelt(value)
}

/** The number of the block that `block_id` names. Throws 24 if it does not exist. */
export function blockParam(devnet: Devnet, params: Params): number {
  return blockNumberOf(devnet, params["block_id"])
}

export function blockNumberOf(devnet: Devnet, value: unknown): number {
  const parsed = blockSchema.safeParse(value)
  if (!parsed.success) throw invalidParams("block_id must be a tag, {block_number} or {block_hash}")
  if (typeof parsed.data === "string") return heightOf(devnet)
  if ("block_number" in parsed.data) return findBlock(devnet, parsed.data.block_number).number
  const wanted = parsed.data.block_hash
  const found = devnet.state.blocks.findLast((block) => blockHash(devnet, block.number) === wanted)
  if (!found) throw rpcError(24)
  return found.number
}

export function findBlock(devnet: Devnet, number: number): Block {
  const block = devnet.state.blocks[number]
  if (!block) throw rpcError(24)
  return block
}

export function findTransaction(devnet: Devnet, hash: string): Mined {
  const found = devnet.state.mined[hash]
  if (!found) throw rpcError(29)
  return found
}

export function transactionsParam(params: Params): {
  transactions: readonly unknown[]
  flags: readonly string[]
} {
  const parsed = transactionsSchema.safeParse(params)
  if (!parsed.success) throw invalidParams(z.prettifyError(parsed.error))
  return { transactions: parsed.data.request, flags: parsed.data.simulation_flags }
}

/**
 * `pre_confirmed` and `l1_accepted` mean the latest block, because the devnet accepts a block in
 * one step.
 */
const blockSchema = z.union([
  z.enum(["latest", "pre_confirmed", "l1_accepted"]),
  z.object({ block_number: z.int().nonnegative() }),
  z.object({ block_hash: z.string() }),
])

const transactionsSchema = z.object({
  request: z.array(z.unknown()),
  simulation_flags: z.array(z.string()).default([]),
})
