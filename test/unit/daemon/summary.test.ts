import { tmpdir } from "node:os"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { ACCOUNTS } from "#books/accounts.ts"
import { parseConfig } from "#config/load.ts"
import { createSecretLookup } from "#config/secrets/secrets.ts"
import { readSeries, thinOut } from "#daemon/money/read-series.ts"
import { readSummary } from "#daemon/money/read-summary.ts"
import { readTotal } from "#daemon/money/read-total.ts"
import { parseAssetId } from "#domain/asset.ts"
import { runAtOnce, runSteps } from "#engine/rules/decide/steps.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { encodeJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 5, 2, 12)
const WBTC = parseAssetId("base_sepolia:wbtc")
const CONFIG = parseConfig(
  `treasury: main
service: { url: "http://127.0.0.1:1" }
data_dir: /tmp/none
chains:
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:1"], key: "env:K" }
assets:
  "base_sepolia:eth": { decimals: 18 }
  "base_sepolia:wbtc": { decimals: 8, token: "0x0000000000000000000000000000000000000001" }
`,
  { file: "b.yaml", secrets: createSecretLookup({ K: "k" }, tmpdir()) },
)

let journal: Journal
beforeEach(() => {
  journal = openJournal(":memory:")
})
afterEach(() => journal.close())

function compare(atMs: number, chainUnits: bigint | null, asset = WBTC): void {
  const state = chainUnits === null ? "unreadable" : "agrees"
  const known = { ledgerUnits: null, sinceMs: atMs, alarmedUnits: null }
  journal.saveReconciliation({ asset, atMs, state, chainUnits, ...known })
}
const ETH = parseAssetId("base_sepolia:eth")
const price = (atMs: number, value: bigint | null, asset = WBTC): void =>
  journal.addSample({ series: `price/${asset}`, atMs, value })
const summary = (since: number | null = null) =>
  runAtOnce(
    readSummary(
      { journal, config: CONFIG, nowMs: NOW },
      since === null ? null : new Date(since).toISOString(),
    ),
  )

describe("the total over time", () => {
  const total = () =>
    readTotal({ journal, config: CONFIG, nowMs: NOW }, new Date(NOW - 10 * HOUR).toISOString())

  test("values each reading at its price, with a gap while there is no reading", () => {
    price(NOW - 20 * HOUR, 50_000_000_000n)
    compare(NOW - 8 * HOUR, 100_000_000n)
    price(NOW - 6 * HOUR, 60_000_000_000n)
    compare(NOW - 4 * HOUR, null)
    compare(NOW - 2 * HOUR, 200_000_000n)
    journal.addSample({ series: `transit/${WBTC}`, atMs: NOW - HOUR, value: 50_000_000n })
    const { points } = total()
    expect(points[0]?.at).toBe(new Date(NOW - 8 * HOUR).toISOString())
    const at = (hours: number) =>
      points.findLast((point) => Date.parse(point.at) <= NOW - hours * HOUR)?.amount
    expect([7, 5, 3, 1.5, 0.5].map(at)).toEqual(["50000", "60000", null, "120000", "150000"])
  })

  test("has no point without a price or a reading, and names what it leaves out", () => {
    compare(NOW - 8 * HOUR, 100_000_000n)
    expect(total()).toMatchObject({ points: [], without: [WBTC] })
  })

  test("does not jump when a quote prices one more asset, and says which one it is", () => {
    for (const asset of [WBTC, ETH]) compare(NOW - 8 * HOUR, 100_000_000n, asset)
    price(NOW - 8 * HOUR, 50_000_000_000n)
    const before = total()
    expect(before.without).toEqual([ETH])
    expect(new Set(before.points.map(({ amount }) => amount))).toEqual(new Set(["50000"]))
    // 10 ** -10 of a coin, at 4 000 usd for a whole one.
    price(NOW - 4 * HOUR, 40_000_000_000_000_000_000n, ETH)
    const after = total()
    expect(new Set(after.points.map(({ amount }) => amount))).toEqual(new Set(["54000"]))
    expect(after.points[0]?.at).toBe(before.points[0]?.at)
    const at = new Date(NOW - 4 * HOUR).toISOString()
    expect(after).toMatchObject({ without: [], joined: [{ at, asset: ETH, by: "price" }] })
    expect(after.points.at(-1)?.amount).toBe(summary().totalFiat)
  })

  test("begins when the assets of one start are read, without a step for each", () => {
    for (const asset of [WBTC, ETH]) price(NOW - 9 * HOUR, 50_000_000_000n, asset)
    compare(NOW - 8 * HOUR, 100_000_000n)
    compare(NOW - 8 * HOUR + 60_000, 10n ** 18n, ETH)
    const { points, joined } = total()
    expect(points[0]?.at).toBe(new Date(NOW - 8 * HOUR + 60_000).toISOString())
    expect(new Set(points.map(({ amount }) => amount))).toEqual(new Set(["100000"]))
    expect(joined).toEqual([])
  })

  test("marks the first reading of an asset that joins later", () => {
    compare(NOW - 8 * HOUR, 100_000_000n)
    for (const asset of [WBTC, ETH]) price(NOW - 9 * HOUR, 50_000_000_000n, asset)
    compare(NOW - 3 * HOUR, 10n ** 18n, ETH)
    const at = new Date(NOW - 3 * HOUR).toISOString()
    expect(total().joined).toEqual([{ at, asset: ETH, by: "reading" }])
  })

  test("has a gap where the last price was older than a day, but an empty wallet has none", () => {
    compare(NOW - 50 * HOUR, 100_000_000n)
    price(NOW - 60 * HOUR, 50_000_000_000n)
    price(NOW - 5 * HOUR, 60_000_000_000n)
    compare(NOW - 50 * HOUR, 0n, ETH)
    price(NOW - HOUR, 1n, ETH)
    const since = new Date(NOW - 50 * HOUR).toISOString()
    const { points, joined } = readTotal({ journal, config: CONFIG, nowMs: NOW }, since)
    const at = (hours: number) =>
      points.findLast((point) => Date.parse(point.at) <= NOW - hours * HOUR)?.amount
    expect([49, 20, 4].map(at)).toEqual(["50000", null, "60000"])
    expect(joined).toEqual([])
  })
})

