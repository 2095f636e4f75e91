import { beforeEach, describe, expect, test } from "vitest"
import { chainOf, toChainId } from "#domain/asset.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import { fetchQuote } from "#engine/orders/deposit/fetch-quote.ts"
import { applyEvent } from "#engine/orders/stepper.ts"
import { type Admission, admitSwap, type SwapRequest } from "#engine/rules/admission.ts"
import type { Limits } from "#guards/limits.ts"
import type { PricePort } from "#ports/prices.ts"
import { HTLC } from "../../support/fake-ledger.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

/** With prices the network fees count, and they are large beside these orders. */
const ANY_COST: NonNullable<StartOptions["policy"]> = {
  maxCost: { kind: "fiat", fiat: 10n ** 15n },
}
const HOUR_MS = 3_600_000
const FIAT = 1_000_000n
const BASE = toChainId("base_sepolia")

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  world.autoMine = false
})

type Settings = NonNullable<StartOptions["settings"]>

function start(limits: Partial<Limits>, settings: Settings = {}, prices?: PricePort): void {
  const all = { maxOrder: null, maxInFlight: 8, windows: [], ...limits }
  daemon = world.start({
    settings: { ...settings, limits: all },
    ...(prices ? { prices, policy: ANY_COST } : {}),
  })
}

const ask = (sourceUnits: bigint, over: Partial<SwapRequest> = {}): Promise<Admission> =>
  admitSwap(daemon.context, {
    rule: "manual",
    occurrence: null,
    from: ETH,
    to: BTC,
    sourceUnits,
    ...over,
  })
const codes = (admission: Admission): string[] =>
  admission.ok ? [] : admission.reasons.map(({ code }) => code)
const units = (amount: bigint): SoldLimit => ({ kind: "units", byAsset: { [ETH]: amount } })
const fiat = (amount: bigint): SoldLimit => ({ kind: "fiat", fiat: amount * FIAT })
const WINDOW = { perMs: HOUR_MS, max: null, maxFeesFiat: null, maxCount: null }
const inFlight = (more: Partial<Limits>): Partial<Limits> => ({ maxInFlight: 100, ...more })

