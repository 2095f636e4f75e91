import { beforeEach, describe, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { type DecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import { replayDecision } from "#engine/rules/tick/replay-decision.ts"
import type { Limits } from "#guards/limits.ts"
import { AppError } from "#lib/app-error.ts"
import { decodeJson } from "#lib/json.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../../support/fake-world.ts"
import { ledgerOf } from "../../../support/money.ts"

const HOUR_MS = 60 * 60_000
const BAND: TimedRule = {
  id: "band",
  kind: "band",
  asset: BTC,
  sources: [ETH, ARB],
  sinks: [],
  everyMs: 5_000,
  minUnits: 1_100_000n,
  targetUnits: 1_150_000n,
  maxUnits: 1_200_000n,
}
const NO_LIMITS: Limits = { maxOrder: null, maxInFlight: 8, windows: [] }

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
})

function start(rules: readonly TimedRule[], options: StartOptions = {}): void {
  daemon = world.start({ ...options, settings: { rules, ...options.settings } })
}
const sold = (): string[] =>
  daemon.context.journal.listOrders({ limit: 99 }).map(({ from }) => from)
const soldUnits = (): bigint =>
  daemon.context.journal
    .listOrders({ limit: 99 })
    .reduce((sum, { id }) => sum + daemon.order(id).data.request.sourceUnits, 0n)

function decisions(rule: string): { id: string; codes: string[]; orders: readonly string[] }[] {
  return daemon.context.journal.listDecisions({ rule, limit: 99 }).map(({ id, body, orders }) => ({
    id,
    orders,
    // CAST: written by the tick.
    codes: reasonsIn(decodeJson(body) as DecisionBody).map(({ code }) => code),
  }))
}

describe("a first source that admission refuses", () => {
  test("leaves the need to the second one while its chain is paused", async () => {
    start([BAND])
    daemon.context.journal.writeFlag("pause/chain/base_sepolia", "now")
    await world.pass(20_000)
    expect(sold()).toEqual([ARB])
  })

  test("leaves the need to the second one when the wallet has no coin for its fees", async () => {
    ledgerOf(world, ETH).state().balances.set(ETH, 5n)
    start([{ ...BAND, sources: [WBTC, ARB] }])
    await world.pass(20_000)
    expect(sold()).toEqual([ARB])
  })

  test("leaves the need to the second one when a window of its own unit is used up", async () => {
    const windows = [
      {
        perMs: HOUR_MS,
        maxFeesFiat: null,
        maxCount: null,
        max: { kind: "units" as const, byAsset: { [ETH]: 0n } },
      },
    ]
    start([BAND], { settings: { limits: { ...NO_LIMITS, windows } } })
    await world.pass(20_000)
    expect(sold()).toEqual([ARB])
  })

  test(
    "leaves the need to the second one in the same tick when the service declines the pair, " +
      "and both plans replay",
    async () => {
      const { fetchQuotes } = world.service.port
      let asked = 0
      Object.assign(world.service.port, {
        fetchQuotes: async (request: { from: AssetId }) => {
          if (request.from !== ETH) return fetchQuotes.call(world.service.port, request as never)
          asked += 1
          // The first two quotes are those of the view.
          if (asked <= 2) return fetchQuotes.call(world.service.port, request as never)
          throw new AppError({
            code: "service.no_pair",
            disposition: "refused",
            message: "declined",
          })
        },
      })
      start([BAND])
      await world.pass(3_000)
      expect(sold()).toEqual([ARB])
      const [second, first] = decisions("band")
        .filter(({ id }) => id.includes("08:00:0"))
        .slice(-2)
      expect([first, second].map((one) => one?.codes.includes("service.no_pair"))).toContain(true)
      const { journal } = daemon.context
      const stored = journal.listDecisions({ rule: "band", limit: 9 })
      expect(stored.flatMap(({ orders }) => orders)).toEqual(["order-1"])
      for (const decision of stored) {
        expect(
          replayDecision(decision, journal.findInputs(decision.inputs ?? "") ?? ""),
        ).toMatchObject({ same: true })
      }
    },
  )
})

test("a need larger than a window is met in part, the rest in the next window", async () => {
  const windows = [
    {
      perMs: HOUR_MS,
      maxFeesFiat: null,
      maxCount: null,
      max: { kind: "fiat" as const, fiat: 100_000n * 1_000_000n },
    },
  ]
  start([BAND], { settings: { limits: { ...NO_LIMITS, windows } } })
  await world.pass(60_000)
  // One smallest unit is worth one dollar; the need is 150 000.
  expect(soldUnits()).toBeGreaterThan(95_000n)
  expect(soldUnits()).toBeLessThanOrEqual(100_000n)
  expect(decisions("band").some(({ codes }) => codes[0] === "policy.partial")).toBe(true)
  const first = sold().length
  await world.pass(10 * 60_000)
  expect(sold(), "no order for crumbs").toHaveLength(first)
  world.clock.set(world.clock.now() + HOUR_MS)
  await world.pass(60_000)
  expect(soldUnits()).toBeGreaterThan(150_000n)
})

