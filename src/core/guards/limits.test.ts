import { describe, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import {
  admitFees,
  admitFunds,
  admitRequest,
  admitRoute,
  admitService,
  admitValue,
  type FundsView,
  type Limits,
  type LimitUsage,
} from "./limits.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")
const BASE = toChainId("base_sepolia")
const BITCOIN = toChainId("bitcoin_testnet")
const REQUEST = { from: ETH, to: BTC, rule: "manual", sourceUnits: 10n, nowMs: 1_000 }
const NO_LIMITS: Limits = { maxOrder: null, maxInFlight: 100, windows: [] }
const WINDOW = { perMs: 1_000, max: null, maxFeesFiat: null, maxCount: null }
const USED = { fiat: 50n, feesFiat: 5n, count: 3, units: 90n }
const units = (amount: bigint) => ({ kind: "units", byAsset: { [ETH]: amount } }) as const
const fiat = (amount: bigint) => ({ kind: "fiat", fiat: amount }) as const

function usage(change: Partial<LimitUsage> = {}): LimitUsage {
  const inFlightOf = { rule: 0, pair: 0, chains: [] }
  return { inFlight: 0, inFlightOf, cooldownUntilMs: null, windows: [USED], ...change }
}

function requested(
  limits: Partial<Limits>,
  used: Partial<LimitUsage> = {},
  more: Partial<typeof REQUEST> = {},
) {
  return admitRequest({ ...REQUEST, ...more }, usage(used), { ...NO_LIMITS, ...limits }).map(
    ({ code }) => code,
  )
}

describe("a request", () => {
  test("sells more than nothing", () => {
    expect(requested({}, {}, { sourceUnits: 1n })).toEqual([])
    expect(requested({}, {}, { sourceUnits: 0n })).toEqual(["limit.zero"])
  })

  test("may sell exactly the largest order, and exactly the rest of a window", () => {
    expect(requested({ maxOrder: units(10n) })).toEqual([])
    expect(requested({ maxOrder: units(9n) })).toEqual(["limit.order"])
    expect(requested({ windows: [{ ...WINDOW, max: units(100n) }] })).toEqual([])
    expect(requested({ windows: [{ ...WINDOW, max: units(99n) }] })).toEqual(["limit.window"])
  })

  test("may be the last one of a window, and no further one", () => {
    expect(requested({ windows: [{ ...WINDOW, maxCount: 4 }] })).toEqual([])
    expect(requested({ windows: [{ ...WINDOW, maxCount: 3 }] })).toEqual(["limit.window_count"])
  })

  test("waits until the cool-down ends", () => {
    expect(requested({}, { cooldownUntilMs: 1_001 })).toEqual(["limit.cooldown"])
    expect(requested({}, { cooldownUntilMs: 1_000 })).toEqual([])
  })

  test(
    "takes the last free place in flight: of all, of its rule, of its pair and of each of its " +
      "chains",
    () => {
      const chains = [
        { chain: BASE, count: 3 },
        { chain: BITCOIN, count: 4 },
      ]
      const used = { inFlight: 9, inFlightOf: { rule: 1, pair: 2, chains } }
      const maxima = {
        maxInFlight: 10,
        maxInFlightPerRule: 2,
        maxInFlightPerPair: 3,
        maxInFlightPerChain: 5,
      }
      expect(requested(maxima, used)).toEqual([])
      expect(requested({ ...maxima, maxInFlight: 9 }, used)).toEqual(["limit.in_flight"])
      expect(requested({ ...maxima, maxInFlightPerRule: 1 }, used)).toEqual([
        "limit.in_flight_rule",
      ])
      expect(requested({ ...maxima, maxInFlightPerPair: 2 }, used)).toEqual([
        "limit.in_flight_pair",
      ])
      expect(requested({ ...maxima, maxInFlightPerChain: 4 }, used)).toEqual([
        "limit.in_flight_chain",
      ])
    },
  )
})

