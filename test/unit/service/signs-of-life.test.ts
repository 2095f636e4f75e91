import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { type Clock, systemClock } from "#lib/clock.ts"
import type { CallNote } from "#service/judge-call.ts"
import { createServiceProbe, type ServiceProbe } from "#service/probe.ts"
import {
  DEFAULTS,
  HTML,
  order,
  ask as QUOTE,
  replies,
  startStub,
} from "../../support/service-stub.ts"

const stub = await startStub()
afterAll(stub.stop)
beforeEach(() => {
  stub.seen = []
})

const ownError = (error: string): object => ({ status: "Error", error })
const probe = (): ServiceProbe =>
  createServiceProbe({ ...DEFAULTS, baseUrl: stub.url, depositReaders: [], clock: systemClock })

/** The service refuses what it has quoted. */
const EXPIRED = ownError("quote expired")

describe("a call", () => {
  const rows: readonly (readonly [number, unknown, string | null])[] = [
    [400, EXPIRED, null],
    [400, ownError("No order pair found"), null],
    [404, ownError("insufficient liquidity"), null],
    [409, ownError("order exists"), null],
    [400, { error: "no such route" }, "HTTP 400 (no such route)"],
    [401, ownError("invalid app id"), "HTTP 401 (invalid app id)"],
    [403, ownError("forbidden"), "HTTP 403 (forbidden)"],
    [403, HTML, "HTTP 403 (a web page)"],
    [404, HTML, "HTTP 404 (a web page)"],
    [404, "", "HTTP 404"],
    [410, ownError("this version is retired"), "HTTP 410 (this version is retired)"],
    [426, ownError("client too old"), "HTTP 426 (client too old)"],
    [429, ownError("slow down"), "HTTP 429 (slow down)"],
    [500, ownError("insufficient liquidity"), "HTTP 500 (insufficient liquidity)"],
    [500, HTML, "HTTP 500 (a web page)"],
    [302, "", "HTTP 302"],
  ]

  test.each(rows)(
    "that is answered with HTTP %i and %j shows the fault %j",
    async (status, body, fault) => {
      const notes: CallNote[] = []
      const client = stub.client({ onCall: (note) => notes.push(note) })
      stub.answer = replies(status, body)
      await client.fetchQuotes(QUOTE).catch(() => undefined)
      await client.submitOrder(order).catch(() => undefined)
      await client.submitSignature("ab", "0x1").catch(() => undefined)
      await client.findOrders("owner").catch(() => undefined)
      const about = `${QUOTE.from} > ${QUOTE.to}`
      expect(notes).toEqual([
        { call: "quote", about, fault },
        { call: "create", about, fault: body === EXPIRED ? "HTTP 400 (quote expired)" : fault },
        { call: "initiate", about: "ab", fault },
        { call: "list", about: "owner", fault },
      ])
    },
  )

  test(
    "for a quote that is answered with a page, or with an unknown error under HTTP 200, shows " +
      "a fault",
    async () => {
      const notes: CallNote[] = []
      const client = stub.client({ onCall: (note) => notes.push(note) })
      stub.answer = replies(200, HTML)
      await client.fetchQuotes(QUOTE).catch(() => undefined)
      stub.answer = replies(200, ownError("boom"))
      await client.fetchQuotes(QUOTE).catch(() => undefined)
      stub.answer = replies(200, ownError("insufficient liquidity"))
      await client.fetchQuotes(QUOTE).catch(() => undefined)
      stub.answer = replies(403, HTML)
      await client.fetchQuotes(QUOTE).catch(() => undefined)
      expect(notes.map(({ fault }) => fault)).toEqual([
        "its answer is a web page, not JSON",
        "the status of its answer is not Ok; it says: boom",
        null,
        "HTTP 403 (a web page)",
      ])
    },
  )

  test("to a service that is not there shows the fault of the connection", async () => {
    const notes: CallNote[] = []
    const client = stub.client({
      baseUrl: "http://127.0.0.1:9",
      onCall: (note) => notes.push(note),
    })
    await client.fetchQuotes(QUOTE).catch(() => undefined)
    expect(notes).toMatchObject([
      { call: "quote", fault: "the connection is refused (ECONNREFUSED)" },
    ])
  })
})

