import { pendingOf } from "#books/pending.ts"
import { chainOf } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import { decodeOrder } from "#order/step.ts"
import type { OrderRef, OrderStore } from "#ports/journal/orders.ts"
import {
  type Clocked,
  type Configured,
  type HasChains,
  type HasJournal,
  type Remembering,
  walletsOf,
} from "../context.ts"
import type { KnownFigures, OpenFigures, OrderFigures } from "../memory.ts"
import { toFlight } from "../rules/tick/flight.ts"
import { shareText } from "./pay/share-text.ts"

/** This many orders are decoded between two turns of the event loop. */
const AT_ONCE = 50

/**
 * The figures of an order; `null` when the order cannot be read. Decodes the order unless its last
 * step is known.
 */
export function readFigures(
  context: HasJournal<OrderStore> & HasChains & Configured & Remembering,
  { id, revision }: OrderRef,
): OrderFigures | null {
  const { byId } = cacheOf(context)
  const known = byId.get(id)
  if (known?.revision === revision) return known.figures
  const figures = decodeFigures(context, id)
  byId.set(id, { revision, figures })
  return figures
}

/**
 * The figures of all open orders now. An order without a step since the last call costs one
 * comparison. While no order has one, each call returns the same object.
 */
export function listFigures(
  context: HasJournal<OrderStore> & HasChains & Configured & Remembering,
): OpenFigures {
  const cache = cacheOf(context)
  const { open } = cache
  const refs = context.journal.listOpenRefs()
  if (open.refs.length === refs.length && refs.every((ref, index) => ref === open.refs[index]))
    return open
  const places = findPlaces(open.refs, refs)
  const figures = refs.map((ref, index) => {
    const known = open.figures[places[index] ?? NO_PLACE]
    // `null` is a damaged order.
    return known === undefined ? readFigures(context, ref) : known
  })
  cache.open = { refs, figures }
  return cache.open
}

const NO_PLACE = -1
/** More orders than end between two ticks, next to each other in the list. */
const MOST_GONE = 256

/**
 * The index in `before` of each of `refs`, or -1 for one with a new step: the journal makes a new
 * ref at each step of an order, and none without one. It keeps the order of its list, so both are
 * read once, side by side. An order that is not found by this is looked up by its id.
 */
function findPlaces(before: readonly OrderRef[], refs: readonly OrderRef[]): Int32Array {
  const places = new Int32Array(refs.length).fill(NO_PLACE)
  let next = 0
  for (let index = 0; index < refs.length; index++) {
    const ref = mustExist(refs[index], "a ref of the list")
    next = passGone(before, next, ref)
    if (before[next] === ref) places[index] = next++
  }
  return places
}

/**
 * The place of the order at `start` or behind the orders that have ended since; `start` for an
 * order that is not there.
 */
function passGone(before: readonly OrderRef[], start: number, { id }: OrderRef): number {
  for (let index = start; index < Math.min(before.length, start + MOST_GONE); index++)
    if (before[index]?.id === id) return index
  return start
}

/** Older observations say nothing about the height of a node: the chain may have been reset. */
export const RECENT_MS = 10 * 60_000

/**
 * Decodes the open and the recent orders with a new step, a few in each turn of the event loop, so
 * that the next reads find their figures. Forgets all other orders.
 */
export async function refreshFigures(
  context: HasJournal<OrderStore> & HasChains & Configured & Clocked & Remembering,
): Promise<void> {
  const { journal, clock } = context
  const { byId, open } = cacheOf(context)
  const refs = journal.listOpenRefs()
  // No order is in both lists.
  const ended = journal.listEndedRefs(clock.now() - RECENT_MS)
  const places = findPlaces(open.refs, refs)
  const stale = [...refs.filter((_, index) => places[index] === NO_PLACE), ...ended].filter(
    ({ id, revision }) => byId.get(id)?.revision !== revision,
  )
  const fresh = stale.reduce((count, { id }) => count + (byId.has(id) ? 0 : 1), 0)
  // Every asset of every tick comes here, and mostly no order is to be forgotten.
  if (byId.size > refs.length + ended.length - fresh) {
    const ids = new Set([...refs, ...ended].map(({ id }) => id))
    for (const id of byId.keys()) if (!ids.has(id)) byId.delete(id)
  }
  for (const [index, ref] of stale.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await context.clock.turn?.()
    readFigures(context, ref)
  }
}

function cacheOf({ memory, settings: { assets } }: Configured & Remembering): KnownFigures {
  if (memory.figures?.assets === assets) return memory.figures
  memory.figures = { assets, byId: new Map(), open: { refs: [], figures: [] } }
  return memory.figures
}

function decodeFigures(
  context: HasJournal<OrderStore> & HasChains & Configured,
  id: string,
): OrderFigures | null {
  try {
    const order = decodeOrder(mustExist(context.journal.findOrder(id), "the listed order").snapshot)
    return {
      pending: [...pendingOf([order], walletsOf(context))].map(([asset, sums]) => ({
        asset: shareText(asset),
        ...sums,
      })),
      flight: toFlight(order, context.chains.get(chainOf(order.data.request.to))?.traits ?? null),
      height: heightOf(order.data),
    }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function heightOf({ seen }: OrderData): OrderFigures["height"] {
  const highest = (...found: readonly ({ readonly height: bigint } | null)[]): bigint =>
    found.reduce((most, at) => (at !== null && at.height > most ? at.height : most), 0n)
  return {
    from: highest(seen.sourceInitiated, seen.sourceRedeemed, seen.sourceRefunded),
    to: highest(seen.destinationInitiated, seen.destinationRedeemed),
  }
}