describe("a window without a count of past orders", () => {
  const windows = (window: Partial<(typeof NO_LIMITS)["windows"][number]>) => ({
    windows: [{ ...WINDOW, ...window }],
  })
  const none = { windows: [] }
  const value = (window: Parameters<typeof windows>[0]) =>
    admitValue({ sourceFiat: 50n, feesFiat: 5n }, usage(none), {
      ...NO_LIMITS,
      ...windows(window),
    }).map(({ code }) => code)

  test("has used nothing", () => {
    expect(requested(windows({ maxCount: 1 }), none)).toEqual([])
    expect(requested(windows({ maxCount: 0 }), none)).toEqual(["limit.window_count"])
    expect(requested(windows({ max: units(10n) }), none)).toEqual([])
    expect(requested(windows({ max: units(9n) }), none)).toEqual(["limit.window"])
    expect(value({ max: fiat(50n) })).toEqual([])
    expect(value({ max: fiat(49n) })).toEqual(["limit.window"])
    expect(value({ maxFeesFiat: 5n })).toEqual([])
    expect(value({ maxFeesFiat: 4n })).toEqual(["limit.window_fees"])
  })
})

test("each window is judged by its own usage, and a limit in units by its own asset", () => {
  const other = { fiat: 0n, feesFiat: 0n, count: 0, units: 0n }
  const windows = [
    { ...WINDOW, maxCount: 1 },
    { ...WINDOW, maxCount: 3 },
  ]
  expect(requested({ windows }, { windows: [other, USED] })).toEqual(["limit.window_count"])
  expect(requested({ windows }, { windows: [USED, other] })).toEqual(["limit.window_count"])
  expect(requested({ windows }, { windows: [other, other] })).toEqual([])
  const ofBitcoin = { kind: "units", byAsset: { [BTC]: 1n } } as const
  expect(requested({ maxOrder: ofBitcoin, windows: [{ ...WINDOW, max: ofBitcoin }] })).toEqual([])
})

test("a refusal says what was found and what is allowed", () => {
  const limits = {
    maxOrder: units(9n),
    maxInFlight: 2,
    windows: [{ ...WINDOW, perMs: 60_000, max: units(99n), maxCount: 3 }],
  }
  expect(admitRequest(REQUEST, usage({ inFlight: 2, cooldownUntilMs: 2_000 }), limits)).toEqual([
    {
      code: "limit.in_flight",
      message: "2 orders are in flight, and no more than 2 may be",
      inFlight: "2",
      max: "2",
    },
    expect.objectContaining({ code: "limit.cooldown", until: "1970-01-01T00:00:02.000Z" }),
    expect.objectContaining({ code: "limit.order", found: "10", max: "9" }),
    expect.objectContaining({
      code: "limit.window_count",
      message: "Too many orders within 60 s (4, at most 3)",
      found: "4",
      max: "3",
    }),
    expect.objectContaining({ code: "limit.window", found: "100", max: "99" }),
  ])
  const lifetime = {
    ...NO_LIMITS,
    windows: [{ ...WINDOW, perMs: null, max: fiat(2_000_000n), maxFeesFiat: 1_000_000n }],
  }
  const order = { sourceFiat: 2_500_000n, feesFiat: 1_500_000n }
  expect(admitValue(order, usage({ windows: [] }), lifetime)).toEqual([
    expect.objectContaining({
      message: "Orders within the lifetime would be worth more than allowed (2.5, at most 2)",
      found: "2.5",
      max: "2",
    }),
    expect.objectContaining({ code: "limit.window_fees", found: "1.5", max: "1" }),
  ])
})

test("a route takes orders up to its limit and not one millionth more", () => {
  const admit = (kind: string, sourceFiat: bigint | null) =>
    admitRoute({ kind, sourceFiat }, 60n, { ...NO_LIMITS, maxRouteFiat: { cctp: 100n } })
  expect([admit("cctp", 40n), admit("htlc", 1_000n)]).toEqual([[], []])
  expect(admit("cctp", 41n)).toMatchObject([{ code: "limit.route_in_flight" }])
  // Of an unknown value no part is within the limit.
  expect(admit("cctp", null)).toMatchObject([{ code: "limit.route_in_flight" }])
})

