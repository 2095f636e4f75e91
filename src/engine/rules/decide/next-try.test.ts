import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import type { DueEntry } from "../tick/due-list.ts"
import { decideNextTry, type Tried } from "./next-try.ts"

const NOW = 1_000_000_000
const FROM = parseAssetId("a:usd")
const TO = parseAssetId("b:usd")
const sweepEvery = (everyMs: number): TimedRule => ({
  id: "sweep",
  kind: "sweep",
  from: FROM,
  to: TO,
  keepUnits: 0n,
  everyMs,
})
const dca: TimedRule = {
  id: "dca",
  kind: "recurring",
  from: FROM,
  to: TO,
  amount: { kind: "units", units: 1n },
  schedule: "0 9 * * *",
  timezone: "UTC",
  catchUp: "skip",
}

/** The wait before the next try; `null` for none. */
function waitOf(entry: DueEntry, codes: readonly string[], over: Partial<Tried> = {}) {
  const reasons = codes.map((code) => ({ code }))
  const next = decideNextTry(entry, {
    reasons,
    isOrdered: false,
    firstMs: NOW,
    nowMs: NOW,
    ...over,
  })
  return next === null ? null : next - NOW
}

describe("a standing rule", () => {
  const entry = (everyMs: number): DueEntry => {
    return { rule: "sweep", occurrence: null, of: sweepEvery(everyMs), at: null }
  }

  test("waits for its interval, and ten seconds at most after a failed read", () => {
    expect(waitOf(entry(60_000), ["policy.below_keep"])).toBe(60_000)
    expect(waitOf(entry(60_000), ["policy.below_keep", "funds.unreadable"])).toBe(10_000)
    expect(waitOf(entry(4_000), ["policy.view_incomplete"])).toBe(4_000)
    expect(waitOf(entry(60_000), ["policy.order_count"])).toBe(60_000)
    expect(waitOf(entry(60_000), [], { isOrdered: true })).toBe(60_000)
  })
})

describe("an occurrence", () => {
  const entry = (closesMs: number): DueEntry => {
    const at = { id: "dca@1", rule: "dca", atMs: NOW, dueMs: NOW, closesMs }
    return { rule: "dca", occurrence: at.id, of: dca, at: { ...at, action: "fire" } }
  }
  const FAILED = [
    "policy.view_incomplete",
    "policy.price_missing",
    "policy.quote_missing",
    "policy.amount_unknown",
    "funds.unreadable",
  ]
  const LATER = ["policy.order_count", "limit.in_flight"]
  const ROSE = ["funds.insufficient", "funds.gas", "policy.gas"]

  test("is settled by an order, or by a refusal at the end of its window", () => {
    expect(waitOf(entry(NOW + 60_000), [], { isOrdered: true })).toBeNull()
    expect(waitOf(entry(NOW + 1), ["policy.too_dear"])).toBe(30_000)
    expect(waitOf(entry(NOW), ["policy.too_dear"])).toBeNull()
  })

  test.each([...FAILED, ...LATER, ...ROSE])("is tried for ten more minutes after %s", (code) => {
    const grace = 10 * 60_000
    expect(waitOf(entry(NOW), ["policy.too_dear", code])).toBe(10_000)
    expect(waitOf(entry(NOW - grace + 1), [code], { firstMs: 0 })).toBe(10_000)
    expect(waitOf(entry(NOW - grace), [code], { firstMs: 0 })).toBeNull()
    expect(waitOf(entry(NOW - grace), [code], { firstMs: NOW - grace + 1 })).toBe(10_000)
  })
})