describe("an order may reach exactly, and not exceed, the limit of", () => {
  test.each<{
    of: string
    limits: Partial<Limits>
    first: bigint
    last: bigint
    beyond: bigint
    code: string
  }>([
    {
      of: "one order in units",
      limits: { maxOrder: units(5_000n) },
      first: 9n,
      last: 5_000n,
      beyond: 5_001n,
      code: "limit.order",
    },
    {
      of: "one order in fiat",
      limits: { maxOrder: fiat(5_000n) },
      first: 9n,
      last: 5_000n,
      beyond: 5_001n,
      code: "limit.order",
    },
    {
      of: "a window in units",
      limits: { windows: [{ ...WINDOW, max: units(5_000n) }] },
      first: 2_000n,
      last: 3_000n,
      beyond: 3_001n,
      code: "limit.window",
    },
    {
      of: "a window in fiat",
      limits: { windows: [{ ...WINDOW, max: fiat(5_000n) }] },
      first: 2_000n,
      last: 3_000n,
      beyond: 3_001n,
      code: "limit.window",
    },
    {
      of: "a lifetime in units",
      limits: { windows: [{ ...WINDOW, perMs: null, max: units(5_000n) }] },
      first: 2_000n,
      last: 3_000n,
      beyond: 3_001n,
      code: "limit.window",
    },
    {
      of: "a lifetime in fiat",
      limits: { windows: [{ ...WINDOW, perMs: null, max: fiat(5_000n) }] },
      first: 2_000n,
      last: 3_000n,
      beyond: 3_001n,
      code: "limit.window",
    },
    // 30 bps of 2000 are 6; of 3000 they are 9, and of 3334 they are 10.
    {
      of: "a window's fees",
      limits: { windows: [{ ...WINDOW, maxFeesFiat: 15n * FIAT }] },
      first: 2_000n,
      last: 3_000n,
      beyond: 3_334n,
      code: "limit.window_fees",
    },
    {
      of: "a lifetime's fees",
      limits: { windows: [{ ...WINDOW, perMs: null, maxFeesFiat: 15n * FIAT }] },
      first: 2_000n,
      last: 3_000n,
      beyond: 3_334n,
      code: "limit.window_fees",
    },
    // Deposit and refund cost 10 each, for this order and the one before.
    {
      of: "the funds",
      limits: {},
      first: 1_000n,
      last: 998_960n,
      beyond: 998_961n,
      code: "funds.insufficient",
    },
  ])("$of", async ({ limits, first, last, beyond, code }) => {
    start(limits)
    expect(codes(await ask(first))).toEqual([])
    expect(codes(await ask(beyond))).toEqual([code])
    expect(codes(await ask(last))).toEqual([])
  })

  test.each<{
    of: string
    limits: Partial<Limits>
    over?: Partial<SwapRequest>
    other: Partial<SwapRequest> | null
    code: string
  }>([
    { of: "all in flight", limits: { maxInFlight: 2 }, other: null, code: "limit.in_flight" },
    {
      of: "one rule in flight",
      limits: inFlight({ maxInFlightPerRule: 2 }),
      over: { rule: "dca" },
      other: { rule: "band" },
      code: "limit.in_flight_rule",
    },
    {
      of: "one pair in flight",
      limits: inFlight({ maxInFlightPerPair: 2 }),
      other: { from: BTC, to: ETH },
      code: "limit.in_flight_pair",
    },
    {
      of: "one chain in flight",
      limits: inFlight({ maxInFlightPerChain: 2 }),
      other: null,
      code: "limit.in_flight_chain",
    },
    {
      of: "a window's count",
      limits: { windows: [{ ...WINDOW, maxCount: 2 }] },
      other: null,
      code: "limit.window_count",
    },
    {
      of: "a lifetime's count",
      limits: { windows: [{ ...WINDOW, perMs: null, maxCount: 2 }] },
      other: null,
      code: "limit.window_count",
    },
  ])("$of", async ({ limits, over = {}, other, code }) => {
    start(limits)
    expect(codes(await ask(1_000n, over))).toEqual([])
    expect(codes(await ask(1_000n, over))).toEqual([])
    expect(new Set(codes(await ask(1_000n, over)))).toEqual(new Set([code]))
    if (other !== null) expect(codes(await ask(1_000n, other))).toEqual([])
  })

  test("one chain, at either of its ends", async () => {
    start(inFlight({ maxInFlightPerChain: 1 }))
    expect(codes(await ask(1_000n))).toEqual([])
    expect(codes(await ask(1_000n, { from: BTC, to: ARB }))).toEqual(["limit.in_flight_chain"])
    expect(codes(await ask(1_000n, { from: ARB, to: WBTC }))).toEqual(["limit.in_flight_chain"])
  })

  test("the coin that must stay, for an order of it and for orders of tokens beside it", async () => {
    start({}, { minNative: new Map([[BASE, 500_000n]]) })
    expect(codes(await ask(499_961n, { from: ETH }))).toEqual([])
    // Two orders of tokens need 20 each of the coin that the first order left.
    expect(codes(await ask(1_000n, { from: WBTC }))).toEqual(["funds.gas"])
    daemon.kill()
    world.close()
    world = createWorld()
    world.autoMine = false
    start({}, { minNative: new Map([[BASE, 999_960n]]) })
    expect(codes(await ask(1_000n, { from: WBTC }))).toEqual([])
    expect(codes(await ask(1_000n, { from: WBTC }))).toEqual([])
    expect(codes(await ask(1_000n, { from: WBTC }))).toEqual(["funds.gas"])
  })
})

describe("the coin that must stay", () => {
  const without = new Map(
    [WBTC, BTC].map((id) => [
      id,
      { id, chain: chainOf(id), decimals: 8, token: id === WBTC ? "0xtoken" : null, htlc: [HTLC] },
    ]),
  )

  test(
    "is required even if it is not a configured asset, and refuses orders while it cannot be " +
      "read",
    async () => {
      start({}, { assets: without, minNative: new Map([[BASE, 999_981n]]) })
      expect(codes(await ask(1_000n, { from: WBTC }))).toEqual(["funds.unreadable"])
      const chain = daemon.context.chains.get(BASE)
      if (!chain) return expect.unreachable("the chain is configured")
      let units = 1_000_000n
      const native = { fetchNativeBalance: async () => units, fetchLeastBalance: async () => 0n }
      Object.assign(chain, { native })
      expect(codes(await ask(1_000n, { from: WBTC }))).toEqual(["funds.gas"])
      units += 1n
      expect(codes(await ask(1_000n, { from: WBTC }))).toEqual([])
    },
  )

  test("is not read when no minimum is configured: a relay may pay all fees", async () => {
    start({}, { assets: without })
    expect(codes(await ask(1_000n, { from: WBTC }))).toEqual([])
  })
})

