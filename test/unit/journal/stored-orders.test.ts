import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { chainOf, parseAssetId } from "#domain/asset.ts"
import type { Booking } from "#domain/ledger.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { ORDER_ROW, PLAIN_STEP } from "../../support/order-row.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const ETH = parseAssetId("base_sepolia:eth")
const WBTC = parseAssetId("base_sepolia:wbtc")
const BTC = parseAssetId("bitcoin_testnet:btc")
const EVER = Number.MAX_SAFE_INTEGER

let directory: string
let file: string
let journal: Journal
beforeEach(() => {
  directory = temporaryFolder("stored-orders")
  file = join(directory, "journal.db")
  journal = openJournal(file)
})
afterEach(() => journal.close())

/** Each field has a value of its own, so that no column can be stored as another one. */
function row(id: string, over: Partial<OrderRow> = {}): OrderRow {
  return {
    ...ORDER_ROW,
    id,
    rule: "dca",
    secondRule: "band",
    from: ETH,
    to: BTC,
    sourceUnits: 101n,
    sourceFiat: 102n,
    feeFiat: 103n,
    feeUnits: 104n,
    service: "main",
    countedAtMs: 11,
    createdAtMs: 12,
    updatedAtMs: 13,
    snapshot: `{"of":"${id}"}`,
    ...over,
  }
}

function open(id: string, over: Partial<OrderRow> = {}): void {
  const event = { atMs: 1, type: "order.opened", state: "quoting", body: '{"n":1}' }
  journal.openOrder(row(id, over), event, { body: '"first"', dueAtMs: 5 }, null)
}

function commit(id: string, over: Partial<OrderRow> = {}, step: Partial<StepRow> = {}): void {
  journal.commit({
    ...PLAIN_STEP,
    order: row(id, { state: "next", ...over }),
    event: { atMs: 2, type: "test.event", state: over.state ?? "next", body: '{"n":2}' },
    ...step,
  })
}

function reopen(): void {
  journal.close()
  journal = openJournal(file)
}

function bookingOf(key: string, units: bigint, back = -units): Booking {
  const postings = [
    { account: "assets:wallet:base_sepolia", asset: ETH, units: back, fiat: null },
    { account: "expenses:network:deposit", asset: ETH, units, fiat: 7n },
  ]
  return { reversedKeys: [], add: [{ key, kind: "fee", tx: "0x1", note: null, postings }] }
}

describe("a step", () => {
  test("stores each column of its order as it is, when it opens it and when it changes it", () => {
    open("a", { secretHash: "ab", payoutTx: "tx0", deposited: true })
    reopen()
    expect(journal.findOrder("a")).toEqual(
      row("a", { secretHash: "ab", payoutTx: "tx0", deposited: true }),
    )
    const changed: Partial<OrderRow> = {
      state: "funded",
      outcome: "completed",
      sourceFiat: 202n,
      feeFiat: 203n,
      feeUnits: 204n,
      secretHash: "cd",
      payoutTx: "tx1",
      service: "second",
      deposited: true,
      countedAtMs: 21,
      updatedAtMs: 23,
      snapshot: "{}",
    }
    open("other")
    commit("a", changed)
    reopen()
    expect(journal.findOrder("a")).toEqual(row("a", changed))
    expect(journal.findOrder("other")).toEqual(row("other"))
    expect(journal.listEvents("a")).toEqual([
      { atMs: 1, type: "order.opened", state: "quoting", body: '{"n":1}' },
      { atMs: 2, type: "test.event", state: "funded", body: '{"n":2}' },
    ])
  })

  test("replaces the order's work by the next one, due when it says", () => {
    open("a")
    open("b")
    commit("a", {}, { work: { body: '"next"', dueAtMs: 70 } })
    reopen()
    const of = (nowMs: number): unknown =>
      journal.listDueWork(nowMs, 9).map(({ orderId, body }) => [orderId, body])
    expect(of(69)).toEqual([["b", '"first"']])
    expect(of(70)).toEqual([
      ["b", '"first"'],
      ["a", '"next"'],
    ])
    expect(journal.listDueWork(70, 9)[1]).toMatchObject({
      dueAtMs: 70,
      begun: 0,
      from: ETH,
      to: BTC,
      service: "main",
    })
    commit("a")
    expect(of(EVER)).toEqual([["b", '"first"']])
  })

  test("books its entry under its order and its time", () => {
    open("a")
    commit("a", {}, { booking: bookingOf("fee", 3n) })
    reopen()
    expect(journal.listEntries({})).toMatchObject([{ key: "fee", orderId: "a", atMs: 2 }])
    expect(journal.listAccounts("expenses:")).toMatchObject([{ units: 3n }])
  })

  test("whose entry does not balance changes nothing", () => {
    open("a")
    expect(() =>
      commit("a", {}, { booking: bookingOf("fee", 3n, -2n), reserve: ["lock/x"] }),
    ).toThrow(expect.objectContaining({ code: "books.unbalanced" }))
    expect(journal.findOrder("a")).toEqual(row("a"))
    expect(journal.listEvents("a")).toHaveLength(1)
    expect([...journal.listReserved("")]).toEqual([])
  })

  test("may name a resource that its order holds already, and holds it once", () => {
    open("a")
    commit("a", {}, { reserve: ["lock/x", "lock/x", "lock/y"] })
    commit("a", {}, { reserve: ["lock/x"] })
    expect([...journal.listReserved("lock/")].sort()).toEqual(["x", "y"])
    expect([...journal.listReserved("lock/", "a")]).toEqual([])
    expect([
      journal.findHolder("lock/x"),
      journal.findHolder("lock/"),
      journal.findHolder("lock/z"),
    ]).toEqual(["a", null, null])
    commit("a", {}, { release: "lock/x" })
    expect([...journal.listReserved("lock/", "b")]).toEqual(["y"])
  })

  test("that needs another order's resource names it and its holder, and may be repeated later", () => {
    open("a")
    open("b")
    commit("a", {}, { reserve: ["lock/x"] })
    expect(() => commit("b", {}, { reserve: ["lock/x"] })).toThrow(
      expect.objectContaining({
        code: "journal.resource_taken",
        disposition: "transient",
        details: { resource: "lock/x", holder: "a" },
      }),
    )
  })
})

