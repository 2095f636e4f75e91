import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { readCapacity } from "./capacity.ts"
import { admitRequest, admitValue, type Limits, type LimitUsage } from "./limits.ts"

const FROM = parseAssetId("a:usd")
const TO = parseAssetId("b:usd")
const QUERY = { rule: "r", from: FROM, to: TO }
const NOW = Date.UTC(2026, 5, 1, 12)

const count = fc.nat(9)
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value)
const amount = fc.bigInt(0n, 400n)

const limits: fc.Arbitrary<Limits> = fc.record({
  maxOrder: fc.constant(null),
  maxInFlight: fc.integer({ min: 4, max: 20 }),
  maxInFlightPerRule: maybe(count),
  maxInFlightPerPair: maybe(count),
  maxInFlightPerChain: maybe(count),
  quietHours: fc.constantFrom([], [{ fromMinute: 600, toMinute: 800, timezone: "UTC", days: [0, 1, 2, 3, 4, 5, 6] }]),
  windows: fc.array(
    fc.record({
      perMs: fc.constant(3_600_000),
      max: maybe(
        fc.oneof(
          amount.map((fiat) => ({ kind: "fiat" as const, fiat })),
          amount.map((units) => ({ kind: "units" as const, byAsset: { [FROM]: units } })),
        ),
      ),
      maxFeesFiat: maybe(amount),
      maxCount: maybe(count),
    }),
    { maxLength: 2 },
  ),
})

const usage: fc.Arbitrary<LimitUsage> = fc.record({
  inFlight: count,
  inFlightOf: fc.record({
    rule: count,
    pair: count,
    chains: fc.tuple(count, count).map(([a, b]) => [
      { chain: toChainId("a"), count: a },
      { chain: toChainId("b"), count: b },
    ]),
  }),
  cooldownUntilMs: maybe(fc.constantFrom(NOW - 1, NOW + 1)),
  windows: fc.array(fc.record({ fiat: amount, feesFiat: amount, count, units: amount }), {
    minLength: 2,
    maxLength: 2,
  }),
})

describe("the capacity of a pair", () => {
  test("allows an order exactly when admission does", () => {
    let allowed = 0
    const order = fc.record({ units: fc.bigInt(1n, 40n), fiat: fc.bigInt(1n, 40n), fees: amount })
    fc.assert(
      fc.property(limits, usage, order, (limit, used, { units, fiat, fees }) => {
        const reasons = [
          ...admitRequest({ ...QUERY, sourceUnits: units, nowMs: NOW }, used, limit),
          ...admitValue({ sourceFiat: fiat, feesFiat: fees }, used, limit),
        ]
        const found = readCapacity(limit, [QUERY], () => used, NOW)
        const fits =
          found.orders > 0 &&
          found.refused.length === 0 &&
          found.counts.every(({ left }) => left > 0) &&
          found.windows.every(
            ({ leftFiat, leftUnits, leftFeesFiat }) =>
              (leftFiat === null || fiat <= leftFiat) &&
              units <= (leftUnits[FROM] ?? units) &&
              (leftFeesFiat === null || fees <= leftFeesFiat),
          )
        expect(fits).toBe(reasons.length === 0)
        if (fits) allowed += 1
      }),
      { numRuns: 10_000, seed: 5 },
    )
    expect(allowed).toBeGreaterThan(100)
  })

  test("names admission's own reasons where it refuses every amount", () => {
    const limit: Limits = { maxOrder: null, maxInFlight: 1, maxInFlightPerPair: 1, windows: [] }
    const chains = ["a", "b"].map((chain) => ({ chain: toChainId(chain), count: 1 }))
    const used: LimitUsage = {
      inFlight: 1,
      inFlightOf: { rule: 1, pair: 1, chains },
      cooldownUntilMs: null,
      windows: [],
    }
    const found = readCapacity(limit, [QUERY], () => used, NOW)
    expect(found.refused).toMatchObject([{ ...QUERY, reasons: [{ code: "limit.in_flight_pair" }] }])
    expect(found.orders).toBe(0)
  })
})
