import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { assert } from "#lib/assert.ts"
import type { Payout } from "./payouts.ts"
import type { StoredOrder } from "./stored-order.ts"

/**
 * Orders and payouts in memory and, with `file`, in an append-only file of JSON lines: the last line of an order is the order.
 *
 * A line that a crash cut short is dropped on opening. After `close` every write throws: the solver writes before
 * it acts, so work that outlives a stopped service ends there and cannot disturb its successor.
 */
export function openOrderStore(file: string | null): OrderStore {
  const orders = new Map<string, StoredOrder>()
  let payouts: readonly Payout[] = []
  let closed = false
  for (const entry of file === null ? [] : readEntries(file)) {
    if ("order" in entry) orders.set(entry.order.id, entry.order)
    else payouts = entry.payouts
  }
  if (file !== null) compact(file, [...[...orders.values()].map((order) => ({ order })), { payouts }])
  const append = (entry: Entry): void => {
    if (file !== null) appendFileSync(file, `${JSON.stringify(entry)}\n`)
  }
  return {
    find: (id) => orders.get(id) ?? null,
    list: () => [...orders.values()],
    put: (order) => {
      assert(!closed, "an order was written to a closed store", { order: order.id })
      if (JSON.stringify(orders.get(order.id)) === JSON.stringify(order)) return
      append({ order })
      orders.set(order.id, order)
    },
    payouts: () => payouts,
    putPayouts: (next) => {
      assert(!closed, "a payout was written to a closed store")
      append({ payouts: next })
      payouts = next
    },
    close: () => {
      closed = true
    },
  }
}

export type OrderStore = {
  find(id: string): StoredOrder | null
  /** Oldest first. */
  list(): readonly StoredOrder[]
  /** Written before it is visible. */
  put(order: StoredOrder): void
  payouts(): readonly Payout[]
  putPayouts(payouts: readonly Payout[]): void
  close(): void
}

type Entry = { readonly order: StoredOrder } | { readonly payouts: readonly Payout[] }

function readEntries(file: string): readonly Entry[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, "utf8")
  const whole = text.slice(0, text.lastIndexOf("\n") + 1)
  return whole
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Entry => JSON.parse(line))
}

function compact(file: string, entries: readonly Entry[]): void {
  const next = `${file}.next`
  writeFileSync(next, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""))
  renameSync(next, file)
}
