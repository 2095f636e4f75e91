import { afterEach, describe, expect, test } from "vitest"
import { type Clock, systemClock } from "#lib/clock.ts"
import { plainJson } from "#lib/json.ts"
import type { Pace } from "#nodes/pace.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { type Asker, answerOf, FAMILIES, OTHERS, PROBES, type Reply, serve } from "./askers.ts"

/*
 * How endpoints say "not now, and for so long" in other places than `Retry-After` in seconds. Each
 * client sends nothing more before the time is over, and goes on after it.
 */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const ALL = Object.entries({ ...FAMILIES, ...PROBES, ...OTHERS })
const RPC = ALL.filter(([name]) => /evm|solana|starknet/.test(name))

const START = Math.floor(Date.now() / 1_000) * 1_000
const inHalf = new Date(START + 30_000)
/** The server's clock, which the time in its answer is compared with. */
const date = new Date(START).toUTCString()
/** `Sun Nov  6 08:49:37 1994` (RFC 9110 §5.6.7). */
function asOldDate(date: Date): string {
  const parts = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? []
  const [, weekday, day, month, year, time] = parts
  return `${weekday} ${month} ${day?.replace(/^0/, " ")} ${time} ${year}`
}

/** A limit of half a minute. */
const ANY: readonly (readonly [string, Reply])[] = [
  ["`RateLimit-Reset`", { status: 429, headers: { "ratelimit-reset": "30" }, body: "" }],
  ["`X-RateLimit-Reset`", { status: 429, headers: { "x-ratelimit-reset": "30" }, body: "" }],
  [
    "`X-RateLimit-Reset` as a time",
    {
      status: 429,
      headers: { "x-ratelimit-reset": `${inHalf.getTime() / 1_000}`, date },
      body: "",
    },
  ],
  [
    "the date of an old server",
    { status: 429, headers: { "retry-after": asOldDate(inHalf), date }, body: "" },
  ],
  ["a blank before the number", { status: 429, headers: { "retry-after": " 30" }, body: "" }],
  ["a part of a second", { status: 429, headers: { "retry-after": "29.5" }, body: "" }],
  ["two of them", { status: 429, headers: { "retry-after": "30, 30" }, body: "" }],
  ["a page", { status: 429, headers: { "retry-after": "30" }, body: "<html>error 1015</html>" }],
  ["a ban of an exchange", { status: 418, headers: { "retry-after": "30" }, body: "" }],
]

const errorOf = (error: unknown): Reply => ({ body: plainJson({ jsonrpc: "2.0", id: 1, error }) })
const IN_JSON: readonly (readonly [string, unknown])[] = [
  [
    "Infura",
    {
      code: -32_005,
      message: "daily request count exceeded, request rate limited",
      data: { rate: { allowed_rps: 1, backoff_seconds: 30, current_rps: 2 }, see: "https://x" },
    },
  ],
  ["a gateway", { code: 429, message: "Too many requests, try again in 30s" }],
  ["another", { code: -32_005, message: "Too many requests, retry after 30 seconds" }],
  ["a third", { code: -32_005, message: "rate limit exceeded", data: { retry_after: 30 } }],
]

async function keepsAway(ask: Asker, reply: Reply): Promise<void> {
  let isOver = false
  const server = await serve((path, body) => (isOver ? { body: answerOf(path, body) } : reply))
  stops.push(server.stop)
  const clock = steppingClock()
  const shared = { clock, paces: createPaces(clock) }
  await ask(server.url, shared).catch(() => undefined)
  expect(server.seen).toHaveLength(1)
  clock.step(24_000)
  await ask(server.url, shared).catch(() => undefined)
  expect(server.seen).toHaveLength(1)
  isOver = true
  clock.step(7_000)
  await expect(ask(server.url, shared)).resolves.toBeDefined()
}

describe.each(ALL)("%s", (_name, ask) => {
  test.each(ANY)("waits for the pause of %s", async (_what, reply) => keepsAway(ask, reply))
})

describe.each(RPC)("%s", (_name, ask) => {
  test.each(IN_JSON)("waits for the pause that %s writes", async (_what, error) =>
    keepsAway(ask, errorOf(error)),
  )
})

/** A gateway's words with a status that has other meanings too. */
const IN_TEXT: readonly (readonly [number, string])[] = [
  [403, "rate limit exceeded"],
  [200, "Too Many Requests"],
  [400, '{"error":"too many requests"}'],
]
/** A service or a receiver may speak so of other limits. */
const BY_NODES: readonly (readonly [number, string])[] = [
  [403, '{"message":"Limit Exceeded: daily quota"}'],
  [402, "monthly quota is used up"],
]
const WORDED = ALL.flatMap(([name, ask]) =>
  [...IN_TEXT, ...(/service|webhook/.test(name) ? [] : BY_NODES)].map(
    (row) => [name, ...row, ask] as const,
  ),
)

test.each(WORDED)("%s knows a limit by its words (%i %s)", async (_name, status, body, ask) => {
  const { url, stop, seen } = await serve(() => ({ status, body }))
  stops.push(stop)
  const clock = steppingClock()
  const open = createPaces(clock)
  const known: Pace[] = []
  const paces: Paces = (...how) => {
    known.push(open(...how))
    return open(...how)
  }
  const shared = { clock, paces }
  void ask(url, shared).catch(() => undefined)
  const isLimited = () => known.some(({ limit }) => limit() !== null)
  await expect.poll(isLimited, { interval: 2 }).toBe(true)
  expect(seen).toHaveLength(1)
  await Promise.race([ask(url, shared).catch(() => undefined), systemClock.sleep(5)])
  expect(seen).toHaveLength(1)
})

/** Time passes by `step` alone; a sleep never ends. */
function steppingClock(): Clock & { step(ms: number): void } {
  let nowMs = START
  return {
    ...systemClock,
    now: () => nowMs,
    sleep: () => new Promise<void>(() => undefined),
    step: (ms) => {
      nowMs += ms
    },
  }
}
