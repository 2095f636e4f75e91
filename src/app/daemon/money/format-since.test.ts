import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { formatSince } from "./format-since.ts"

const ETH = parseAssetId("base:eth")
const SOL = parseAssetId("solana:sol")
const unpriced = { price: null, fiat: null, change: null, unbookedFiat: null }
const still = { incoming: "0", outgoing: "0" }

test("says what happened since a time, and what it did to the money", () => {
  const at = "2026-03-01T08:00:00.000Z"
  const lines = formatSince({
    at: "2026-03-01T20:00:00.000Z",
    since: at,
    totalFiat: "784952.123456",
    inFlight: { orders: 0, fiat: "0" },
    unpriced: [ETH, SOL],
    unread: [SOL],
    change: {
      from: at,
      totalFiat: "-6190.76",
      pricesFiat: "1641",
      outsideFiat: "-7616",
      swapsFiat: "-215.76",
    },
    swaps: {
      orders: 3,
      counts: { completed: 2, refunded: 1 },
      volumeFiat: "91801.5",
      costFiat: "215.76",
      costBps: 24,
      unpriced: 0,
      medianMs: 61_000,
      p90Ms: 122_000,
      slowest: { order: "0123456789abcdef", ms: 183_000 },
    },
    assets: [{ asset: ETH, priceAt: at, ...unpriced, ...still }],
    open: [],
    alarms: [{ at, code: "x.y", sentence: "A node was silent", order: null }],
    missed: [{ rule: "fees", runs: 2 }],
  })
  expect(lines.map((line) => line.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d( UTC)?/g, "TIME"))).toEqual(
    [
      "since     TIME",
      "  orders  2 completed, 1 refunded",
      "  moved   91801.50 usd, cost 215.76 usd (24 bps)",
      "  took    half within 1 min, nine of ten within 2 min, slowest 3 min (01234567)",
      "  total   784952.12 usd, -6190.76 usd since TIME (prices +1641.00 usd, paid in and out " +
        "-7616.00 usd, swaps and fees -215.76 usd)",
      "  without solana:sol: no reading",
      "  without base:eth: no price since TIME",
      "  missed  fees: 2 runs came to no swap",
      "  alarm   TIME A node was silent",
    ],
  )
})
