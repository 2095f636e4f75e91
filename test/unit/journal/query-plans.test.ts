import { DatabaseSync } from "node:sqlite"
import { afterEach, expect, test, vi } from "vitest"
import { chainOf, parseAssetId } from "#domain/asset.ts"
import type { LedgerEntry } from "#domain/ledger.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { NewDecision } from "#ports/journal/decisions.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import { ORDER_ROW } from "../../support/order-row.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")

afterEach(() => vi.restoreAllMocks())

test("no query of a step, an admission or a poll reads all orders or all events", () => {
  const prepared = new Set<string>()
  let database: DatabaseSync | null = null
  const prepare = DatabaseSync.prototype.prepare
  vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (
    this: DatabaseSync,
    sql: string,
  ) {
    database = this
    prepared.add(sql)
    return prepare.call(this, sql)
  })
  const journal = openJournal(":memory:", { keptDecisions: 5 })
  // The first read fills the memory from the whole outbox, once.
  journal.countInFlight()
  prepared.clear()
  const order = orderOf("a")
  const event = { atMs: 1, type: "test.event", state: "quoting", body: "{}" }
  journal.openOrder(order, event, { body: "{}", dueAtMs: 1 }, { id: "o", rule: "r", atMs: 1 })
  const step: StepRow = {
    order: { ...order, secretHash: "0x1" },
    event,
    cause: 1,
    work: { body: "{}", dueAtMs: 1 },
    reserve: ["lock/x"],
    release: "lock/",
    signed: null,
    settle: "deposit",
    alerts: [],
    booking: { reversedKeys: ["k"], add: [FEE] },
  }
  journal.commit(step)
  journal.commit({ ...step, cause: 2, release: "all" })
  journal.beginWork(3)
  journal.postponeWork(3, 5)
  journal.findOrder("a")
  journal.hasWork(3)
  journal.listDueWork(9, 9, 9)
  journal.listReserved("base_sepolia/x/", "a")
  journal.isSecretHashKnown("0x1", "b")
  journal.listPaidBy(BTC, "0x1")
  journal.listEvents("a")
  journal.listChangedSince(5)
  journal.listOpenRefs()
  journal.listEndedRefs(5)
  journal.listRejectedFor("some.code", 5, 9)
  for (const scope of [undefined, { rule: "r" }, { from: ETH, to: BTC }, { chain: chainOf(ETH) }])
    journal.countInFlight(scope)
  journal.countPaidOn(chainOf(ETH))
  journal.countOrders()
  journal.sumWindow(5, ETH, "a")
  journal.sumReservedFees(chainOf(ETH), "a")
  journal.sumCommitted(ETH, "a")
  journal.readFailures({ rule: "r" })
  journal.readFailures({ from: ETH, to: BTC })
  journal.countEndings({ from: ETH, to: BTC }, 200)
  journal.sumCorrections({ rule: "r", asset: ETH, sinceMs: 5 })
  journal.findOpenClaim("a", "deposit")
  journal.listOf("a")
  journal.listEntries({ orderId: "a" })
  journal.listEntries({ key: "k" })
  journal.listEntries({ fromMs: 5 })
  journal.listLastPostings({ prefix: "expenses:network:", fromMs: 5, limit: 9 })
  for (const filter of [undefined, { rule: "r", to: BTC, state: "completed", text: "a" }])
    for (const _ of journal.listSummaries({ fromMs: 5, untilMs: 9 }, filter)) break
  journal.listRouteSummaries({ from: ETH, to: BTC }, 12)
  journal.findDueMs("a")
  journal.findOccurrence("o")
  journal.readFlag("pause")
  journal.listAccounts("assets:")
  journal.sumBooks(5, 9)
  journal.listDecisions({ rule: "r", limit: 1_000_000 })
  // The hundredth decision deletes old ones; a decision that is made again drops its inputs.
  for (let n = 0; n < 101; n++) journal.recordDecision(decisionOf(n))
  journal.recordDecision({ ...decisionOf(7), inputs: "others" })

  const plans = [...prepared].filter(isStatement).flatMap((sql) => {
    // CAST: the journal has prepared its statements on it.
    const plan = prepare
      .call(database as unknown as DatabaseSync, `explain query plan ${sql}`)
      .all()
    return plan.map(({ detail }) => `${String(detail)}: ${sql}`)
  })
  const scans = plans.filter(isScan)
  expect(prepared.size).toBeGreaterThan(25)
  expect(plans.filter(isWide)).toEqual([])
  // The index of the ended orders alone: open orders are summed in memory.
  expect(plans).toContainEqual(
    expect.stringMatching(/^SEARCH orders USING INDEX orders_counted_ended \(counted_at>\?\): /),
  )
  expect(scans).toEqual([])
  journal.close()
})

function isStatement(sql: string): boolean {
  return /^(select|update|delete|insert)/.test(sql.trim())
}

const TABLES =
  "orders|o|events|reservations|signing_record|entries|postings|e|r|p|accounts|decisions|decision_orders|decision_inputs"

/**
 * Reading all of these is right: two indexes hold only the resting orders, or only two columns of
 * the ended ones. Everything that a caller asks for as a whole is found by an index too: the books
 * of a span of time (`sumBooks`) by the time of its orders, and the decisions for a report by their
 * rule.
 */
const ALLOWED = /USING (INDEX orders_resting|COVERING INDEX orders_ended): /

function isScan(detail: string): boolean {
  return new RegExp(`^SCAN (${TABLES})\\b`).test(detail) && !ALLOWED.test(detail)
}

/**
 * Nearly all entries have the same value there, or the entries of one order or key are searched by
 * their time.
 */
function isWide(detail: string): boolean {
  const isByTime = /USING INDEX entries_at \(.*: .*\b(order_id|key) = /s.test(detail)
  return /^SEARCH e USING .*\(reverses=\?\)/.test(detail) || isByTime
}

function decisionOf(n: number): NewDecision {
  const texts = { body: `{"n":${n}}`, inputs: `inputs of ${n}` }
  return { id: `d${n}`, atMs: n, rule: "r", verdict: "declined", configHash: null, ...texts }
}

const FEE: LedgerEntry = {
  key: "k",
  kind: "fee",
  tx: null,
  note: null,
  postings: [
    { account: "assets:wallet:x", asset: ETH, units: -1n, fiat: null },
    { account: "expenses:network:deposit", asset: ETH, units: 1n, fiat: null },
  ],
}

function orderOf(id: string): OrderRow {
  return { ...ORDER_ROW, id, from: ETH, to: BTC, sourceUnits: 5n, feeUnits: 4n, createdAtMs: 0 }
}
