import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { LedgerEntry } from "#domain/ledger.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { Journal } from "#ports/journal.ts"
import { findLedgerFaults } from "../../support/check-ledger.ts"
import { ORDER_ROW } from "../../support/order-row.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const ETH = parseAssetId("base_sepolia:eth")
const NOBODY = { orderId: null, atMs: 5 }

let directory: string
let file: string
let journal: Journal
beforeEach(() => {
  directory = temporaryFolder("ledger")
  file = join(directory, "journal.db")
  journal = openJournal(file)
})
afterEach(() => journal.close())

function fee(key: string, units: bigint): LedgerEntry {
  const postings = [
    { account: "assets:wallet:base_sepolia", asset: ETH, units: -units, fiat: null },
    { account: "expenses:network:deposit", asset: ETH, units, fiat: 7n },
  ]
  return { key, kind: "fee", tx: key, note: null, postings }
}

describe("the ledger in the journal", () => {
  test("keeps amounts of any size, and their sums", () => {
    journal.book({ reversedKeys: [], add: [fee("a", 10n ** 30n), fee("b", 1n)] }, NOBODY)
    expect(journal.listAccounts("assets:")).toEqual([
      { account: "assets:wallet:base_sepolia", asset: ETH, units: -(10n ** 30n) - 1n },
    ])
    expect(journal.listEntries({ key: "a" })).toMatchObject([
      { ...fee("a", 10n ** 30n), atMs: 5, reverses: null },
    ])
    expect(findLedgerFaults(journal)).toEqual([])
  })

  test("reverses an entry with another one, once, and books it again", () => {
    journal.book({ reversedKeys: [], add: [fee("a", 3n)] }, NOBODY)
    journal.book({ reversedKeys: ["a"], add: [] }, NOBODY)
    journal.book({ reversedKeys: ["a", "unknown"], add: [] }, NOBODY)
    expect(journal.listAccounts("")).toEqual([])
    journal.book({ reversedKeys: [], add: [fee("a", 4n)] }, NOBODY)
    const entries = journal.listEntries({})
    expect(entries.map(({ reverses }) => reverses)).toEqual([null, entries[0]?.id, null])
    expect(journal.listAccounts("expenses:")).toMatchObject([{ units: 4n }])
  })

  test("books an entry once, also when two readers of the chain report it side by side", () => {
    journal.book({ reversedKeys: [], add: [fee("a", 3n)] }, NOBODY)
    journal.book({ reversedKeys: [], add: [fee("a", 3n), fee("b", 1n)] }, NOBODY)
    expect(journal.listEntries({}).map(({ key }) => key)).toEqual(["a", "b"])
    expect(journal.listAccounts("expenses:")).toMatchObject([{ units: 4n }])
    expect(findLedgerFaults(journal)).toEqual([])
  })

  test("moves a fee without an order to the order that books it too", () => {
    const ofOrder = { orderId: "x", atMs: 6 }
    const booked = { ...fee("fee:0x1", 3n), tx: "0x1" }
    openOrder("x")
    journal.book({ reversedKeys: [], add: [booked, fee("b", 1n)] }, NOBODY)
    journal.book({ reversedKeys: [], add: [booked] }, ofOrder)
    journal.book({ reversedKeys: [], add: [booked] }, ofOrder)
    const entries = journal.listEntries({ key: "fee:0x1" })
    expect(entries.map(({ orderId, note }) => [orderId, note])).toEqual([
      [null, null],
      [null, "now booked with its order"],
      ["x", null],
    ])
    expect(journal.listAccounts("expenses:")).toMatchObject([{ units: 4n }])
    expect(findLedgerFaults(journal)).toEqual([])
  })

  test("refuses an entry that does not balance, and the rest of its booking", () => {
    const [first] = fee("b", 2n).postings
    const unbalanced = { ...fee("b", 2n), postings: first ? [first] : [] }
    expect(() =>
      journal.book({ reversedKeys: [], add: [fee("a", 1n), unbalanced] }, NOBODY),
    ).toThrow(expect.objectContaining({ code: "books.unbalanced" }))
    expect(journal.listEntries({})).toEqual([])
  })

  test("refuses to change or delete an entry", () => {
    journal.book({ reversedKeys: [], add: [fee("a", 1n)] }, NOBODY)
    const db = new DatabaseSync(file)
    for (const sql of [
      "delete from postings",
      "update postings set units = '0'",
      "delete from entries",
      "update entries set at = 0",
    ]) {
      expect(() => db.exec(sql), sql).toThrow("append-only")
    }
    db.close()
  })

  test("lists the entries of a period, without those at its end", () => {
    for (const atMs of [1, 2, 3])
      journal.book({ reversedKeys: [], add: [fee(String(atMs), 1n)] }, { orderId: null, atMs })
    expect(journal.listEntries({ fromMs: 2, untilMs: 3 }).map(({ key }) => key)).toEqual(["2"])
  })

  test("keeps the assets of one account apart", () => {
    const wbtc = parseAssetId("base_sepolia:wbtc")
    const other = {
      ...fee("b", 5n),
      postings: fee("b", 5n).postings.map((line) => ({ ...line, asset: wbtc })),
    }
    journal.book({ reversedKeys: [], add: [fee("a", 3n), other, fee("c", 4n)] }, NOBODY)
    expect(journal.listAccounts("expenses:").map(({ asset, units }) => [asset, units])).toEqual([
      [ETH, 7n],
      [wbtc, 5n],
    ])
  })

  test("lists the last postings, and without those of orders where they are asked so", () => {
    openOrder("x")
    journal.book({ reversedKeys: [], add: [fee("a", 3n)] }, { orderId: "x", atMs: 5 })
    journal.book({ reversedKeys: [], add: [fee("b", 4n)] }, { ...NOBODY, atMs: 6 })
    const query = { prefix: "expenses:", fromMs: 0, limit: 9 }
    expect(journal.listLastPostings(query).map(({ units }) => units)).toEqual([4n, 3n])
    const alone = journal.listLastPostings({ ...query, ofOrders: false })
    expect(alone).toEqual([{ atMs: 6, asset: ETH, units: 4n }])
  })

  test("reverses the entry of one order, and not those of others with the same key", () => {
    for (const orderId of [null, "x", "y"]) {
      if (orderId !== null) openOrder(orderId)
      journal.book({ reversedKeys: [], add: [fee("a", 3n)] }, { orderId, atMs: 5 })
    }
    journal.book({ reversedKeys: ["a"], add: [] }, { orderId: "x", atMs: 6 })
    const reversal = journal.listEntries({}).find(({ reverses }) => reverses !== null)
    const [booked] = journal.listEntries({ orderId: "x" })
    expect(reversal).toMatchObject({ orderId: "x", atMs: 6, key: "a", reverses: booked?.id })
    expect(journal.listEntries({ orderId: "x" }).map(({ reverses }) => reverses !== null)).toEqual([
      false,
      true,
    ])
    expect(journal.listEntries({ orderId: "y" })).toHaveLength(1)
    journal.book({ reversedKeys: ["a"], add: [] }, NOBODY)
    expect(journal.listAccounts("expenses:")).toMatchObject([{ units: 3n }])
  })
})

function openOrder(id: string): void {
  journal.openOrder(
    { ...ORDER_ROW, id, state: "any", from: ETH, to: ETH },
    { atMs: 1, type: "order.opened", state: "any", body: "{}" },
    null,
    null,
  )
}