describe("a list of orders", () => {
  test("that are open has neither ended nor disarmed ones, newest first", () => {
    for (const [at, id] of ["a", "b", "c", "d", "e"].entries()) open(id, { createdAtMs: at })
    commit("b", { state: "disarmed" })
    commit("c", { state: "completed", outcome: "completed" })
    commit("d", { state: "held" })
    const ids = (of: { limit: number; open?: boolean }): string[] =>
      journal.listOrders(of).map(({ id }) => id)
    expect(ids({ limit: 9, open: true })).toEqual(["e", "d", "a"])
    expect(ids({ limit: 2, open: true })).toEqual(["e", "d"])
    expect(ids({ limit: 9 })).toEqual(["e", "d", "c", "b", "a"])
    expect(ids({ limit: 9, open: false })).toHaveLength(5)
  })

  test("of one moment shows the last written first", () => {
    for (const id of ["b", "a", "c"]) open(id)
    expect(journal.listOrders({ limit: 9 }).map(({ id }) => id)).toEqual(["c", "a", "b"])
  })

  test("that one transaction paid has those of its asset only", () => {
    open("a", { to: BTC, payoutTx: "tx" })
    open("b", { to: WBTC, payoutTx: "tx" })
    open("c", { to: BTC, payoutTx: "other" })
    open("d", { to: BTC })
    expect(journal.listPaidBy(BTC, "tx").map(({ id }) => id)).toEqual(["a"])
    expect(journal.listPaidBy(WBTC, "tx").map(({ id }) => id)).toEqual(["b"])
    expect(journal.listPaidBy(ETH, "tx")).toEqual([])
  })

  test("that changed since a moment has those of that very moment", () => {
    open("a", { updatedAtMs: 99 })
    open("b", { updatedAtMs: 100 })
    open("c", { updatedAtMs: 101 })
    expect(journal.listChangedSince(100).map(({ id }) => id)).toEqual(["b", "c"])
  })
})

test("postponed work alone waits, and its place follows its new time", () => {
  open("a")
  open("b")
  const [first] = journal.listDueWork(EVER, 9)
  journal.postponeWork(first?.id ?? -1, 50)
  expect(journal.listDueWork(49, 9).map(({ orderId }) => orderId)).toEqual(["b"])
  expect(journal.listDueWork(50, 9).map(({ orderId, dueAtMs }) => [orderId, dueAtMs])).toEqual([
    ["b", 5],
    ["a", 50],
  ])
  journal.beginWork(first?.id ?? -1)
  expect(journal.listDueWork(50, 9).map(({ begun }) => begun)).toEqual([0, 1])
  expect(journal.listDueWork(50, 1)).toHaveLength(1)
})

test("an order's decisions and its occurrence are stored with it", () => {
  const event = { atMs: 1, type: "order.opened", state: "quoting", body: "{}" }
  const decision = {
    id: "d1",
    atMs: 1,
    rule: "dca",
    secondRule: "band",
    verdict: "proposed" as const,
    body: "[]",
  }
  const occurrence = { id: "dca@1", rule: "dca", secondRule: "band", atMs: 1 }
  journal.recordDecision({ ...decision, inputs: null, configHash: "h" })
  journal.openOrder(row("a"), event, null, occurrence, {
    decisions: [{ ...decision, inputs: null, configHash: "h" }],
  })
  expect(journal.findDecision("d1")).toMatchObject({ orderId: "a", orders: ["a"] })
  expect(journal.findOccurrence("dca@1")).toEqual({ orderId: "a", settledAtMs: 12 })
  expect(journal.listDueWork(EVER, 9)).toEqual([])
})

test("a flag keeps its last value until it is deleted", () => {
  expect(journal.readFlag("k")).toBeNull()
  journal.writeFlag("k", "1")
  journal.writeFlag("k", "2")
  journal.writeFlag("other", "3")
  expect(journal.readFlag("k")).toBe("2")
  journal.writeFlag("k", null)
  expect([journal.readFlag("k"), journal.readFlag("other")]).toEqual([null, "3"])
})

test("an alert of no order has no order", () => {
  journal.raiseAlert(7, { code: "alarm.test", message: "test" })
  expect(journal.listAlerts(9)).toEqual([
    { atMs: 7, orderId: null, reason: { code: "alarm.test", message: "test" } },
  ])
})

test("only a change of the journal counts as a commit", () => {
  let commits = 0
  const counted = openJournal(join(directory, "counted.db"), { afterCommit: () => commits++ })
  const claim = {
    orderId: "a",
    purpose: "deposit",
    attempt: 0,
    digest: "d0",
    chain: chainOf(ETH),
    account: "0xus",
  }
  const event = { atMs: 1, type: "order.opened", state: "quoting", body: "{}" }
  counted.openOrder(row("a"), event, null, null)
  expect(commits).toBe(1)
  counted.claimSignature({ ...claim, resources: ["nonce:1"], plan: null, atMs: 1 })
  expect(commits).toBe(2)
  counted.claimSignature({ ...claim, resources: ["nonce:1"], plan: null, atMs: 1 })
  expect(commits).toBe(2)
  counted.close()
})
