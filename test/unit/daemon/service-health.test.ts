import { setImmediate as nextTurn } from "node:timers/promises"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import type { Config } from "#config/config.ts"
import { createHealthWatch } from "#daemon/watch/health-watch.ts"
import { createServiceCalls } from "#daemon/watch/service-calls.ts"
import { toChainId } from "#domain/asset.ts"
import { createMemory } from "#engine/memory.ts"
import { describeOverview } from "#health/describe-overview.ts"
import type { Readings } from "#health/readings.ts"
import type { Clock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import {
  type Answer,
  ask,
  DEFAULTS,
  failure,
  fixture,
  from,
  HTML,
  order,
  replies,
  startStub,
  to,
} from "../../support/service-stub.ts"

const CHECK_EVERY_MS = 10_000
const HOUR_MS = 3_600_000
const ok = { status: "Ok", result: [] }
const ownError = (error: string): object => ({ status: "Error", error })
const stub = await startStub()
afterAll(stub.stop)

type RouteLives = ReturnType<NonNullable<Parameters<typeof createHealthWatch>[0]["routes"]>>

/** The daemon's watch over one service, in a time that each check moves on by its interval. */
function startWatch(flags = new Map<string, string>(), routes?: RouteLives) {
  let now = Date.parse("2026-03-04T13:00:00Z")
  let stopAtMs = now
  const stopping = new AbortController()
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      if (ms !== CHECK_EVERY_MS)
        return signal === undefined ? undefined : new Promise(() => undefined)
      now += CHECK_EVERY_MS
      if (now >= stopAtMs) stopping.abort()
      await nextTurn()
    },
  }
  const calls = createServiceCalls(clock.now)
  const asset = (id: typeof from, chain: string) => ({ id, chain: toChainId(chain), decimals: 8 })
  const service = { ...DEFAULTS, name: "main", url: stub.url, timeoutMs: 3_000 }
  const shape = {
    chains: [],
    services: [service],
    assets: [asset(from, "base_sepolia"), asset(to, "bitcoin_testnet")],
    health: { checkEveryMs: CHECK_EVERY_MS, alarmAfterMs: 30_000 },
    alerts: { receivers: [], heartbeat: null },
  }
  // CAST: the watch reads these keys.
  const config = shape as unknown as Config
  const raised: string[] = []
  const writeFlag = (key: string, value: string | null): void =>
    void (value === null ? flags.delete(key) : flags.set(key, value))
  const journal = {
    readFlag: (key: string) => flags.get(key) ?? null,
    writeFlag,
    noteFlag: writeFlag,
    countInFlight: () => 1,
    raiseAlert: (_atMs: number, { code }: { code: string }) =>
      void (code.startsWith("service.") && raised.push(code)),
  }
  const prices = { fetchPrices: async () => new Map() }
  const watch = createHealthWatch({
    memory: createMemory(),
    config: () => config,
    // CAST: the watch uses five methods of the journal, and no price of this test.
    journal: journal as never,
    prices: () => prices as never,
    routes: () => routes,
    calls,
    signer: undefined,
    accountOf: () => null,
    tips: () => [],
    clock,
    log: silentLogger,
  })
  return {
    raised,
    flags,
    client: stub.client({ onCall: (note, asked) => calls.note("main", note, asked) }),
    /** Lets this time pass, and describes the daemon then. */
    letPass: async (ms: number) => {
      stopAtMs = now + ms
      await watch.run(AbortSignal.any([stopping.signal]))
      const services = watch.list().services.map((one) => ({ ...one, inFlight: 0, rest: null }))
      return describeOverview({ ...WELL, nowMs: now, services }, 30_000)
    },
  }
}

const WELL: Readings = {
  nowMs: 0,
  daemon: { answers: true, pid: 7, lastSeenMs: 0, startedAtMs: 0, version: "1", waitsFor: [] },
  mode: "live",
  pause: null,
  pausedChains: [],
  pausedRules: [],
  nodes: [],
  services: [],
  treasury: [],
  gas: [],
  orders: [],
  rules: [],
  limits: [],
  alarms: [],
  freeBytes: 9e9,
  clockJump: null,
}

/** Answers the list of chains well, and everything else with the given answer. */
const butLists =
  (answer: Answer): Answer =>
  (asked, response) =>
    (asked.url === "/v2/chains" ? replies(200, ok) : answer)(asked, response)

beforeEach(() => {
  stub.seen = []
})

