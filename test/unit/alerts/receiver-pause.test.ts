import { createServer } from "node:http"
import { afterAll, beforeEach, expect, test } from "vitest"
import { runHeartbeat } from "#alerts/heartbeat.ts"
import type { Receiver } from "#alerts/port.ts"
import { createParcelSender } from "#alerts/send-message.ts"
import { readMessages } from "#alerts/telegram-bot.ts"
import type { Clock } from "#lib/clock.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { createPaces } from "#nodes/paces.ts"
import { listen, stopServer } from "../../support/listen.ts"
import { failure } from "../../support/service-stub.ts"

let asked: string[] = []
let refusals = 0
let answer = { status: 429, headers: {}, text: "" }
const server = createServer((request, response) => {
  asked.push(String(request.url))
  if (refusals-- > 0) return response.writeHead(answer.status, answer.headers).end(answer.text)
  return response.end('{"ok":true,"result":[]}')
})
const { url } = await listen(server)
afterAll(() => stopServer(server))
beforeEach(() => {
  asked = []
  refusals = 1
  answer = { status: 429, headers: { "retry-after": "120" }, text: "" }
})

let nowMs = Date.parse("2026-03-02T08:00:00Z")
const clock: Clock = {
  now: () => nowMs,
  // The time-outs of the exchanges are real.
  sleep: (_ms, signal) => systemClock.sleep(10_000, signal),
}
const parcel = { id: "1", text: { title: "t", lines: [] }, isUrgent: false, body: {} }
const webhook = (name: string): Receiver =>
  // CAST: the sender reads these keys.
  ({ name, kind: "webhook", url: new Secret(`${url}/${name}`, "env:X"), key: null }) as never

test("a receiver that asks for a pause is sent nothing, nor is another one at its host", async () => {
  const paces = createPaces(clock)
  const send = createParcelSender(clock, paces)
  const other = createParcelSender(clock, paces)
  expect(await send(webhook("a"), parcel as never)).toMatchObject({ ok: false, waitMs: 120_000 })
  nowMs += 30_000
  expect(await other(webhook("b"), parcel as never)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^rate limited until 2026/),
    waitMs: 90_000,
  })
  expect(asked).toEqual(["/a"])
  nowMs += 90_000
  expect(await other(webhook("b"), parcel as never)).toMatchObject({ ok: true })
})

test("a pause that a chat names in its body counts too", async () => {
  answer = { status: 429, headers: {}, text: '{"retry_after":42.5}' }
  const paces = createPaces(clock)
  const send = createParcelSender(clock, paces)
  expect(await send(webhook("a"), parcel as never)).toMatchObject({ ok: false, waitMs: 42_500 })
  expect(await send(webhook("b"), parcel as never)).toMatchObject({ waitMs: 42_500 })
  expect(asked).toEqual(["/a"])
})

test.each([
  ["429", 429],
  ["503", 503],
])("a heartbeat whose owner answers %s and Retry-After waits", async (_, status) => {
  answer = { status, headers: { "retry-after": "50" }, text: "" }
  const stop = new AbortController()
  const beats: number[] = []
  const startMs = nowMs
  const beating: Clock = {
    now: clock.now,
    sleep: async (ms, signal) => {
      if (ms !== 10_000) return systemClock.sleep(10_000, signal)
      nowMs += ms
      if (nowMs - startMs >= 80_000) stop.abort()
    },
  }
  const noted: (string | null)[] = []
  await runHeartbeat(
    {
      config: () => ({ url: new Secret(url, "env:X"), everyMs: 10_000, method: "POST" }),
      isAlive: async () => {
        beats.push(asked.length)
        return true
      },
      note: (error) => void noted.push(error),
      clock: beating,
      log: silentLogger,
    },
    stop.signal,
  )
  expect(beats).toEqual([0, 1, 1, 1, 1, 1, 2, 3])
  expect(noted[1]).toMatch(/until 2026/)
  expect(noted.slice(5)).toEqual([null, null, null])
})

test("the bot of approvals names the pause that Telegram asks for, without its token", async () => {
  answer = { status: 429, headers: {}, text: '{"ok":false,"parameters":{"retry_after":33}}' }
  const bot = { kind: "telegram", api: url, chat: "1", token: new Secret("12:AA", "t") }
  const { details, message } = await failure(
    readMessages(bot as never, null, clock, new AbortController().signal),
  )
  expect(details["retryAfterMs"]).toBe(33_000)
  expect(message).not.toContain("12:AA")
})
