import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { assert } from "#lib/assert.ts"
import type { StoredPayout } from "./solver/stored-payout.ts"
import type { StoredOrder } from "./stored-order.ts"

/**
 * Orders and payouts in memory and, with `file`, in an append-only file of JSON lines. The last
 * line of an order holds its current record.
 *
 * Opening drops a last line that a crash cut short. After `close` every write throws. The solver
 * writes before it sends a transaction, so its remaining work stops at that write and cannot
 * disturb a service that starts on the same file.
 */
export function openOrderStore(file: string | null): OrderStore {
  const orders = new Map<string, StoredOrder>()
  let payouts: readonly StoredPayout[] = []
  let closed = false
  for (const entry of file === null ? [] : readEntries(file)) {
    if ("order" in entry) orders.set(entry.order.id, entry.order)
    else payouts = entry.payouts
  }
  if (file !== null)
    compact(file, [...[...orders.values()].map((order) => ({ order })), { payouts }])
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
  /** Appends the record to the file before readers can see it. */
  put(order: StoredOrder): void
  payouts(): readonly StoredPayout[]
  putPayouts(payouts: readonly StoredPayout[]): void
  close(): void
}

type Entry = { readonly order: StoredOrder } | { readonly payouts: readonly StoredPayout[] }

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
