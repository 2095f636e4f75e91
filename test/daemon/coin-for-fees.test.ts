import { tmpdir } from "node:os"
import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { createSecretLookup } from "#config/secrets.ts"
import { readOverview } from "#daemon/read-overview.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"

const [NOW, DAY_MS] = [Date.parse("2026-03-04T09:30:00Z"), 24 * 3_600_000]
const COINS = ["first", "second", "third"].map((chain) => parseAssetId(`${chain}:eth`))
const chains = COINS.map(
  (_, at) =>
    `  ${["first", "second", "third"][at]}: { family: evm, chain_id: ${1_001 + at}, rpc: ["http://127.0.0.1:1"], key: "env:K" }`,
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
const config = parseConfig(CONFIG, { file: "ballast.yaml", secrets: createSecretLookup({ K: "k" }, tmpdir()) })

test("the fees of a week are read once for all chains, and each chain's coin counts its own", () => {
  const journal = openJournal(":memory:")
  const pay = (asset: AssetId, units: bigint, atMs: number): void =>
    journal.book(
      {
        reversedKeys: [],
        add: [
          {
            ...{ key: `${asset} ${atMs}`, kind: "fee", tx: null, note: null },
            postings: [
              { account: "assets:wallet:x", asset, units: -units, fiat: null },
              { account: "expenses:network:deposit", asset, units, fiat: null },
            ],
          },
        ],
      },
      { orderId: null, atMs },
    )
  const [first = parseAssetId("a:b"), second = first] = COINS
  for (const asset of COINS)
    journal.saveReconciliation({
      ...{ asset, atMs: NOW, state: "agrees", ledgerUnits: 10n ** 18n, chainUnits: 10n ** 18n, sinceMs: NOW },
      alarmedUnits: null,
    })
  for (let day = 0; day < 7; day++) pay(first, 10n ** 16n, NOW - day * DAY_MS - 1_000)
  pay(second, 7n * 10n ** 16n, NOW - 1_000)
  pay(second, 10n ** 18n, NOW - 8 * DAY_MS)
  let asked = 0
  const counted = {
    ...journal,
    listEntries: (query: Parameters<typeof journal.listEntries>[0]) => {
      asked++
      return journal.listEntries(query)
    },
  }
  const daemon = { answers: true, pid: 1, startedAtMs: NOW, version: "1", waitsFor: [] }
  const { gas } = readOverview({ journal: counted, nowMs: NOW, dataDir: tmpdir(), config, daemon, live: null })
  expect(asked).toBe(1)
  const [a, b, c] = gas.map(({ daysLeft }) => daysLeft)
  expect([a, c]).toEqual([b, null])
  expect(a).toBeGreaterThan(50)
  journal.close()
})
