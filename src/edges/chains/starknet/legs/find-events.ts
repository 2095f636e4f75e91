import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { formatFelt } from "../felt.ts"
import type { ChainEvent } from "../htlc.ts"
import { feltSchema } from "../nodes/read-chain.ts"
import type { View } from "../nodes/reference-block.ts"

/** An event with its place on the chain. */
export type Located = ChainEvent & {
  readonly txid: string
  readonly height: bigint
  readonly blockHash: string
}

const CHUNK = 1_000
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
  if (fromHeight > view.block.height) return { events, isWhole: true }
  const filter = {
    address: formatFelt(htlc),
    from_block: { block_number: Number(fromHeight) },
    to_block: view.at,
    keys: keys.map((choices) => choices.map(formatFelt)),
    chunk_size: CHUNK,
  }
  let token: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const request = token === undefined ? filter : { ...filter, continuation_token: token }
    const chunk = await view.read("starknet_getEvents", [request], pageSchema)
    events.push(...chunk.events.flatMap((event) => locate(event, htlc, view)))
    if (chunk.continuation_token === undefined) return { events, isWhole: true }
    token = chunk.continuation_token
  }
  return { events, isWhole: false }
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
    details: { htlc: formatFelt(htlc), fromHeight, limit: CHUNK * MAX_PAGES },
  })
}
