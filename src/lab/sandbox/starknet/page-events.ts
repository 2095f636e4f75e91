import type { RPC } from "starknet"
import { z } from "zod"
import { blockHash, type Devnet, heightOf, type LocatedEvent, listEvents } from "./devnet.ts"
import { formatFelt, parseFelt } from "./felt.ts"
import { invalidParams, rpcError } from "./rpc-error.ts"
import { blockNumberOf } from "./rpc-params.ts"

/**
 * `starknet_getEvents`: by emitter, block range and keys, one page at a time. Throws 24, 31, 33.
 */
export function pageEvents(devnet: Devnet, value: unknown): RPC.RPCSPEC09.EVENTS_CHUNK {
  const parsed = filterSchema.safeParse(value)
  if (!parsed.success) throw invalidParams(z.prettifyError(parsed.error))
  const filter = parsed.data
  if (filter.chunk_size > MAX_CHUNK) throw rpcError(31)
  const from = filter.from_block === undefined ? 0 : blockNumberOf(devnet, filter.from_block)
  const to =
    filter.to_block === undefined ? heightOf(devnet) : blockNumberOf(devnet, filter.to_block)
  const offset = readToken(filter.continuation_token)
  const emitters = [filter.address ?? []].flat().map(parseFelt)
  const keys = (filter.keys ?? []).map((choices) => choices.map(parseFelt))
  const matching = listEvents(devnet, from, to).filter((event) => matches(event, emitters, keys))
  const events = matching
    .slice(offset, offset + filter.chunk_size)
    .map((event) => describeEvent(devnet, event))
  const next = offset + filter.chunk_size
  return next < matching.length ? { events, continuation_token: String(next) } : { events }
}

const MAX_CHUNK = 1024

const filterSchema = z.object({
  from_block: z.unknown().optional(),
  to_block: z.unknown().optional(),
  address: z.union([z.string(), z.array(z.string())]).optional(),
  keys: z.array(z.array(z.string())).optional(),
  chunk_size: z.int().positive(),
  continuation_token: z.string().optional(),
})

function readToken(token: string | undefined): number {
  if (token === undefined) return 0
  if (!/^\d{1,9}$/.test(token)) throw rpcError(33)
  return Number(token)
}

/** Compares the keys by position; an empty list of choices matches every key at its position. */
function matches(
  event: LocatedEvent,
  emitters: readonly bigint[],
  keys: readonly (readonly bigint[])[],
): boolean {
  if (emitters.length > 0 && !emitters.includes(event.from)) return false
  return keys.every((choices, position) => {
    const key = event.keys[position]
    return choices.length === 0 || (key !== undefined && choices.includes(key))
  })
}

function describeEvent(
  devnet: Devnet,
  { from, keys, data, tx }: LocatedEvent,
): RPC.RPCSPEC09.EMITTED_EVENT {
  return {
    from_address: formatFelt(from),
    keys: keys.map(formatFelt),
    data: data.map(formatFelt),
    transaction_hash: tx.hash,
    block_hash: blockHash(devnet, tx.blockNumber),
    block_number: tx.blockNumber,
  }
}