describe("a window", () => {
  test("counts every order in flight, however old", async () => {
    start({ windows: [{ ...WINDOW, max: units(5_000n) }] })
    await ask(5_000n)
    await world.pass(10_000)
    world.clock.set(world.clock.now() + 2 * HOUR_MS)
    expect(codes(await ask(1n))).toEqual(["limit.window"])
  })

  test("counts a sale from its deposit, not from its admission", async () => {
    const windows = [{ ...WINDOW, max: units(5_000n) }]
    world.autoMine = true
    start({ windows })
    world.faults.inject("service.submitOrder", { before: failure("transient") }, 100)
    expect(codes(await ask(5_000n))).toEqual([])
    await world.pass(20 * 60_000)
    world.faults.clear("service.submitOrder")
    await daemon.reach("completed")
    const depositedAt = daemon.order("order-1").data.transactions.deposit.sentAt ?? 0
    expect(depositedAt - daemon.order("order-1").data.createdAt).toBeGreaterThan(15 * 60_000)
    world.clock.set(depositedAt + HOUR_MS - 1)
    expect(codes(await ask(1n))).toEqual(["limit.window"])
    world.clock.set(daemon.context.journal.findOrder("order-1")?.countedAtMs ?? 0)
    world.clock.set(world.clock.now() + HOUR_MS)
    expect(codes(await ask(1n))).toEqual([])
  })

  test("applies to an order that gets its quote after another order has used the window up", async () => {
    start({ windows: [{ ...WINDOW, max: fiat(5_000n) }] })
    world.faults.inject("service.fetchQuotes", { before: failure("transient") }, 1)
    world.faults.inject("service.submitOrder", { before: failure("transient") }, 100)
    const late = await ask(3_000n)
    if (!late.ok) return expect.unreachable("an order is accepted without a quote")
    const { context } = daemon
    const job = {
      context,
      data: daemon.order(late.id).data,
      repeated: false,
      begin: () => Promise.resolve(),
      nowMs: world.clock.now(),
    }
    const result = await fetchQuote(job)
    expect(result.event.type).toBe("quote.accepted")
    // Between the performer's check and the write, another order uses the rest.
    expect(codes(await ask(3_000n))).toEqual([])
    applyEvent(context, late.id, result, null)
    expect(daemon.state(late.id)).toBe("quoting")
    // The next quote is judged by the window as it is now.
    await daemon.reach("rejected", late.id)
    expect(daemon.reasons(late.id)).toEqual(["limit.window"])
  })

  test("counts the larger of the quote's value and the value by reference prices", async () => {
    const prices: PricePort = {
      fetchPrice: async () => ({ fiat: 3n * FIAT * 10n ** 8n, sources: 1 }),
    }
    start({ windows: [{ ...WINDOW, max: fiat(3_000n) }] }, { priceToleranceBps: 10_000n }, prices)
    expect(codes(await ask(1_001n))).toEqual(["limit.window"])
    expect(codes(await ask(1_000n))).toEqual([])
  })

  test(
    "of fees counts the network's worst case while an order is in flight, and the real fees " +
      "afterwards",
    async () => {
      // The fee coin is worth one fiat unit per smallest unit, like every asset here.
      const prices: PricePort = { fetchPrice: async () => ({ fiat: FIAT * 10n ** 8n, sources: 1 }) }
      world.autoMine = true
      // 30 bps of 1000 are 3; deposit and refund are estimated at 10 each, and only one of them is
      // paid.
      start({ windows: [{ ...WINDOW, maxFeesFiat: 23n * FIAT }] }, {}, prices)
      expect(codes(await ask(1_334n))).toEqual(["limit.window_fees"])
      expect(codes(await ask(1_000n))).toEqual([])
      expect(daemon.context.journal.sumWindow(0, ETH, null).feesFiat).toBe(23n * FIAT)
      await daemon.reach("completed")
      expect(daemon.context.journal.sumWindow(0, ETH, null).feesFiat).toBe(13n * FIAT)
    },
  )

  test("of fees defers a deposit whose network fee exceeds the estimate, until it is too late", async () => {
    const prices: PricePort = { fetchPrice: async () => ({ fiat: FIAT * 10n ** 8n, sources: 1 }) }
    world.autoMine = true
    start({ windows: [{ ...WINDOW, maxFeesFiat: 13n * FIAT }] }, {}, prices)
    world.faults.inject("base.estimateFees", { lie: () => ({ depositUnits: 1n, refundUnits: 1n }) })
    expect(codes(await ask(1_000n))).toEqual([])
    await world.run(() =>
      daemon.order("order-1").data.reasons.some(({ code }) => code === "limit.window_fees"),
    )
    expect(daemon.state("order-1")).toBe("deposit-planning")
    await daemon.reach("rejected")
    expect(daemon.reasons()).toContain("deposit.too_late")
    expect(world.signatures).toEqual([])
  })

  test("of fees refuses while the configured price of the network's coin is missing", async () => {
    const prices: PricePort = {
      fetchPrice: async (asset) => {
        if (asset === ETH) throw failure("transient")
        return null
      },
    }
    start({ windows: [{ ...WINDOW, maxFeesFiat: 23n * FIAT }] }, {}, prices)
    expect(codes(await ask(1_000n, { from: WBTC }))).toEqual(["price.reference_missing"])
  })
})

