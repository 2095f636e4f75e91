import { type EngineContext, txidFormIn } from "#engine/context.ts"
import type { Clock } from "#lib/clock.ts"
import type { Operations } from "#ops/operations.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { type TxidFormOf, viewOrder } from "#order/view.ts"

const INTERVAL_MS = 500
const WINDOW = 200

/**
 * Sends order changes to live readers. It compares the journal's snapshots with those of its last
 * read.
 */
export function createFeed(
  context: EngineContext,
  clock: Clock,
  signal: AbortSignal,
): { subscribe: Operations["subscribe"] } {
  const listeners = new Set<Parameters<Operations["subscribe"]>[0]>()
  const known = new Map<string, string>()
  let watching = false

  async function readChanges(): Promise<void> {
    const decimals = new Map(
      [...context.settings.assets.values()].map((asset) => [asset.id, asset.decimals]),
    )
    const txidFormOf: TxidFormOf = (asset) => txidFormIn(context, asset)
    const rows = context.journal.listOrders({ limit: WINDOW }).toReversed()
    // A step that the disk refuses never was; the next look finds the order as it is then.
    const isKept = await context.journal.durableHere().then(
      () => true,
      () => false,
    )
    if (!isKept) return
    for (const row of rows) {
      if (known.get(row.id) === row.snapshot) continue
      known.set(row.id, row.snapshot)
      const order = decodeOrNull(row.snapshot)
      if (order === null) continue
      const view = viewOrder(order, decimals, row.updatedAtMs, txidFormOf)
      const event = { type: "order", order: view }
      for (const listener of listeners) listener(event)
    }
  }

  async function watch(): Promise<void> {
    watching = true
    while (listeners.size > 0 && !signal.aborted) {
      await readChanges()
      await clock.sleep(INTERVAL_MS, signal)
    }
    known.clear()
    watching = false
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      if (!watching) void watch()
      return () => listeners.delete(listener)
    },
  }
}