describe("a service and a solver", () => {
  const admit = (solver: string | null, solvers: NonNullable<Limits["solvers"]>) =>
    admitService({ service: "main", solver }, 0, { ...NO_LIMITS, solvers }).map(({ code }) => code)

  test("are admitted when the lists allow the solver and do not refuse it", () => {
    expect(admit("a", { allow: ["a"], deny: [] })).toEqual([])
    expect(admit("b", { allow: ["a"], deny: [] })).toEqual(["limit.solver"])
    expect(admit("a", { allow: null, deny: ["a"] })).toEqual(["limit.solver"])
    expect(admit("a", { allow: ["a"], deny: ["a"] })).toEqual(["limit.solver"])
    expect(admit(null, { allow: ["a"], deny: [] })).toEqual([])
  })

  test("of which the service gives no id is named so in the refusal", () => {
    const message = (solver: string) =>
      admitService({ service: "main", solver }, 0, {
        ...NO_LIMITS,
        solvers: { allow: [], deny: [] },
      })[0]?.message
    expect(message("a")).toBe("guards.solvers does not let a fill orders")
    expect(message("")).toBe("guards.solvers does not let a solver without an id fill orders")
  })

  test("of a service take its last free place, and no further one", () => {
    const admitted = (inFlight: number, max: number | null) =>
      admitService({ service: "main", solver: null }, inFlight, {
        ...NO_LIMITS,
        maxInFlightPerService: max,
      })
    expect(admitted(1, 2)).toEqual([])
    expect(admitted(9, null)).toEqual([])
    expect(admitted(2, 2)).toMatchObject([
      { code: "limit.in_flight_service", inFlight: "2", max: "2" },
    ])
  })
})

describe("the value of an order", () => {
  const value = (
    limits: Partial<Limits>,
    order: { sourceFiat: bigint | null; feesFiat: bigint | null },
  ) => admitValue(order, usage(), { ...NO_LIMITS, ...limits }).map(({ code }) => code)
  const order = { sourceFiat: 50n, feesFiat: 5n }

  test("may reach exactly the largest order and the rest of a window", () => {
    expect(value({ maxOrder: fiat(50n) }, order)).toEqual([])
    expect(value({ maxOrder: fiat(49n) }, order)).toEqual(["limit.order"])
    expect(value({ windows: [{ ...WINDOW, max: fiat(100n) }] }, order)).toEqual([])
    expect(value({ windows: [{ ...WINDOW, max: fiat(99n) }] }, order)).toEqual(["limit.window"])
  })

  test("and its fees may reach exactly the rest of a window's fees", () => {
    expect(value({ windows: [{ ...WINDOW, maxFeesFiat: 10n }] }, order)).toEqual([])
    expect(value({ windows: [{ ...WINDOW, maxFeesFiat: 9n }] }, order)).toEqual([
      "limit.window_fees",
    ])
    expect(
      admitFees(null, usage(), { ...NO_LIMITS, windows: [{ ...WINDOW, maxFeesFiat: 1n }] }),
    ).toEqual([])
  })

  test("must be known where a limit counts it", () => {
    const limits = [{ maxOrder: fiat(1n) }, { windows: [{ ...WINDOW, maxFeesFiat: 1n }] }]
    for (const limit of limits) {
      expect(value(limit, { sourceFiat: null, feesFiat: 1n })).toEqual(["price.missing"])
      expect(value(limit, { sourceFiat: 1n, feesFiat: null })).toEqual(["price.missing"])
    }
    expect(value({ maxOrder: units(1n) }, { sourceFiat: null, feesFiat: null })).toEqual([])
  })
})

describe("the funds of an order", () => {
  const TOKEN: FundsView = {
    spendableUnits: 110n,
    committedUnits: 10n,
    committedFeeUnits: 3n,
    committedNativeUnits: 20n,
    feeUnits: 2n,
    nativeUnits: 25n,
    sourceIsNative: false,
  }
  const funds = (change: Partial<FundsView>) =>
    admitFunds(100n, { ...TOKEN, ...change }).map(({ code }) => code)

  test("cover the amount in addition to the amounts of the accepted orders", () => {
    expect(funds({})).toEqual([])
    expect(funds({ spendableUnits: 109n })).toEqual(["funds.insufficient"])
  })

  test("cover in the chain's own coin its fees, those of orders under way, and the deposits to come", () => {
    expect(funds({ nativeUnits: 24n })).toEqual(["funds.gas"])
    expect(funds({ nativeUnits: null })).toEqual([])
  })

  test("cover amount and fees together when the order sells the chain's own coin", () => {
    const native = { sourceIsNative: true, nativeUnits: null }
    expect(funds({ ...native, spendableUnits: 115n })).toEqual([])
    expect(funds({ ...native, spendableUnits: 114n })).toEqual(["funds.insufficient"])
  })
})
