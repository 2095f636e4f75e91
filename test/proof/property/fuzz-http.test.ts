import fc from "fast-check"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { NO_DELIVERIES } from "#alerts/delivery-state.ts"
import { createOperations } from "#daemon/serve/operations.ts"
import { createReconciler } from "#engine/watches/reconciler.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { ALL_SCOPES } from "#ops/caller.ts"
import { createApp } from "#ops/create-app.ts"
import { BTC, type Daemon, openWorld, WBTC, type World } from "../../support/fake-world.ts"

const AUTHORIZED = { authorization: "Bearer secret-token", "content-type": "application/json" }
const POSTS = ["swap", "pause", "resume", "reconcile", "orders/x/approve", "orders/x/retry"].map(
  (path) => `/api/v1/${path}`,
)
const GETS = [
  "status",
  "overview",
  "balances",
  "orders",
  "orders/x",
  "rules",
  "decisions",
  "plan",
  "reconciliation",
  "session",
].map((path) => `/api/v1/${path}`)

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    "",
    "0",
    "-1",
    "1e9",
    "0.01",
    "1.",
    "NaN",
    "9".repeat(400),
    "__proto__",
    "../..",
    "a:b",
    "\u0000",
  ),
  fc.constantFrom<string>(WBTC, BTC, "base_sepolia", "auto", "gasless", "outside"),
)
const body = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom(
    "[".repeat(50_000),
    '{"from":',
    "null",
    "[]",
    `{"amount":"${"1".repeat(100_000)}"}`,
  ),
  fc
    .dictionary(
      fc.constantFrom("from", "to", "amount", "deposit", "chain", "rule", "accept", "as", "intent"),
      odd,
    )
    .map((fields) => JSON.stringify(fields)),
)

