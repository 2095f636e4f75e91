import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { isTooLarge } from "#nodes/exchange.ts"
import { isRangeRefused } from "#nodes/json-rpc.ts"
import { feltSchema, formatFelt } from "../felt.ts"
import type { ChainEvent } from "../htlc.ts"
import type { View } from "../nodes/reference-block.ts"
import { RPC_CODES, rpcCodeOf } from "../rpc.ts"

/** An event with its place on the chain. */
export type Located = ChainEvent & {
  readonly txid: string
  readonly height: bigint
  readonly blockHash: string
}

/** Events of a page; after a refusal, and after an answer that strangers made too large, fewer. */
const CHUNKS = [1_000, 100, 10] as const
/**
 * A node that fails for all blocks may only need longer than our patience for the first of these
 * numbers, and some take only so many.
 */
const RANGES = [10_000n, 2_000n, 1_000n] as const
/** A search that needs more pages fails with an error instead of a partial answer. */
const MAX_PAGES = 100

const pageSchema = z.object({
  events: z.array(
    z.object({
      from_address: feltSchema,
      keys: z.array(feltSchema),
      data: z.array(feltSchema),
      transaction_hash: feltSchema,
      block_number: z.int().nonnegative().optional(),
      block_hash: feltSchema.optional(),
    }),
  ),
  continuation_token: z.string().optional(),
})

/**
 * Finds all events of one contract up to the view's block; `keys` lists the allowed values of each
 * key. Throws `starknet.too_many_events` (hold).
 */
export async function findStarknetEvents(
  view: View,
  htlc: bigint,
  keys: EventKeys,
  fromHeight: bigint,
): Promise<readonly Located[]> {
  const { events, isWhole } = await findFirstEvents(view, htlc, {
    keys,
    fromHeight,
    mostPages: MAX_PAGES,
  })
  if (!isWhole) throw tooMany(htlc, fromHeight)
  return events
}

/**
 * As `findStarknetEvents`, and reads at most `mostPages` pages. `isWhole`: there are no further
 * events.
 */
export async function findFirstEvents(
  view: View,
  htlc: bigint,
  { keys, fromHeight, mostPages }: EventSearch,
): Promise<{ readonly events: readonly Located[]; readonly isWhole: boolean }> {
  const events: Located[] = []
  const about = { address: formatFelt(htlc), keys: keys.map((each) => each.map(formatFelt)) }
  const head = view.block.height
  let place: Place = { from: fromHeight, blocks: head - fromHeight + 1n, size: CHUNKS[0] }
  for (let pages = 0; place.from <= head; ) {
    if (pages >= mostPages) return { events, isWhole: false }
    const to = place.from + place.blocks - 1n
    const request = {
      ...about,
      from_block: { block_number: Number(place.from) },
      to_block: to < head ? { block_number: Number(to) } : view.at,
      chunk_size: place.size,
      ...(place.token === undefined ? {} : { continuation_token: place.token }),
    }
    try {
      const found = await view.read("starknet_getEvents", [request], pageSchema)
      events.push(...found.events.flatMap((event) => locate(event, htlc, view)))
      const token = found.continuation_token
      place = token === undefined ? next(place, to) : { ...place, token }
      pages += place.size / CHUNKS[0]
    } catch (error) {
      place = smaller(error, place)
    }
  }
  return { events, isWhole: true }
}

type Place = {
  readonly from: bigint
  readonly blocks: bigint
  readonly size: number
  readonly token?: string
}

function next({ blocks, size }: Place, to: bigint): Place {
  return { from: to + 1n, blocks, size }
}

/** What to ask for after this failure. Rethrows one that no smaller question avoids. */
function smaller(error: unknown, place: Place): Place {
  const size = CHUNKS.find((each) => each < place.size)
  const isPageRefused = isTooLarge(error) || rpcCodeOf(error) === RPC_CODES.pageTooBig
  if (isPageRefused && size !== undefined) return { ...place, size }
  const isSlow = error instanceof AppError && error.code === "starknet.unreachable"
  const ranges = isRangeRefused(error) ? RANGES : isSlow ? RANGES.slice(0, 1) : []
  const blocks = ranges.find((each) => each < place.blocks)
  if (place.token !== undefined || blocks === undefined) throw error
  return { ...place, blocks }
}

type EventKeys = readonly (readonly bigint[])[]
type EventSearch = {
  readonly keys: EventKeys
  readonly fromHeight: bigint
  readonly mostPages: number
}

/**
 * Ignores events of other contracts, of blocks that are not accepted yet, and of blocks above the
 * view's.
 */
function locate(
  event: z.infer<typeof pageSchema>["events"][number],
  htlc: bigint,
  { block }: View,
): Located[] {
  const {
    from_address: from,
    keys,
    data,
    transaction_hash: tx,
    block_number: number,
    block_hash: hash,
  } = event
  if (from !== htlc || number === undefined || hash === undefined || BigInt(number) > block.height)
    return []
  return [
    { from, keys, data, txid: formatFelt(tx), height: BigInt(number), blockHash: formatFelt(hash) },
  ]
}

function tooMany(htlc: bigint, fromHeight: bigint): AppError {
  return new AppError({
    code: "starknet.too_many_events",
    disposition: "hold",
    message: "The HTLC has more events than one search reads; inspect this order by hand",
    details: { htlc: formatFelt(htlc), fromHeight, limit: CHUNKS[0] * MAX_PAGES },
  })
}