describe("the summary of a treasury", () => {
  test("values the wallets now, and splits the change of a day", () => {
    compare(NOW - 30 * HOUR, 100_000_000n)
    price(NOW - 30 * HOUR, 50_000_000_000n)
    compare(NOW - HOUR, 150_000_000n)
    price(NOW - HOUR, 60_000_000_000n)
    const posting = { asset: WBTC, fiat: null }
    journal.book(
      {
        reversedKeys: [],
        add: [
          {
            key: "outside:1",
            kind: "outside",
            tx: null,
            note: null,
            postings: [
              { ...posting, account: "assets:wallet:base_sepolia", units: 51_000_000n },
              { ...posting, account: ACCOUNTS.outside, units: -51_000_000n },
            ],
          },
        ],
      },
      { orderId: null, atMs: NOW - HOUR },
    )
    expect(summary()).toMatchObject({
      totalFiat: "90000",
      change: {
        from: new Date(NOW - 24 * HOUR).toISOString(),
        totalFiat: "40000",
        pricesFiat: "10000",
        outsideFiat: "30600",
        swapsFiat: "-600",
      },
      unread: ["base_sepolia:eth"],
    })
    expect(summary().assets[1]).toMatchObject({ fiat: "90000", price: "60000", change: "0.5" })
  })

  test.each([
    ["difference", 40_000_000n, "-30000"],
    ["surplus", 130_000_000n, "15000"],
  ] as const)("a %s that is not booked yet is no cost of swaps", (state, chainUnits, expected) => {
    const known = { asset: WBTC, ledgerUnits: 100_000_000n, alarmedUnits: null }
    compare(NOW - 2 * HOUR, 100_000_000n)
    price(NOW - 2 * HOUR, 50_000_000_000n)
    const atMs = NOW - HOUR
    journal.saveReconciliation({ ...known, atMs, sinceMs: atMs, state, chainUnits })
    expect(summary().change).toMatchObject({ outsideFiat: expected, swapsFiat: "0" })
    expect(summary().assets[1]?.unbookedFiat).toBe(expected)
  })

  test("lets other work go between its long reads", async () => {
    const seen: string[] = []
    const watched = new Proxy(journal, {
      get: (target, name) => {
        if (name === "sumBooks" || name === "listOrders") seen.push(name)
        return Reflect.get(target, name)
      },
    })
    const turn = async () => void seen.push("turn")
    await runSteps(readSummary({ journal: watched, config: CONFIG, nowMs: NOW, turn }, null))
    expect(seen).toEqual(["listOrders", "turn", "sumBooks", "sumBooks", "turn", "listOrders"])
  })

  test("a young treasury is compared with its first reading, and says so", () => {
    compare(NOW - 2 * HOUR, 100_000_000n)
    price(NOW - 2 * HOUR, 50_000_000_000n)
    expect(summary().change).toMatchObject({
      from: new Date(NOW - 2 * HOUR).toISOString(),
      totalFiat: "0",
    })
  })

  test("a price that failed later is used with its age, and an asset without one is named", () => {
    compare(NOW - 2 * HOUR, 100_000_000n)
    expect(summary()).toMatchObject({ totalFiat: "0", unpriced: ["base_sepolia:eth", WBTC] })
    price(NOW - 2 * HOUR, 50_000_000_000n)
    price(NOW - HOUR, null)
    expect(summary()).toMatchObject({ totalFiat: "50000" })
    expect(summary().assets[1]?.priceAt).toBe(new Date(NOW - 2 * HOUR).toISOString())
  })

  test("a price of a day before is none: the amount says since when, whatever is compared", () => {
    compare(NOW - 40 * HOUR, 100_000_000n)
    compare(NOW - 2 * HOUR, 100_000_000n)
    price(NOW - 30 * HOUR, 50_000_000_000n)
    price(NOW - 2 * HOUR, null)
    for (const since of [NOW - HOUR, null, NOW - 40 * HOUR]) {
      const shown = summary(since)
      expect(shown).toMatchObject({ totalFiat: "0", unpriced: ["base_sepolia:eth", WBTC] })
      const priceAt = new Date(NOW - 30 * HOUR).toISOString()
      expect(shown.assets).toMatchObject([{ priceAt: null }, { price: null, fiat: null, priceAt }])
    }
  })
})