describe("a cool-down", () => {
  async function fail(): Promise<void> {
    world.faults.inject("service.submitOrder", { before: failure("refused") }, 100)
    const admission = await ask(1_000n, { rule: "dca" })
    const id = admission.ok ? admission.id : ""
    await daemon.reach("rejected", id)
    world.faults.clear("service.submitOrder")
  }

  test("grows with each failure in a row, ends to the millisecond, and starts over after a success", async () => {
    world.autoMine = true
    start({}, { cooldownMs: 600_000, cooldownMaxMs: 1_200_000 })
    for (const waitMs of [600_000, 1_200_000, 1_200_000]) {
      await fail()
      const { lastMs } = daemon.context.journal.readFailures({ from: ETH, to: BTC })
      world.clock.set((lastMs ?? 0) + waitMs - 1)
      expect(codes(await ask(1_000n))).toEqual(["limit.cooldown"])
      world.clock.set((lastMs ?? 0) + waitMs)
    }
    expect(codes(await ask(1_000n))).toEqual([])
    await world.run(() => daemon.context.journal.countInFlight() === 0)
    expect(daemon.context.journal.readFailures({ from: ETH, to: BTC })).toMatchObject({ count: 0 })
    expect(codes(await ask(1_000n))).toEqual([])
  })

  test("applies to all pairs of the rule, and to no other rule", async () => {
    world.autoMine = true
    start({}, { cooldownMs: 600_000 })
    await fail()
    expect(codes(await ask(1_000n, { rule: "dca", to: ARB }))).toEqual(["limit.cooldown"])
    expect(codes(await ask(1_000n, { rule: "band", to: ARB }))).toEqual([])
    expect(codes(await ask(1_000n, { to: ARB }))).toEqual([])
  })
})

test("quiet hours refuse new orders and let orders in flight continue", async () => {
  world.autoMine = true
  start({
    quietHours: [
      { fromMinute: 8 * 60 + 1, toMinute: 9 * 60, timezone: "UTC", days: [0, 1, 2, 3, 4, 5, 6] },
    ],
  })
  expect(codes(await ask(1_000n))).toEqual([])
  world.clock.set(world.clock.now() + 60_000)
  expect(codes(await ask(1_000n))).toEqual(["limit.quiet_hours"])
  await daemon.reach("completed")
})

test("a band on a chain's own coin refills it when token orders could not pay their gas", async () => {
  world.autoMine = true
  const band = {
    id: "gas",
    kind: "band",
    asset: ETH,
    sources: [BTC],
    sinks: [],
    everyMs: 10_000,
  } as const
  const bounds = { minUnits: 1_010_000n, targetUnits: 1_020_000n, maxUnits: 9_000_000n }
  start({}, { rules: [{ ...band, ...bounds }], minNative: new Map([[BASE, 1_005_000n]]) })
  expect(codes(await ask(1_000n, { from: WBTC }))).toEqual(["funds.gas"])
  await world.run(() =>
    daemon.context.journal.listOrders({ limit: 9 }).some(({ outcome }) => outcome === "completed"),
  )
  expect(daemon.context.journal.listOrders({ limit: 9 })).toMatchObject([
    { rule: "gas", from: BTC, to: ETH },
  ])
  expect(codes(await ask(1_000n, { from: WBTC }))).toEqual([])
})
