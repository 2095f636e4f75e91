import { tmpdir } from "node:os"
import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { createSecretLookup } from "#config/secrets/secrets.ts"
import { readOverview } from "#daemon/views/read-overview.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { Journal } from "#ports/journal.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const DAY_MS = 24 * 3_600_000
const COINS = ["first", "second", "third"].map((chain) => parseAssetId(`${chain}:eth`))
const chains = COINS.map(
  (_, at) =>
    `  ${["first", "second", "third"][at]}: { family: evm, chain_id: ${1_001 + at}, rpc: ` +
    `["http://127.0.0.1:1"], key: "env:K" }`,
)
const assets = COINS.map(
  (coin) => `  "${coin}": { decimals: 18, htlc: ["0x00000000000000000000000000000000000000aa"] }`,
)
const CONFIG = `
service: { url: "http://127.0.0.1:1" }
chains:
${chains.join("\n")}
assets:
${assets.join("\n")}
rules: []
`
const config = parseConfig(CONFIG, {
  file: "ballast.yaml",
  secrets: createSecretLookup({ K: "k" }, tmpdir()),
})

test("the fees of a week are read once for all chains, and each chain's coin counts its own", () => {
  const journal = openJournal(":memory:")
  const pay = createPayer(journal)
  reconcile(journal)
  const [first = parseAssetId("a:b"), second = first] = COINS
  for (let day = 0; day < 7; day++) pay(first, 10n ** 16n, NOW - day * DAY_MS - 1_000)
  pay(second, 7n * 10n ** 16n, NOW - 1_000)
  pay(second, 10n ** 18n, NOW - 8 * DAY_MS)
  let asked = 0
  const counted = {
    ...journal,
    listLastPostings: (query: Parameters<typeof journal.listLastPostings>[0]) => {
      asked++
      return journal.listLastPostings(query)
    },
    listEntries: () => {
      throw new Error("a week of entries takes too long")
    },
  }
  const { gas } = readOverview({
    journal: counted,
    nowMs: NOW,
    dataDir: tmpdir(),
    config,
    daemon,
    live: null,
  })
  expect(asked).toBe(1)
  const [a, b, c] = gas.map(({ daysLeft }) => daysLeft)
  expect([a, c]).toEqual([b, null])
  expect(a).toBeGreaterThan(50)
  journal.close()
})

test("the last fees of a busy week tell its pace, and their number bounds the work", () => {
  const journal = openJournal(":memory:")
  const pay = createPayer(journal)
  reconcile(journal)
  const [coin = parseAssetId("a:b")] = COINS
  // Dear fees of some days ago, and 6 000 cheap ones in the last hour.
  pay(coin, 10n ** 17n, NOW - 3 * DAY_MS)
  for (let n = 0; n < 6_000; n++) pay(coin, 10n ** 12n, NOW - n * 600)
  let most = 0
  const counted = {
    ...journal,
    listLastPostings: (query: Parameters<typeof journal.listLastPostings>[0]) => {
      const postings = journal.listLastPostings(query)
      most = Math.max(most, postings.length)
      return postings
    },
  }
  const { gas } = readOverview({
    journal: counted,
    nowMs: NOW,
    dataDir: tmpdir(),
    config,
    daemon,
    live: null,
  })
  expect(most).toBe(5_000)
  // 144 000 fees a day take 0.144 coins of the one that is there.
  expect(gas[0]?.daysLeft).toBe(6)
  journal.close()
})

function createPayer(journal: Journal) {
  return (asset: AssetId, units: bigint, atMs: number): void =>
    journal.book(
      {
        reversedKeys: [],
        add: [
          {
            key: `${asset} ${atMs}`,
            kind: "fee",
            tx: null,
            note: null,
            postings: [
              { account: "assets:wallet:x", asset, units: -units, fiat: null },
              { account: "expenses:network:deposit", asset, units, fiat: null },
            ],
          },
        ],
      },
      { orderId: null, atMs },
    )
}

const daemon = { answers: true, pid: 1, startedAtMs: NOW, version: "1", waitsFor: [] }

function reconcile(journal: Journal): void {
  for (const asset of COINS)
    journal.saveReconciliation({
      asset,
      atMs: NOW,
      state: "agrees",
      ledgerUnits: 10n ** 18n,
      chainUnits: 10n ** 18n,
      sinceMs: NOW,
      alarmedUnits: null,
    })
}