describe("the daemon's judgement of a service", () => {
  test.each([
    [401, ownError("invalid app id")],
    [403, HTML],
    [404, HTML],
    [429, ownError("slow down")],
    [500, ownError("boom")],
    [503, HTML],
  ])(
    "is trouble within a minute when everything is answered with HTTP %i",
    async (status, body) => {
      stub.answer = replies(status, body)
      const { letPass, raised } = startWatch()
      const { level, verdict, services } = await letPass(60_000)
      expect({ level, state: services[0]?.state }).toEqual({
        level: "trouble",
        state: status === 503 ? "silent" : "failing",
      })
      expect(verdict).toContain(`HTTP ${status}`)
      expect(raised).toEqual([status === 503 ? "service.away" : "service.failing"])
      expect(stub.seen[0]?.headers).toMatchObject({ "service-app-id": "app-1" })
    },
  )

  test("is trouble when it fails and answers in turns", async () => {
    let asked = 0
    stub.answer = (request, response) => {
      if (request.url === "/v2/chains") asked += 1
      const answer = asked % 2 === 0 ? replies(502, HTML) : replies(200, ok)
      answer(request, response)
    }
    const { letPass, raised } = startWatch()
    const { verdict } = await letPass(60_000)
    expect(verdict).toMatch(/^The service main fails: it fails again and again.* HTTP 502/)
    expect(raised).toEqual(["service.failing"])
  })

  test("is trouble when quotes fail behind a good sign of life, in its own words", async () => {
    stub.answer = butLists(replies(500, ownError("boom")))
    const { letPass, client } = startWatch()
    await client.fetchQuotes(ask).catch(() => undefined)
    const { level, verdict } = await letPass(50_000)
    expect(level).toBe("trouble")
    expect(verdict).toMatch(/^The service main fails: quotes fail with HTTP 500 \(boom\) since /)
    expect(verdict).toMatch(/ since 2026-03-04 13:00 UTC \(\d times\); /)
  })

  test("becomes good again when the failed question is answered, without a new order", async () => {
    stub.answer = butLists(replies(401, ownError("invalid app id")))
    const { letPass, client, flags } = startWatch()
    await client.fetchQuotes(ask).catch(() => undefined)
    expect((await letPass(50_000)).level).toBe("trouble")
    stub.answer = butLists(replies(400, ownError("No order pair found")))
    expect(await startWatch(flags).letPass(20_000)).toMatchObject({
      level: "ok",
      services: [{ state: "good" }],
    })
  })

  test(
    "becomes good again when the order that failed to be read is read, although it ended " +
      "meanwhile",
    async () => {
      stub.answer = butLists(replies(503, ownError("broken on request")))
      const daemon = startWatch()
      await failure(daemon.client.fetchOrder("e1".repeat(32)))
      expect((await daemon.letPass(40_000)).level).toBe("trouble")
      stub.answer = butLists(replies(200, fixture("order")))
      expect(await startWatch(daemon.flags).letPass(20_000)).toMatchObject({
        level: "ok",
        services: [{ state: "good" }],
      })
      expect(stub.seen.some(({ url }) => url === `/v2/orders/${"e1".repeat(32)}`)).toBe(true)
    },
  )

  test("is trouble when only new orders fail, also while quotes are answered", async () => {
    stub.answer = butLists((asked, response) =>
      replies(asked.method === "POST" ? 500 : 200, asked.method === "POST" ? ownError("boom") : ok)(
        asked,
        response,
      ),
    )
    const { letPass, client } = startWatch()
    await client.submitOrder(order).catch(() => undefined)
    await client.fetchQuotes(ask)
    expect(await letPass(50_000)).toMatchObject({
      level: "trouble",
      verdict: expect.stringContaining(
        "new orders fail with HTTP 500 (boom) since 2026-03-04 13:00 UTC (once)",
      ),
    })
  })

  test("is that of a route too: its issuer's service gives a sign of life, or an alarm", async () => {
    stub.answer = replies(200, ok)
    let isDown = true
    const ask = async (): Promise<void> => {
      if (isDown) throw new Error("HTTP 503")
    }
    const life = { host: "issuer.example", ask }
    const routes = new Map([["cctp", { life }]])
    const { letPass, raised, flags } = startWatch(undefined, routes)
    expect(await letPass(50_000)).toMatchObject({
      verdict: expect.stringContaining("cctp"),
      services: [
        { name: "main", state: "good" },
        { name: "cctp", state: "silent" },
      ],
    })
    expect(raised).toEqual(["service.away"])
    isDown = false
    const later = startWatch(flags, routes)
    expect(await later.letPass(20_000)).toMatchObject({ services: [{}, { state: "good" }] })
  })

  test("counts all calls of an hour, also over a restart", async () => {
    stub.answer = butLists(replies(500, ownError("boom")))
    const { letPass, client, flags } = startWatch()
    await client.fetchOrder("e1".repeat(32)).catch(() => undefined)
    await letPass(40_000)
    stub.answer = butLists(replies(200, fixture("order")))
    const later = startWatch(flags)
    await later.client.fetchOrder("e1".repeat(32))
    const fault = "reads of orders fail with HTTP 500 (boom)"
    const { services } = await later.letPass(10_000)
    // The order's own read, and that of each check while it fails.
    expect(services[0]?.hours).toEqual([
      { at: "2026-03-04T13:00:00.000Z", answered: 1, failed: 5, fault },
    ])
  })

  test("keeps 24 hours of calls", () => {
    let hour = 100
    const calls = createServiceCalls(() => hour * HOUR_MS + 60_000)
    for (; hour < 130; hour++) calls.note("main", { call: "get", about: "x", fault: null }, null)
    expect(calls.hours("main").map(({ atMs }) => atMs / HOUR_MS)).toEqual(
      Array.from({ length: 23 }, (_, index) => index + 107),
    )
  })

  test("is good while the service refuses in the interface's words", async () => {
    stub.answer = replies(400, ownError("No order pair found"))
    const { letPass, client } = startWatch()
    await client.fetchQuotes(ask).catch(() => undefined)
    await client.submitOrder(order).catch(() => undefined)
    expect(await letPass(60_000)).toMatchObject({
      level: "ok",
      services: [{ state: "good", error: null }],
    })
  })
})
