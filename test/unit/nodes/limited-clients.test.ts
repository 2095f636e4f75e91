import { afterEach, describe, expect, test } from "vitest"
import { type Clock, systemClock } from "#lib/clock.ts"
import { plainJson } from "#lib/json.ts"
import { createPaces } from "#nodes/paces.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import { answerOf, FAMILIES, OTHERS, PROBES, type Reply, serve, timeoutMs } from "./askers.ts"

/*
 * Each client of an endpoint that takes no more requests waits for as long as the endpoint asks.
 */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const NODES = Object.entries({ ...FAMILIES, ...PROBES })
const ALL = [...NODES, ...Object.entries(OTHERS)]

async function open(reply: (path: string, body: string) => Reply) {
  const server = await serve(reply)
  stops.push(server.stop)
  return server
}

const honest = (path: string, body: string): Reply => ({ body: answerOf(path, body) })
const world = (clock: Clock = createHastyClock(timeoutMs)) => ({ clock, paces: createPaces(clock) })

/** How endpoints say that they take no more requests, without a status that does. */
const LIMIT_ERRORS: readonly unknown[] = [
  "rate limit exceeded",
  { code: "429", message: "slow down" },
  { code: 429, message: "Your app has exceeded its compute units per second capacity" },
  { code: -32_005, message: "daily request count exceeded, request rate limited" },
  { code: -32_007, message: "50/second request limit reached - reduce calls per second" },
  { code: -32_005, message: "You've exceeded the RPS limit available on the current plan" },
  { code: -32_429, message: "max usage reached" },
  { code: 0, message: "Monthly capacity limit exceeded" },
  { code: -32_000, message: "exceeded its concurrent requests capacity" },
  { code: -32_005, message: "Limit exceeded", data: { reason: "monthly quota is used up" } },
  { code: -32_603, message: "project is being throttled" },
]

test.each(Object.entries(FAMILIES).filter(([name]) => name !== "bitcoin" && !name.includes("two")))(
  "%s waits for a limit that its node tells in an error",
  async (_name, ask) => {
    let next: unknown = null
    const { url } = await open((path, body) => {
      const error = next
      next = null
      return { body: answerOf(path, body, error === null ? {} : { result: undefined, error }) }
    })
    for (const error of LIMIT_ERRORS) {
      const clock = jumpingClock()
      next = error
      await expect(ask(url, world(clock))).resolves.toBeDefined()
      expect(clock.now(), plainJson(error)).toBeGreaterThanOrEqual(1_000)
    }
  },
)

/** Up to a second of the hour is lost in a date. */
const inTwoMinutes = () => new Date(Date.now() + 120_999).toUTCString()
const PAUSES: readonly (readonly [what: string, status: number, after: () => string, s: number])[] =
  [
    ["429, in seconds", 429, () => "120", 120],
    ["429, by a date", 429, inTwoMinutes, 120],
    ["503, for up to a minute", 503, () => "3600", 60],
  ]
describe.each(ALL)("%s", (_name, ask) => {
  test.each(PAUSES)(
    "sends nothing more for as long as the endpoint asks by %s, and goes on after it",
    async (_what, status, after, seconds) => {
      let isOver = false
      const { url, seen } = await open((path, body) =>
        isOver ? honest(path, body) : { status, headers: { "retry-after": after() }, body: "" },
      )
      const clock = steppingClock(Date.now())
      const shared = world(clock)
      const askAll = () => Promise.allSettled(Array.from({ length: 3 }, () => ask(url, shared)))
      await ask(url, shared).catch(() => undefined)
      expect(seen).toHaveLength(1)
      for (let second = 0; second < seconds - 20; second += 20) {
        await askAll()
        clock.step(20_000)
      }
      expect(seen).toHaveLength(1)
      isOver = true
      clock.step(23_000)
      await expect(ask(url, shared)).resolves.toBeDefined()
    },
  )
})

test.each(Object.entries(PROBES))("%s says until when it is limited", async (name, ask) => {
  const { url, seen } = await open(() => ({
    status: 429,
    headers: { "retry-after": "120" },
    body: "",
  }))
  const clock = steppingClock()
  const shared = world(clock)
  const family = FAMILIES[name.replace("the probe of ", "")]
  await family?.(url, shared).catch(() => undefined)
  // The probe knows what the port has learnt.
  await expect(ask(url, shared)).rejects.toThrow("rate limited until 2026-03-02T08:02:00.000Z")
  expect(seen).toHaveLength(1)
})

/** A used-up day needs another step than too many requests in a second. */
const QUOTA = "daily request count exceeded"
const KEY = "a-key-of-the-desk"
const LATER = { status: 429, headers: { "retry-after": "120" } }

test.each(Object.entries(PROBES))(
  "%s shows the words of a limit, not its key",
  async (name, ask) => {
    const error = { code: -32_005, message: `${QUOTA} for ${KEY}` }
    const { url } = await open(() => ({ ...LATER, body: plainJson({ id: 1, error }) }))
    const at = `${url}/${KEY}`
    // The probe knows what the port has learnt, and learns by itself.
    for (const first of [FAMILIES[name.replace("the probe of ", "")], ask]) {
      const shared = world(steppingClock())
      await first?.(at, shared).catch(() => undefined)
      const found = await ask(at, shared).catch(String)
      expect(found).toContain(QUOTA)
      expect(found).not.toContain(KEY)
    }
  },
)

test.each(Object.entries(FAMILIES))(
  "%s keeps to the known limit of its endpoint",
  async (_name, ask) => {
    const { url, seen } = await open(honest)
    const clock = jumpingClock()
    const shared = world(clock)
    const at = { url, headers: {}, maxRequestsPerSecond: 5 }
    const start = clock.now()
    await Promise.all(Array.from({ length: 30 }, () => ask(at, shared)))
    const seconds = (clock.now() - start) / 1_000
    expect(seen.length / Math.max(1, seconds)).toBeLessThanOrEqual(10)
  },
)

/** Time passes by `step` alone; a sleep never ends. */
function steppingClock(
  startMs = Date.parse("2026-03-02T08:00:00Z"),
): Clock & { step(ms: number): void } {
  let nowMs = startMs
  return {
    ...systemClock,
    now: () => nowMs,
    sleep: () => new Promise<void>(() => undefined),
    step: (ms) => {
      nowMs += ms
    },
  }
}

/** A sleep ends at once and moves the time. */
function jumpingClock(): Clock {
  let nowMs = 0
  return {
    ...systemClock,
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms
    },
  }
}
