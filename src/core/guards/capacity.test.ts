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
  quietHours: fc.constantFrom(
    [],
    [{ fromMinute: 600, toMinute: 800, timezone: "UTC", days: [0, 1, 2, 3, 4, 5, 6] }],
  ),
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

  test("tells the rest of each window, of each count, and of all orders", () => {
    const fiat = {
      perMs: null,
      max: { kind: "fiat", fiat: 100n },
      maxFeesFiat: 9n,
      maxCount: 5,
    } as const
    const byAsset = { [FROM]: 50n }
    const units = {
      perMs: 3_600_000,
      max: { kind: "units", byAsset },
      maxFeesFiat: null,
      maxCount: null,
    } as const
    const limit: Limits = {
      maxOrder: null,
      maxInFlight: 8,
      maxInFlightPerRule: 6,
      windows: [fiat, units],
    }
    const used: LimitUsage = {
      inFlight: 2,
      inFlightOf: { rule: 1, pair: 1, chains: [] },
      cooldownUntilMs: null,
      windows: [
        { fiat: 60n, feesFiat: 4n, count: 2, units: 7n },
        { fiat: 0n, feesFiat: 0n, count: 0, units: 30n },
      ],
    }
    const found = readCapacity(limit, [QUERY, { ...QUERY, from: TO, to: FROM }], () => used, NOW)
    expect(found.orders).toBe(3)
    expect(found.counts).toMatchObject([
      { rule: "r", left: 5, reason: { code: "limit.in_flight_rule", max: "6" } },
    ])
    expect(found.windows).toEqual([
      { per: "the lifetime", leftFiat: 40n, maxFiat: 100n, leftUnits: {}, leftFeesFiat: 5n },
      {
        per: "3600 s",
        leftFiat: null,
        maxFiat: null,
        leftUnits: { [FROM]: 20n },
        leftFeesFiat: null,
      },
    ])
    expect(found.refused).toEqual([])
  })

  test("is the whole limit while nothing counts, and never less than nothing", () => {
    const fiat = {
      perMs: 1_000,
      max: { kind: "fiat", fiat: 100n },
      maxFeesFiat: 9n,
      maxCount: 5,
    } as const
    const byAsset = { [FROM]: 50n }
    const units = {
      perMs: 1_000,
      max: { kind: "units", byAsset },
      maxFeesFiat: null,
      maxCount: null,
    } as const
    const limit: Limits = { maxOrder: null, maxInFlight: 8, windows: [fiat, units] }
    const none: LimitUsage = {
      inFlight: 0,
      inFlightOf: { rule: 0, pair: 0, chains: [] },
      cooldownUntilMs: null,
      windows: [],
    }
    const unused = readCapacity(limit, [QUERY], () => none, NOW)
    expect(unused).toMatchObject({ orders: 5, windows: [{ leftFiat: 100n, leftFeesFiat: 9n }, {}] })
    expect(unused.windows[1]?.leftUnits).toEqual({ [FROM]: 50n })
    expect(readCapacity(limit, [], () => none, NOW)).toMatchObject({
      orders: 5,
      counts: [],
      refused: [],
    })
    const over = { fiat: 101n, feesFiat: 10n, count: 6, units: 51n }
    const spent = readCapacity(
      limit,
      [QUERY],
      () => ({ ...none, inFlight: 9, windows: [over, over] }),
      NOW,
    )
    expect(spent).toMatchObject({ orders: 0, windows: [{ leftFiat: 0n, leftFeesFiat: 0n }, {}] })
    expect(spent.windows[1]?.leftUnits).toEqual({ [FROM]: 0n })
  })

  test("counts each rule, each pair and each chain once, and an order at both of its chains", () => {
    const limit: Limits = {
      maxOrder: null,
      maxInFlight: 8,
      maxInFlightPerPair: 3,
      maxInFlightPerChain: 2,
      windows: [],
    }
    const chains = [
      { chain: toChainId("a"), count: 1 },
      { chain: toChainId("b"), count: 4 },
    ]
    const used: LimitUsage = {
      inFlight: 1,
      inFlightOf: { rule: 1, pair: 1, chains },
      cooldownUntilMs: null,
      windows: [],
    }
    const queries = [QUERY, { ...QUERY, rule: "other" }, { ...QUERY, from: TO, to: FROM }]
    const { counts } = readCapacity(limit, queries, () => used, NOW)
    expect(counts).toMatchObject([
      { pair: { from: FROM, to: TO }, left: 2, reason: { code: "limit.in_flight_pair", max: "3" } },
      { chain: "a", left: 1, reason: { code: "limit.in_flight_chain", max: "2" } },
      { chain: "b", left: 0 },
      { pair: { from: TO, to: FROM }, left: 2 },
    ])
    expect(counts).toHaveLength(4)
  })
})
