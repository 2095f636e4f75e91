import { beforeEach, describe, expect, test } from "vitest"
import { type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import type { EngineSettings } from "#engine/context.ts"
import { type Admission, admitSwap } from "#engine/rules/admission.ts"
import type { Limits } from "#guards/limits.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { lostUnits } from "../../support/money.ts"

const HOUR_MS = 3_600_000
const FIAT = 1_000_000n

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
})

function start(limits: Partial<Limits>, more: StartOptions = {}): void {
  daemon = world.start({
    ...more,
    settings: { limits: { maxOrder: null, maxInFlight: 8, windows: [], ...limits } },
  })
}
const submit = (sourceUnits: bigint, from = ETH, to = BTC): Promise<Admission> =>
  daemon.engine.submit({ from, to, sourceUnits })
const codes = (admission: Admission): string[] =>
  admission.ok ? [] : admission.reasons.map(({ code }) => code)
const units = (amount: bigint): SoldLimit => ({ kind: "units", byAsset: { [ETH]: amount } })
const fiat = (amount: bigint): SoldLimit => ({ kind: "fiat", fiat: amount * FIAT })
const WINDOW = { perMs: HOUR_MS, max: null, maxFeesFiat: null, maxCount: null }
const allOver = (): Promise<void> => world.run(() => daemon.context.journal.countInFlight() === 0)

test.each<[string, Partial<Parameters<Daemon["engine"]["submit"]>[0]>, object | null]>([
  ["of assets that there are", {}, null],
  ["of an unknown asset", { to: parseAssetId("base:none") }, { code: "request.unknown_asset" }],
  ["of one asset", { to: ETH }, { code: "request.same_asset", asset: ETH }],
  ["to a listed address", { destination: "listed" }, null],
  [
    "to another address",
    { destination: "unlisted" },
    { code: "request.destination", asset: BTC, found: "unlisted" },
  ],
  [
    "to our own wallet, where that is not listed",
    { to: WBTC, from: BTC },
    { code: "request.destination", found: "our own wallet" },
  ],
])("a request %s", async (_name, over, refusal) => {
  const destinationFor = (to: AssetId, destination: string | null): string | null =>
    destination === null ? (to === BTC ? "own" : null) : destination === "listed" ? "listed" : null
  daemon = world.start({ settings: { destinationFor } })
  const admission = await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 1_000n, ...over })
  const expected = refusal === null ? { ok: true } : { ok: false, reasons: [refusal] }
  expect(admission).toMatchObject(expected)
})

