import { z } from "zod"
import { parseShape } from "./create-body.ts"
import { sameOwner } from "./same-owner.ts"
import type { StoredLeg, StoredOrder } from "./stored-order.ts"

/**
 * `GET /v2/orders` (field notes, Wire): newest first, `per_page` from 1 to 500 (default 10). Each
 * filter takes one value or several, separated by commas:
 *
 *   from_owner, to_owner   the owner of the source or the destination
 *   address                an owner, initiator or redeemer of either leg
 *   from_chain, to_chain   names of chains
 *   tx_hash                an initiation, redemption or refund of either leg
 *   status                 not-initiated | in-progress | completed | refunded | expired, or a
 *                          group: all; pending (not settled: the first two); fulfilled
 *                          (completed or refunded)
 */
export function listOrders(
  orders: readonly StoredOrder[],
  query: Readonly<Record<string, string>>,
  show: (order: StoredOrder) => unknown,
): OrderPage {
  const { page, per_page, ...filters } = parseShape(listQuery, query)
  const matching = orders.filter((order) => matchesFilters(order, filters))
  const first = (page - 1) * per_page
  return {
    data: matching
      .reverse()
      .slice(first, first + per_page)
      .map(show),
    page,
    per_page,
    total_pages: Math.ceil(matching.length / per_page),
    total_items: matching.length,
  }
}

type OrderPage = {
  readonly data: readonly unknown[]
  readonly page: number
  readonly per_page: number
  readonly total_pages: number
  readonly total_items: number
}

const STATUSES = ["not-initiated", "in-progress", "completed", "refunded", "expired"] as const
type Status = (typeof STATUSES)[number]

const STATUS_GROUPS: Readonly<Record<string, readonly string[]>> = {
  all: STATUSES,
  pending: ["not-initiated", "in-progress"],
  fulfilled: ["completed", "refunded"],
}
const STATUS_NAMES = [...STATUSES, ...Object.keys(STATUS_GROUPS)]

const several = z
  .string()
  .transform((text) => text.split(",").map((value) => value.trim()))
  .optional()

const listQuery = z.object({
  from_owner: several,
  to_owner: several,
  address: several,
  from_chain: several,
  to_chain: several,
  tx_hash: several,
  status: several.refine(
    (names) => names === undefined || names.every((name) => STATUS_NAMES.includes(name)),
    {
      error: `expected some of ${STATUS_NAMES.join(", ")}`,
    },
  ),
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(500).default(10),
})

type Filters = Omit<z.output<typeof listQuery>, "page" | "per_page">

function matchesFilters(order: StoredOrder, filters: Filters): boolean {
  const { source, destination } = order
  const owned = [...partiesOf(source), ...partiesOf(destination)]
  const hashes = [...hashesOf(source), ...hashesOf(destination)]
  const asked = filters.status?.flatMap((name): readonly string[] => STATUS_GROUPS[name] ?? [name])
  return (
    matchesSome(filters.from_owner, (owner) => sameOwner(source.swap.owner, owner)) &&
    matchesSome(filters.to_owner, (owner) => sameOwner(destination.swap.owner, owner)) &&
    matchesSome(filters.address, (address) => owned.some((party) => sameOwner(party, address))) &&
    matchesSome(filters.from_chain, (chain) => source.swap.chain === chain) &&
    matchesSome(filters.to_chain, (chain) => destination.swap.chain === chain) &&
    matchesSome(filters.tx_hash, (hash) => hashes.includes(bareHash(hash))) &&
    matchesSome(asked, (status) => statusOf(order) === status)
  )
}

/** True without a filter. */
function matchesSome(
  values: readonly string[] | undefined,
  matches: (value: string) => boolean,
): boolean {
  return values === undefined || values.some(matches)
}

function partiesOf({ swap }: StoredLeg): readonly string[] {
  return [swap.owner, swap.initiator, swap.redeemer]
}

/** A Bitcoin initiation is `<txid>:<height>`, and several are joined by commas. */
function hashesOf({ seen }: StoredLeg): readonly string[] {
  const texts = [seen.initiated, seen.redeemed, seen.refunded].flatMap(
    (event) => event?.tx.split(",") ?? [],
  )
  return texts.map((text) => bareHash(text.split(":")[0] ?? ""))
}

function bareHash(text: string): string {
  return /^0x[0-9a-fA-F]+$/.test(text) ? text.slice(2).toLowerCase() : text
}

function statusOf(order: StoredOrder): Status {
  if (order.destination.seen.redeemed) return "completed"
  if (order.source.seen.refunded) return "refunded"
  if (order.source.seen.initiated) return "in-progress"
  return Date.now() > order.deadlineMs ? "expired" : "not-initiated"
}