describe("the series of an asset", () => {
  const series = (sinceMs: number) =>
    readSeries(
      { journal, config: CONFIG, nowMs: NOW },
      WBTC,
      new Date(sinceMs).toISOString(),
    )?.points.map(({ at, amount }) => [(Date.parse(at) - NOW) / HOUR, amount])

  test("has the fall of a wallet that the books do not know", () => {
    compare(NOW - 2 * HOUR, 100_000_000n)
    compare(NOW - HOUR, 0n)
    expect(series(NOW - 3 * HOUR)).toEqual([
      [-2, "1"],
      [-1, "0"],
    ])
  })

  test("shows a failed reading and a silence as gaps", () => {
    compare(NOW - 9 * HOUR, 100_000_000n)
    compare(NOW - 8 * HOUR, null)
    compare(NOW - 7 * HOUR, 100_000_000n)
    compare(NOW - HOUR, 100_000_000n)
    expect(series(NOW - 24 * HOUR)).toEqual([
      [-9, "1"],
      [-8, null],
      [-7, "1"],
      [-5, null],
      [-1, "1"],
    ])
  })

  test("has the bands of its time, the first from the start of the span", () => {
    const band = { minUnits: 1_000_000n, targetUnits: 2_000_000n, maxUnits: null }
    journal.writeFlag(
      `bands/${WBTC}`,
      encodeJson([
        { atMs: NOW - 9 * HOUR, band: { ...band, minUnits: 0n } },
        { atMs: NOW - 5 * HOUR, band },
        { atMs: NOW - HOUR, band: null },
      ]),
    )
    const since = new Date(NOW - 3 * HOUR).toISOString()
    expect(readSeries({ journal, config: CONFIG, nowMs: NOW }, WBTC, since)?.bands).toEqual([
      { from: since, bound: { min: "0.01", target: "0.02", max: null } },
      { from: new Date(NOW - HOUR).toISOString(), bound: null },
    ])
  })

  test("is of no other asset", () => {
    expect(readSeries({ journal, config: CONFIG, nowMs: NOW }, "base:none", null)).toBeNull()
  })

  test("keeps a short fall among thousands of points", () => {
    const rows = Array.from({ length: 4_000 }, (_, index) => ({
      atMs: index,
      value: index === 1_234 ? 3n : 100n,
    }))
    const kept = thinOut(rows)
    expect(kept.length).toBeLessThanOrEqual(200)
    expect(kept).toContainEqual({ atMs: 1_234, value: 3n })
    expect(kept.map(({ atMs }) => atMs)).toEqual(
      kept.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
    )
  })
})
