import type { ChainId } from "#domain/asset.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { HasJournal, Remembering } from "../../context.ts"

/**
 * A turn of a lane at a slow node: two answers of a second and a half. No turn counts as shorter,
 * because a node may become slow after a secret is told.
 */
const SLOW_TURN_MS = 3_000

/** A transaction has its nonce after so long in the lane of its account. */
export function noteLaneTurn(
  { memory }: Remembering<"laneTurns">,
  chain: ChainId,
  tookMs: number,
): void {
  memory.laneTurns.set(chain, nextTurnMs(memory.laneTurns.get(chain) ?? 0, tookMs))
}

/** It rises at once, and falls in some turns. Pure. */
export function nextTurnMs(knownMs: number, tookMs: number): number {
  return Math.max(tookMs, (3 * knownMs + tookMs) / 4)
}

/** The order's secret leaves from now on, though its order does not say so yet. */
export function noteTelling(
  { memory }: Remembering<"telling">,
  orderId: string,
  chain: ChainId,
): void {
  memory.telling.set(orderId, chain)
}

/**
 * How long the redemptions of the secrets that are told already may need for their turns on this
 * chain. `readMs`: a look at this chain took so long, and a turn asks as well.
 */
export function readQueueMs(
  { journal, memory }: HasJournal<OrderStore & OrderSums> & Remembering<"laneTurns" | "telling">,
  chain: ChainId,
  readMs: number,
): number {
  for (const id of memory.telling.keys())
    if (journal.findOrder(id)?.state !== "revealing") memory.telling.delete(id)
  const telling = [...memory.telling.values()].filter((one) => one === chain).length
  const turnMs = Math.max(SLOW_TURN_MS, readMs, memory.laneTurns.get(chain) ?? 0)
  return (journal.countRedeemedOn(chain) + telling) * turnMs
}