describe("the number of orders in flight", () => {
  test("is never exceeded by requests of the same moment", async () => {
    start({ maxInFlight: 3 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(1_000n)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
    expect(codes(answers[9] ?? { ok: true, id: "" })).toEqual(["limit.in_flight"])
    expect(daemon.context.journal.countInFlight()).toBe(3)
    await allOver()
    expect(lostUnits(world, ETH)).toBe(3_000n)
  })

  test("counts orders without a quote, and orders of an earlier process", async () => {
    world.autoMine = false
    start({ maxInFlight: 1 })
    await submit(1_000n)
    daemon.kill()
    start({ maxInFlight: 1 })
    await world.pass(60_000)
    expect(codes(await submit(1_000n))).toEqual(["limit.in_flight"])
  })
})

test("a watched wallet pays nothing, and may be paid", async () => {
  start({}, { adaptPort: (port) => (port.chain === chainOf(ETH) ? watched(port) : port) })
  expect(codes(await submit(1_000n))).toEqual(["wallet.watch_only"])
  expect(codes(await submit(1_000n, BTC, ETH))).toEqual([])
  await allOver()
  expect(lostUnits(world, BTC)).toBe(1_000n)
})

const watched = (port: ChainPort): ChainPort => ({ ...port, isWatchOnly: true })

describe("limits", () => {
  test.each([
    ["one order, in units", { maxOrder: units(5_000n) }, "limit.order"],
    ["one order, in fiat", { maxOrder: fiat(5_000n) }, "limit.order"],
    ["a window, in units", { windows: [{ ...WINDOW, max: units(5_000n) }] }, "limit.window"],
    ["a window, in fiat", { windows: [{ ...WINDOW, max: fiat(5_000n) }] }, "limit.window"],
    ["the lifetime", { windows: [{ ...WINDOW, perMs: null, max: units(5_000n) }] }, "limit.window"],
    [
      "fees in a window",
      { windows: [{ ...WINDOW, maxFeesFiat: 15n * FIAT }] },
      "limit.window_fees",
    ],
  ] as const)(
    "of %s are met exactly, and not exceeded by one unit",
    async (_name, limits, code) => {
      start(limits)
      // 30 bps of 5000 are 15, and of 5334 are 16.
      const above = code === "limit.window_fees" ? 5_334n : 5_001n
      expect(codes(await submit(above))).toEqual([code])
      expect(codes(await submit(5_000n))).toEqual([])
    },
  )

  test("of a window count earlier sales until they leave the window, also after a restart", async () => {
    const limits = { windows: [{ ...WINDOW, max: units(5_000n) }] }
    start(limits)
    await submit(3_000n)
    await allOver()
    daemon.kill()
    start(limits)
    expect(codes(await submit(2_001n))).toEqual(["limit.window"])
    expect(codes(await submit(2_000n))).toEqual([])
    await allOver()
    await world.pass(HOUR_MS)
    expect(codes(await submit(5_000n))).toEqual([])
  })

  test("of a window hold for requests of the same moment", async () => {
    start({ windows: [{ ...WINDOW, max: fiat(5_000n) }] })
    const answers = await Promise.all(Array.from({ length: 4 }, () => submit(2_000n)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2)
  })

  test("of a window hold when the clock goes back", async () => {
    start({ windows: [{ ...WINDOW, max: units(5_000n) }] })
    await submit(5_000n)
    await allOver()
    world.clock.set(world.clock.now() - 12 * HOUR_MS)
    expect(codes(await submit(1n))).toEqual(["limit.window"])
  })

  test("in fiat hold for orders that were accepted while the service gave no quote", async () => {
    start({ windows: [{ ...WINDOW, max: fiat(5_000n) }] })
    world.faults.inject("service.fetchQuotes", { before: failure("transient") }, 12)
    const answers = await Promise.all(Array.from({ length: 4 }, () => submit(2_000n)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(4)
    await allOver()
    expect(lostUnits(world, ETH)).toBe(4_000n)
  })

  test("in fiat refuse a quote without a value", async () => {
    start({ maxOrder: fiat(5_000n) })
    const [quote] = await world.service.port.fetchQuotes({
      from: ETH,
      to: BTC,
      sourceUnits: 1_000n,
      affiliateBps: 0,
    })
    world.faults.inject("service.fetchQuotes", { lie: () => [{ ...quote, sourceFiat: null }] })
    expect(codes(await submit(1_000n))).toContain("price.missing")
  })

  test("do not count rejected orders", async () => {
    start({ windows: [{ ...WINDOW, max: units(5_000n) }] })
    world.faults.inject("service.submitOrder", { before: failure("refused") }, 100)
    await submit(5_000n)
    await allOver()
    world.faults.clear("service.submitOrder")
    expect(daemon.state("order-1")).toBe("rejected")
    expect(codes(await submit(5_000n))).toEqual([])
  })
})

describe("the funds of a wallet", () => {
  test("are promised once: orders of the same moment cannot spend the same coins", async () => {
    start({})
    const answers = await Promise.all([submit(600_000n), submit(600_000n)])
    expect(answers.map(codes)).toEqual([[], ["funds.insufficient"]])
  })

  test("that cannot be read count neither as zero nor as enough", async () => {
    start({})
    world.faults.inject("base.fetchBalance", { before: failure("transient") })
    expect(codes(await submit(1_000n))).toEqual(["funds.unreadable"])
    expect(daemon.context.journal.listOrders({ limit: 9 })).toEqual([])
  })

  test("must cover the amount and the network fees of a deposit and a refund, exactly", async () => {
    start({})
    expect(codes(await submit(999_981n))).toEqual(["funds.insufficient"])
    expect(codes(await submit(999_980n))).toEqual([])
  })
})

describe("the price", () => {
  test("of a quote above the allowed cost refuses the request", async () => {
    start({})
    world.service.conduct.costBps = 61n
    expect(codes(await submit(10_000n))).toEqual(["price.cost"])
    world.service.conduct.costBps = 60n
    expect(codes(await submit(10_000n))).toEqual([])
  })

  test("that is worse at the second request ends the order before anything is signed", async () => {
    start({})
    world.faults.inject("service.submitOrder", { before: failure("refused") })
    await submit(10_000n)
    world.service.conduct.costBps = 61n
    await daemon.reach("rejected")
    expect(daemon.reasons()).toEqual(["price.cost"])
    expect(world.signatures).toEqual([])
  })
})

test("a request is accepted while the service is down, and completed when the service is back", async () => {
  start({})
  const reads = ["fetchQuotes", "submitOrder", "fetchOrder"].map((name) => `service.${name}`)
  for (const name of reads) world.faults.inject(name, { before: failure("transient") }, 1_000_000)
  expect(codes(await submit(10_000n))).toEqual([])
  await world.pass(10 * 60_000)
  for (const name of reads) world.faults.clear(name)
  await daemon.reach("completed")
  expect(lostUnits(world, ETH)).toBe(10_000n)
})

test("a request with an unknown asset, equal assets or a zero amount is refused with every reason", async () => {
  start({})
  expect(codes(await submit(0n))).toContain("limit.zero")
  expect(codes(await submit(1n, ETH, ETH))).toContain("request.same_asset")
  // CAST: a name that is not configured.
  expect(codes(await submit(1n, "moon:cheese" as typeof ETH))).toContain("request.unknown_asset")
  const misspelt = ETH.replace(":", ":x") as typeof ETH
  expect(JSON.stringify(await submit(1n, misspelt))).toContain(
    `${misspelt} is not a configured asset; did you mean ${ETH}?`,
  )
})

test("observe mode accepts nothing and signs nothing", async () => {
  daemon = world.start({ settings: { mode: "observe" } })
  expect(codes(await submit(1_000n, WBTC))).toEqual(["mode.observe"])
  // The watch over the endpoints asks in every mode.
  expect(world.faults.calls.filter(({ method }) => !method.endsWith(".fetchAgreement"))).toEqual([])
})

describe("a rule's own max_cost", () => {
  /** The quote costs 30 bps. */
  const admit = (general: bigint, ofRule: bigint | null): Promise<Admission> => {
    const rule =
      ofRule === null
        ? []
        : [{ id: "weekly", kind: "band", maxCost: { kind: "share", bps: ofRule } } as const]
    // CAST: admission reads only these fields of a rule, and none is due in this test.
    const rules = rule.map((one) => ({
      ...one,
      enabled: false,
    })) as unknown as EngineSettings["rules"]
    daemon = world.start({
      policy: { maxCost: { kind: "share", bps: general } },
      settings: { rules },
    })
    return admitSwap(daemon.context, {
      rule: "weekly",
      occurrence: null,
      from: ETH,
      to: BTC,
      sourceUnits: 10_000n,
    })
  }

  test.each([
    { general: 30n, ofRule: 500n, ok: true },
    { general: 29n, ofRule: 500n, ok: false },
    { general: 29n, ofRule: 30n, ok: false },
    { general: 500n, ofRule: 29n, ok: false },
    { general: 500n, ofRule: 30n, ok: true },
    { general: 29n, ofRule: null, ok: false },
  ])(
    "of $ofRule bps beside a general one of $general bps: $ok",
    async ({ general, ofRule, ok }) => {
      const admission = await admit(general, ofRule)
      expect([admission.ok, codes(admission)]).toEqual([ok, ok ? [] : ["price.cost"]])
    },
  )
})