describe("a limit of admission is one of the plan too", () => {
  const perOrder = { kind: "units" as const, byAsset: { [ETH]: 40_000n, [ARB]: 40_000n } }
  const refusedBy = (code: string): number =>
    decisions("band").filter(({ codes }) => codes.includes(code)).length

  test("orders in flight of one service: the plan has one order, and says why there are no more", async () => {
    world.autoMine = false
    start([BAND], {
      settings: { limits: { ...NO_LIMITS, maxOrder: perOrder, maxInFlightPerService: 1 } },
    })
    await world.pass(3_000)
    expect(sold()).toHaveLength(1)
    const [first] = decisions("band").slice(-1)
    expect(first).toMatchObject({ codes: ["policy.partial", "limit.in_flight_service"] })
  })

  test("orders in flight of one pair: the reason names that limit", async () => {
    world.autoMine = false
    const limits = { ...NO_LIMITS, maxOrder: perOrder, maxInFlightPerPair: 1 }
    start([{ ...BAND, sources: [ETH] }], { settings: { limits } })
    await world.pass(3_000)
    const [first] = decisions("band").slice(-1)
    expect(first).toMatchObject({ codes: ["policy.partial", "limit.in_flight_pair"] })
  })

  test("the largest order whose secret the service may choose: several smaller orders meet the need", async () => {
    const maxServiceSecret = { kind: "units", byAsset: { [ETH]: 60_000n, [ARB]: 60_000n } } as const
    const ownSecrets = { keeper: null, modeOf: () => "service" as const, maxServiceSecret }
    start([BAND], { settings: { ownSecrets } })
    await world.pass(60_000)
    expect(soldUnits()).toBeGreaterThan(150_000n)
    expect(refusedBy("limit.service_secret")).toBe(0)
  })
})

test("a band trades at costs that reference prices and their tolerance allow", async () => {
  const price = (dollars: bigint) => ({ fiat: dollars * 100_000_000n * 1_000_000n, sources: 1 })
  // By our own prices BTC is worth one percent less than by those of the service.
  const fetchPrice = async (asset: AssetId) =>
    asset === BTC ? { ...price(1n), fiat: (price(1n).fiat * 99n) / 100n } : price(1n)
  start([BAND], { settings: { priceToleranceBps: 200n }, prices: { fetchPrice } })
  await world.pass(20_000)
  expect(sold()).toEqual([ETH])
  daemon.kill()
  world.close()
  world = createWorld()
  start([BAND], { settings: { priceToleranceBps: 0n }, prices: { fetchPrice } })
  await world.pass(20_000)
  expect(sold()).toEqual([])
})

test("a sale of everything is tried again when the fees rise by one unit after the read", async () => {
  const dca: TimedRule = {
    id: "dca",
    kind: "recurring",
    schedule: "0 0 * * * *",
    timezone: "UTC",
    from: ETH,
    to: BTC,
    amount: { kind: "share", bps: 10_000n },
    catchUp: "skip",
  }
  let risen = 0n
  start([dca], {
    adaptPort: (port) =>
      port.chain !== "base_sepolia"
        ? port
        : new Proxy(port, {
            get: (target, key) => {
              if (key !== "estimateFees") return Reflect.get(target, key)
              return async (asset: AssetId) => {
                const fees = await target.estimateFees(asset)
                const now = { ...fees, depositUnits: fees.depositUnits + risen }
                // The first answer is that of the view.
                risen = 1n
                return now
              }
            },
          }),
  })
  await world.pass(1_000)
  risen = 0n
  world.clock.set(Math.ceil(world.clock.now() / HOUR_MS) * HOUR_MS)
  await world.pass(60_000)
  expect(sold()).toEqual([ETH])
  expect(soldUnits()).toBe(999_979n)
})

describe("a scheduled swap that admission would refuse", () => {
  const DAILY: TimedRule = {
    id: "daily",
    kind: "recurring",
    schedule: "* * * * *",
    timezone: "UTC",
    from: ETH,
    to: BTC,
    catchUp: "skip",
    amount: { kind: "units", units: 1_000n },
  }
  const windowOf = (units: bigint): Limits["windows"][number] => ({
    perMs: HOUR_MS,
    maxFeesFiat: null,
    maxCount: null,
    max: { kind: "units", byAsset: { [ETH]: units } },
  })

  test.each([
    ["its chain is paused", "paused", NO_LIMITS, true],
    [
      "it is above the rest of a window",
      "policy.window",
      { ...NO_LIMITS, windows: [windowOf(999n)] },
      false,
    ],
    ["a window is used up", "limit.window", { ...NO_LIMITS, windows: [windowOf(0n)] }, false],
    [
      "its pair has as many orders as it may",
      "limit.in_flight_pair",
      { ...NO_LIMITS, maxInFlightPerPair: 0 },
      false,
    ],
  ] as const)("is not proposed when %s", async (_case, code, limits, isPaused) => {
    start([DAILY], { settings: { limits } })
    if (isPaused) daemon.context.journal.writeFlag("pause/chain/base_sepolia", "now")
    await world.pass(130_000)
    const stored = daemon.context.journal.listDecisions({ rule: "daily", limit: 9 })
    expect(stored.length).toBeGreaterThan(0)
    expect(decisions("daily").map(({ codes }) => codes)).toContainEqual([code])
    for (const decision of stored) {
      // CAST: written by the tick.
      expect((decodeJson(decision.body) as DecisionBody).decided.proposals).toEqual([])
      const inputs = daemon.context.journal.findInputs(decision.inputs ?? "") ?? ""
      expect(replayDecision(decision, inputs)).toMatchObject({ same: true })
    }
  })

  test("lets the one beside it have what a window leaves", async () => {
    const rules = [DAILY, { ...DAILY, id: "other", to: ARB }]
    start(rules, { settings: { limits: { ...NO_LIMITS, windows: [windowOf(1_500n)] } } })
    await world.pass(100_000)
    expect(soldUnits()).toBe(1_000n)
    expect(decisions("other").map(({ codes }) => codes)).toContainEqual(["policy.window"])
  })
})
