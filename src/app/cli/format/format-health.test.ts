import { expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { describeOverview } from "#health/describe-overview.ts"
import type { Readings } from "#health/readings.ts"
import { formatHealth } from "./format-health.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const SOL = parseAssetId("solana_testnet:sol")
const BTC = parseAssetId("bitcoin_testnet:btc")
const well: Readings = {
  nowMs: NOW,
  daemon: { answers: true, pid: 7, lastSeenMs: NOW, startedAtMs: NOW, version: "1", waitsFor: [] },
  mode: "live",
  pause: null,
  pausedChains: [],
  pausedRules: [],
  nodes: [],
  services: [],
  clockJump: null,
  treasury: [],
  gas: [],
  orders: [],
  rules: [],
  limits: [],
  alarms: [],
  freeBytes: 9e9,
}

function show(change: Partial<Readings>): string {
  const parts = formatHealth(describeOverview({ ...well, ...change }, 30_000))
  return parts.map(({ text }) => text).join("\n")
}

test("a sentence that names the time left is not followed by it once more", () => {
  const deadline = {
    atMs: NOW + 4 * 60_000,
    what: "the approval expires",
    kind: "approval" as const,
  }
  const waiting = {
    state: "awaiting-approval",
    money: "in the wallet",
    sinceMs: NOW,
    held: false,
    reasons: [],
    deadline,
  }
  const order = {
    id: "5f3a00112233",
    rule: "dca",
    from: SOL,
    to: BTC,
    amount: "1.5",
    destinationAmount: "0.002",
  }
  const text = show({ orders: [{ ...order, ...waiting }] })
  expect(text).toContain("waits for your approval; it expires in 4 min\n")
  expect(text).not.toContain("left)")
})

test("coin for fees that lasts for years is not counted in days", () => {
  const gas = {
    chain: toChainId("solana_testnet"),
    symbol: "SOL",
    decimals: 9,
    atMs: NOW,
    neededUnits: 1n,
  }
  const after = (days: bigint) => show({ gas: [{ ...gas, units: days * 10n, perDayUnits: 10n }] })
  expect(after(376_871n)).toContain("enough for more than a year")
  expect(after(90n)).toContain("enough for 89 d")
})
