import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { KEPT_KEY_MS } from "#journal/request-keys.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { ORDER_ROW } from "../../support/order-row.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

let directory: string
let journal: Journal
const file = (): string => join(directory, "journal.db")
beforeEach(() => {
  directory = temporaryFolder("keys")
  journal = openJournal(file())
})
afterEach(() => journal.close())

function row(id: string, atMs: number, outcome: string | null = null): OrderRow {
  return {
    ...ORDER_ROW,
    id,
    state: outcome ?? "quoting",
    outcome,
    countedAtMs: atMs,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
}

function open(id: string, key: string, { atMs = 1, outcome = null as string | null } = {}): void {
  const event = { atMs, type: "order.opened", state: "quoting", body: "{}" }
  const requestKey = { key, request: `hash-of-${id}` }
  journal.openOrder(row(id, atMs, outcome), event, null, null, { requestKey })
}

test("a key leads to its order, also after the journal is opened again", () => {
  open("a", "k1")
  journal.close()
  journal = openJournal(file())
  expect(journal.findRequestKey("k1")).toEqual({
    key: "k1",
    request: "hash-of-a",
    answer: null,
    orderId: "a",
  })
  expect(journal.findRequestKey("k2")).toBeNull()
})

test("a second order under one key is not written at all", () => {
  open("a", "k1")
  expect(() => open("b", "k1")).toThrow(
    expect.objectContaining({ code: "journal.request_key_taken" }),
  )
  expect(journal.findOrder("b")).toBeNull()
  expect(journal.findRequestKey("k1")?.orderId).toBe("a")
})

test("no order opens under a withdrawn key, and the key of an order cannot be withdrawn", () => {
  journal.withdrawRequestKey("k1", 1)
  expect(journal.findRequestKey("k1")).toMatchObject({ request: null, orderId: null })
  expect(() => open("a", "k1")).toThrow(
    expect.objectContaining({ code: "journal.request_key_taken" }),
  )
  expect(journal.findOrder("a")).toBeNull()
  open("b", "k2")
  const withdraw = (): void => journal.withdrawRequestKey("k2", 2)
  expect(withdraw).toThrow(expect.objectContaining({ code: "journal.request_key_taken" }))
})

test("an old key goes once a thousand newer ones are there, and that of an order under way stays", () => {
  journal.close()
  journal = openJournal(":memory:")
  const late = 1 + KEPT_KEY_MS + 1
  open("ended", "old-ended", { outcome: "completed" })
  open("under way", "old-open")
  open("young", "young", { atMs: late - KEPT_KEY_MS, outcome: "completed" })
  // A clock that jumped ahead forgets no key by itself.
  journal.withdrawRequestKey("first", late)
  expect(journal.findRequestKey("old-ended")).not.toBeNull()
  for (let n = 0; n < 1_000; n++) journal.withdrawRequestKey(`later-${n}`, late)
  expect(journal.findRequestKey("old-ended")).toBeNull()
  expect(journal.findRequestKey("old-open")?.orderId).toBe("under way")
  expect(journal.findRequestKey("young")?.orderId).toBe("young")
  expect(KEPT_KEY_MS).toBeGreaterThanOrEqual(30 * 24 * 60 * 60_000)
})
