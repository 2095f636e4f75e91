import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { encodeJson } from "#lib/json.ts"
import type { AccountRow } from "#ports/journal/ledger.ts"
import { listPaperSwaps, openPaperBook, paperSinceMs } from "./paper-book.ts"

const COIN = parseAssetId("one:coin")
const CASH = parseAssetId("two:cash")
const OBSERVED = { refused: [{ code: "mode.observe", message: "Observe mode" }] }
const REFUSED = { refused: [...OBSERVED.refused, { code: "limit.in_flight", message: "Full" }] }

/** The books of a daemon that swapped 400 of 1000 coins for 390 of cash. */
const BOOKS: readonly AccountRow[] = [
  { account: "assets:wallet:one", asset: COIN, units: 600n },
  { account: "assets:wallet:two", asset: CASH, units: 390n },
  { account: "equity:exchange", asset: COIN, units: 400n },
  { account: "equity:exchange", asset: CASH, units: -390n },
  { account: "equity:opening", asset: COIN, units: -1000n },
]

function followedWith(rows: readonly AccountRow[]) {
  return {
    listAccounts: (prefix: string) => rows.filter(({ account }) => account.startsWith(prefix)),
    listLastPostings: () => [],
  }
}

function decision(id: string, outcome: unknown) {
  const asked = { from: COIN, to: CASH, units: 100n, receiveUnits: 98n, costFiat: 2n }
  const proposal = { rules: ["a", "b"], occurrence: null, destination: null, why: [], ...asked }
  const assets = [{ id: COIN, decimals: 0, priceFiat: 5n, balance: {} }]
  return {
    id,
    atMs: 50,
    rule: "a",
    verdict: "proposed" as const,
    body: encodeJson({
      version: 1,
      occurrence: null,
      decided: { proposals: [proposal], reasons: [], plan: null },
      outcomes: [outcome],
    }),
    inputs: encodeJson({ view: { assets, pairs: [] } }),
    configHash: null,
  }
}

test("the daemon's own swaps are no facts, and each asked swap moves the paper once", () => {
  const own = openJournal(":memory:")
  const { journal, unitsOf } = openPaperBook(own, followedWith(BOOKS), 10)
  expect([unitsOf(COIN), unitsOf(CASH)]).toEqual([600n, 390n])
  journal.recordDecision(decision("a@1", OBSERVED))
  journal.recordDecision(decision("a@1", OBSERVED))
  journal.recordDecision({ ...decision("b@1", OBSERVED), rule: "b" })
  journal.recordDecision(decision("a@2", REFUSED))
  expect([unitsOf(COIN), unitsOf(CASH)]).toEqual([500n, 488n])
  expect(journal.sumWindow(49, COIN, null)).toEqual({
    fiat: 500n,
    feesFiat: 2n,
    count: 1,
    units: 100n,
  })
  expect(journal.sumWindow(50, COIN, null).count).toBe(0)
  expect(journal.findDecision("a@2")?.rule).toBe("a")
})

test("after a restart the paper goes on, with what came from outside meanwhile", () => {
  const own = openJournal(":memory:")
  openPaperBook(own, followedWith(BOOKS), 10).journal.recordDecision(decision("a@1", OBSERVED))
  const later = [
    ...BOOKS.filter(({ account }) => account !== "assets:wallet:one"),
    { account: "assets:wallet:one", asset: COIN, units: 850n },
    { account: "equity:outside", asset: COIN, units: -250n },
  ]
  const { unitsOf } = openPaperBook(own, followedWith(later), 99)
  expect([unitsOf(COIN), unitsOf(CASH)]).toEqual([750n, 488n])
  expect(paperSinceMs(own)).toBe(10)
  expect([...listPaperSwaps(own)]).toMatchObject([{ id: "a@1 0", soldFiat: 500n, costFiat: 2n }])
})
