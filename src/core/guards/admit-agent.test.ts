import { expect, test } from "vitest"
import type { AgentLimits } from "#domain/agent.ts"
import { parseAssetId } from "#domain/asset.ts"
import { type AgentUsage, admitAgent } from "./admit-agent.ts"

const FROM = parseAssetId("base:usdc")
const TO = parseAssetId("bitcoin:btc")
const LIMITS: AgentLimits = {
  pairs: [{ from: FROM, to: TO }],
  maxOrderFiat: 200n,
  maxDayFiat: 500n,
  maxDayCount: 3,
  maxInFlight: 2,
  approveAboveFiat: 0n,
}
const NONE: AgentUsage = { fiat: 0n, unknown: 0, count: 0, inFlight: 0 }

const codes = (
  fiat: bigint | null,
  usage: Partial<AgentUsage> = {},
  pair = { from: FROM, to: TO },
) => admitAgent({ ...pair, fiat }, { ...NONE, ...usage }, LIMITS).map(({ code }) => code)

test("each limit of an agent refuses one step above it, and not at it", () => {
  expect(codes(200n, { fiat: 300n, count: 2, inFlight: 1 })).toEqual([])
  expect(codes(201n)).toEqual(["agent.order"])
  expect(codes(200n, { fiat: 301n })).toEqual(["agent.day"])
  expect(codes(1n, { count: 3 })).toEqual(["agent.day_count"])
  expect(codes(1n, { inFlight: 2 })).toEqual(["agent.in_flight"])
  expect(codes(1n, {}, { from: TO, to: FROM })).toEqual(["agent.pair"])
})

test("an unknown value of this order or of an earlier one refuses", () => {
  expect(codes(null)).toEqual(["agent.unpriced"])
  expect(codes(1n, { unknown: 1 })).toEqual(["agent.unpriced"])
})