describe("a random HTTP request", () => {
  let world: World
  let daemon: Daemon
  let app: ReturnType<typeof createApp>
  beforeAll(() => {
    world = openWorld()
    daemon = world.start()
    const { engine, context } = daemon
    const reconciler = createReconciler(context, { everyMs: 1_000, onDifference: "alert" })
    // CAST: these tests read no field of the overview, the books and the settings.
    const runtime = {
      isReady: () => true,
      startedAtMs: 0,
      configHash: () => "x",
      subscribe: () => () => undefined,
      reload: async () => ({
        ok: false as const,
        reasons: [{ code: "reload.none", message: "Nothing to reload here" }],
      }),
      reconciler,
      chains: () => [],
      overview: () => ({}),
      alerting: { read: () => NO_DELIVERIES, acknowledge: () => 0 },
      receivers: () => [],
      samples: () => ({}),
      views: { alerts: () => [], books: () => ({}), settings: () => ({}) },
    } as unknown as Parameters<typeof createOperations>[2]
    const token = {
      name: "main",
      token: new Secret("secret-token", "env:TOKEN"),
      scopes: ALL_SCOPES,
    }
    let nowMs = 0
    // Each request comes an hour after the one before, so that no limit of requests or failures
    // counts.
    const clock = { now: () => (nowMs += 3_600_000), sleep: async () => undefined }
    app = createApp(createOperations(context, engine, runtime), {
      tokens: () => [token],
      hosts: () => [],
      log: silentLogger,
      clock,
    })
  })
  afterAll(() => world.close())
  beforeEach(() => daemon.engine.resume({ kind: "all" }))

  async function ask(path: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const answer = await app.request(path, { headers: AUTHORIZED, ...init })
    return { status: answer.status, text: await answer.text() }
  }

  /**
   * The status for an authorization header. The client refuses an invalid header before it sends
   * it.
   */
  async function authorize(authorization: string): Promise<number> {
    try {
      return (await app.request("/api/v1/status", { headers: { authorization } })).status
    } catch {
      return 401
    }
  }

  test("with POST is answered with a result or a code, never with 500", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...POSTS), body, async (path, sent) => {
        const { status, text } = await ask(path, { method: "POST", body: sent })
        expect([200, 202, 400, 404, 409, 413]).toContain(status)
        if (status >= 400)
          expect(JSON.parse(text)).toMatchObject({
            reasons: [{ code: expect.stringMatching(/^\w+\.\w+/) }],
          })
      }),
      { numRuns: 200 },
    )
  })

  test("with GET and any query is answered or refused with a code, never with 500", async () => {
    const query = fc.webQueryParameters()
    const name = fc.constantFrom("limit", "open", "rule", "x")
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...GETS),
        query,
        name,
        odd,
        async (path, random, key, value) => {
          const known = `${key}=${encodeURIComponent(textOf(value).toWellFormed())}`
          const { status, text } = await ask(`${path}?${known}&${random}`, {})
          expect([200, 400, 404]).toContain(status)
          expect(() => JSON.parse(text)).not.toThrow()
        },
      ),
      { numRuns: 200 },
    )
  })

  test("with any path and method is answered with a code", async () => {
    const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")
    await fc.assert(
      fc.asyncProperty(fc.webPath(), method, async (path, verb) => {
        const { status } = await ask(`/api/v1${path}`, { method: verb })
        expect(status).toBeLessThan(500)
      }),
    )
  })

  test("without the token is refused", async () => {
    const header = fc.oneof(
      fc.string({ unit: "grapheme-ascii" }),
      fc.constantFrom(
        "Bearer",
        "Bearer ",
        "Bearer secret-token ",
        "bearer secret-token2",
        "Basic c2VjcmV0LXRva2Vu2",
        "Basic ==",
      ),
    )
    await fc.assert(
      fc.asyncProperty(header, async (authorization) => {
        const allowed =
          /^\s*bearer secret-token\s*$/i.test(authorization) || /^\s*basic /i.test(authorization)
        const status = await authorize(authorization)
        if (!allowed) expect(status).toBe(401)
      }),
    )
  })

  test("for a swap is accepted only with the exact requested amount", async () => {
    const amount = fc.oneof(
      odd,
      fc.integer({ min: 0, max: 10 ** 6 }).map((units) => `0.${String(units).padStart(8, "0")}`),
    )
    await fc.assert(
      fc.asyncProperty(amount, async (asked) => {
        const sent = JSON.stringify({ from: WBTC, to: BTC, amount: asked })
        const { status, text } = await ask("/api/v1/swap", { method: "POST", body: sent })
        if (status !== 202) return
        const { id } = JSON.parse(text) as { id: string }
        const order = JSON.parse((await ask(`/api/v1/orders/${id}`, {})).text) as { amount: string }
        expect(Number(order.amount)).toBe(Number(asked))
      }),
      { numRuns: 60 },
    )
  })

  test.for<[string, string]>([
    ["not JSON", "{chain: base_sepolia}"],
    ["a list", '["base_sepolia"]'],
    ["a misspelt key", '{"chian":"base_sepolia"}'],
    ["a chain that is no text", '{"chain":["base_sepolia"]}'],
    ["a chain and a rule", '{"chain":"base_sepolia","rule":"x"}'],
    ["a chain that is not configured", '{"chain":"base_mainnet"}'],
    ["a rule that is not configured", '{"rule":"x"}'],
  ])("to pause or resume with %s has no effect", async ([, sent]) => {
    expect((await ask("/api/v1/pause", { method: "POST", body: "{}" })).status).toBe(200)
    expect(
      (await ask("/api/v1/resume", { method: "POST", body: sent })).status,
    ).toBeGreaterThanOrEqual(400)
    expect(JSON.parse((await ask("/api/v1/status", {})).text)).toMatchObject({ paused: true })
    expect((await ask("/api/v1/resume", { method: "POST" })).status).toBe(200)
    expect(
      (await ask("/api/v1/pause", { method: "POST", body: sent })).status,
    ).toBeGreaterThanOrEqual(400)
    expect(JSON.parse((await ask("/api/v1/status", {})).text)).toMatchObject({ paused: false })
  })
})

/** Objects as JSON, because a random `toString` member makes `String` throw. */
function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