describe("a sign of life", () => {
  test("fails with a limit that is told under HTTP 200", async () => {
    stub.answer = replies(200, ownError("rate limit exceeded, retry in 60s"))
    expect((await probe().askForLife(QUOTE)).fault).toBe(
      "a limit (rate limit exceeded, retry in 60s)",
    )
  })

  test("that is a quote fails with a status that no service of ours gives", async () => {
    stub.answer = replies(410, ownError("this version is retired"))
    expect((await probe().askForLife(QUOTE)).fault).toBe("HTTP 410 (this version is retired)")
  })

  test("sends the app id, as every call does", async () => {
    stub.answer = replies(200, { status: "Ok", result: [] })
    expect(await probe().askForLife(null)).toMatchObject({
      asked: "its list of chains",
      fault: null,
      status: 200,
    })
    expect(stub.seen).toMatchObject([{ url: "/v2/chains", headers: { "service-app-id": "app-1" } }])
  })

  test.each([401, 403, 429, 500, 503])("fails with HTTP %i", async (status) => {
    stub.answer = replies(status, ownError("no"))
    expect((await probe().askForLife(QUOTE)).fault).toBe(`HTTP ${status} (no)`)
  })

  test("is an indicative quote where the service has no list of chains", async () => {
    const refusal = ownError("No order pair found")
    stub.answer = (asked, response) =>
      replies(asked.url === "/v2/chains" ? 404 : 400, refusal)(asked, response)
    expect(await probe().askForLife(QUOTE)).toMatchObject({ asked: "a quote", fault: null })
    stub.answer = replies(404, HTML)
    expect(await probe().askForLife(QUOTE)).toMatchObject({
      asked: "a quote",
      fault: "HTTP 404 (a web page)",
    })
    expect(await probe().askForLife(null)).toMatchObject({
      asked: "its list of chains",
      fault: "HTTP 404 (a web page)",
    })
  })

  test.each([{}, [], { result: [] }, { ok: true, result: null }, { message: "hello" }])(
    "is an indicative quote where %j stands in the list's place",
    async (body) => {
      stub.answer = replies(200, body)
      expect(await probe().askForLife(QUOTE)).toMatchObject({
        asked: "a quote",
        fault: "its answer is not the interface's envelope",
      })
      expect((await probe().askForLife(null)).fault).toBeNull()
    },
  )

  test("is timed without its wait for our own limit", async () => {
    let now = 0
    const sleep = async (ms: number): Promise<void> => {
      if (ms >= DEFAULTS.timeoutMs) return new Promise(() => undefined)
      now += ms
    }
    const clock: Clock = { now: () => now, sleep }
    const shared = { ...DEFAULTS, baseUrl: stub.url, depositReaders: [], clock }
    const limited = createServiceProbe({ ...shared, maxRequestsPerSecond: 1 })
    stub.answer = replies(200, [{ chain: "base" }])
    await limited.askForLife(null)
    const second = await limited.askForLife(null)
    expect(now).toBeGreaterThan(500)
    expect(second.tookMs).toBe(0)
  })

  test("is no refusal of the list, which asks for nothing that could be refused", async () => {
    stub.answer = replies(400, ownError("client too old"))
    expect((await probe().askForLife(QUOTE)).fault).toBe("HTTP 400 (client too old)")
  })

  test("is any JSON with a list, but no page", async () => {
    for (const list of [[{}], { result: ["a"] }, { chains: { a: {} } }]) {
      stub.answer = replies(200, list)
      expect(await probe().askForLife(QUOTE)).toMatchObject({
        fault: null,
        asked: expect.stringContaining("list"),
      })
    }
    stub.answer = replies(200, HTML)
    expect((await probe().askForLife(QUOTE)).fault).toBe(
      "its answer to GET /v2/chains is a web page, not JSON",
    )
  })
})
