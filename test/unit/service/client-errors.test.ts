import { createServer as createTcpServer } from "node:net"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { type Clock, systemClock } from "#lib/clock.ts"
import { MAX_BODY_BYTES } from "#service/http.ts"
import { listen } from "../../support/listen.ts"
import { ask, failure, HTML, order, replies, startStub } from "../../support/service-stub.ts"

const stub = await startStub()
afterAll(stub.stop)
beforeEach(() => {
  stub.seen = []
})

/** The requests without those that ask why a pair is refused. */
const withoutLists = (): readonly unknown[] =>
  stub.seen.filter(({ url }) => !/\/(policy|assets|liquidity)/.test(url))

describe("errors", () => {
  const envelope = (error: string): object => ({ status: "Error", error })
  const bounds = "expected amount to be within the range of 50000 to 1000000"
  type Row = readonly [
    string,
    number,
    unknown,
    readonly [string, string],
    readonly [string, string],
  ]
  const rows: readonly Row[] = [
    [
      "no pair",
      400,
      envelope("No order pair found"),
      ["service.no_pair", "refused"],
      ["service.no_pair", "refused"],
    ],
    [
      "bounds",
      400,
      envelope(bounds),
      ["service.amount_bounds", "refused"],
      ["service.amount_bounds", "refused"],
    ],
    [
      "no quotes",
      400,
      envelope("no quotes available"),
      ["service.no_liquidity", "transient"],
      ["service.no_liquidity", "transient"],
    ],
    [
      "liquidity",
      404,
      envelope("insufficient liquidity"),
      ["service.no_liquidity", "transient"],
      ["service.no_liquidity", "transient"],
    ],
    [
      "other 400",
      400,
      envelope("bad address"),
      ["service.refused", "refused"],
      ["service.refused", "refused"],
    ],
    [
      "app id",
      401,
      envelope("invalid app id"),
      ["service.app_id", "hold"],
      ["service.app_id", "hold"],
    ],
    ["app id as HTML", 401, HTML, ["service.app_id", "hold"], ["service.app_id", "hold"]],
    [
      "unknown order",
      404,
      envelope("order not found"),
      ["service.not_found", "refused"],
      ["service.not_found", "refused"],
    ],
    [
      "duplicate",
      409,
      envelope("order exists"),
      ["service.duplicate", "refused"],
      ["service.duplicate", "refused"],
    ],
    [
      "rate limit",
      429,
      HTML,
      ["service.rate_limited", "transient"],
      ["service.rate_limited", "transient"],
    ],
    [
      "408",
      408,
      envelope("time-out"),
      ["service.unavailable", "transient"],
      ["service.uncertain", "uncertain"],
    ],
    [
      "425",
      425,
      envelope("too early"),
      ["service.unavailable", "transient"],
      ["service.uncertain", "uncertain"],
    ],
    [
      "404 from a proxy",
      404,
      HTML,
      ["service.unavailable", "transient"],
      ["service.uncertain", "uncertain"],
    ],
    [
      "413 from a proxy",
      413,
      HTML,
      ["service.unavailable", "transient"],
      ["service.uncertain", "uncertain"],
    ],
    [
      "500",
      500,
      envelope("boom"),
      ["service.unavailable", "transient"],
      ["service.uncertain", "uncertain"],
    ],
    [
      "500 with a known text",
      500,
      envelope("No order pair found"),
      ["service.no_pair", "refused"],
      ["service.uncertain", "uncertain"],
    ],
    [
      "502 from a proxy",
      502,
      HTML,
      ["service.unavailable", "transient"],
      ["service.uncertain", "uncertain"],
    ],
    [
      "a redirect",
      302,
      "",
      ["service.unavailable", "transient"],
      ["service.uncertain", "uncertain"],
    ],
    [
      "a page under 200",
      200,
      HTML,
      ["service.malformed", "transient"],
      ["service.malformed", "uncertain"],
    ],
    [
      "an empty 200",
      200,
      "",
      ["service.malformed", "transient"],
      ["service.malformed", "uncertain"],
    ],
    [
      "another status under 200",
      200,
      { status: "Pending", result: [] },
      ["service.malformed", "transient"],
      ["service.malformed", "uncertain"],
    ],
    [
      "an error under 200",
      200,
      envelope("boom"),
      ["service.malformed", "transient"],
      ["service.malformed", "uncertain"],
    ],
    [
      "no pair under 200",
      200,
      envelope("No order pair found"),
      ["service.no_pair", "refused"],
      ["service.malformed", "uncertain"],
    ],
  ]

  test.each(rows)(
    "%s (%i): the error of a read and of a write",
    async (_name, status, body, read, write) => {
      stub.answer = replies(status, body, { location: "/elsewhere" })
      const asRead = await failure(stub.client().fetchQuotes(ask))
      expect([asRead.code, asRead.disposition]).toEqual(read)
      expect(withoutLists()).toHaveLength(asRead.disposition === "transient" ? 3 : 1)
      stub.seen = []
      const asWrite = await failure(stub.client().submitOrder(order))
      expect([asWrite.code, asWrite.disposition]).toEqual(write)
      expect(withoutLists()).toHaveLength(1)
      expect(JSON.stringify([asRead, asWrite])).not.toContain("app-1")
    },
  )

  test("the error contains Retry-After, and a long wait ends the tries", async () => {
    stub.answer = replies(429, envelope("slow down"), { "retry-after": "30" })
    expect(await failure(stub.client().fetchQuotes(ask))).toMatchObject({
      details: { retryAfterMs: 30_000 },
    })
    expect(stub.seen).toHaveLength(1)
  })

  test("a read succeeds after a short failure", async () => {
    stub.answer = (request, response) =>
      replies(
        stub.seen.length < 3 ? 503 : 200,
        stub.seen.length < 3 ? HTML : { status: "Ok", result: [] },
        {
          "retry-after": "1",
        },
      )(request, response)
    expect(await stub.client().fetchQuotes(ask)).toEqual([])
  })

  test("a refused connection means that nothing was sent, not even by a write", async () => {
    const closed = createTcpServer()
    const { url } = await listen(closed)
    await new Promise((resolve) => closed.close(resolve))
    expect(await failure(stub.client({ baseUrl: url }).submitOrder(order))).toMatchObject({
      code: "service.unavailable",
      disposition: "transient",
    })
  })

  test("an unknown host name means that nothing was sent", async () => {
    expect(
      await failure(stub.client({ baseUrl: "http://nowhere.invalid" }).submitOrder(order)),
    ).toMatchObject({
      disposition: "transient",
    })
  })

  test("a connection that breaks after the request leaves a write uncertain", async () => {
    stub.answer = (_request, response) => response.destroy()
    expect(await failure(stub.client().submitOrder(order))).toMatchObject({
      code: "service.uncertain",
      disposition: "uncertain",
    })
    expect(stub.seen).toHaveLength(1)
    expect(await failure(stub.client().fetchOrder("ab"))).toMatchObject({
      code: "service.unavailable",
      disposition: "transient",
    })
  })

  test("silence and an endless body end with the time-out", async () => {
    stub.answer = () => undefined
    expect(await failure(stub.client({ timeoutMs: 60 }).submitOrder(order))).toMatchObject({
      code: "service.uncertain",
      message: expect.stringContaining("60 ms"),
    })
    stub.answer = (_request, response) => void response.writeHead(200).write('{"status":')
    expect(await failure(stub.client({ timeoutMs: 60 }).submitOrder(order))).toMatchObject({
      code: "service.uncertain",
    })
    expect(await failure(stub.client({ timeoutMs: 60 }).fetchOrder("ab"))).toMatchObject({
      code: "service.unavailable",
      disposition: "transient",
    })
  })

  test("a body above the size limit is cut off", async () => {
    stub.answer = (_request, response) => void response.end(Buffer.alloc(MAX_BODY_BYTES + 1, 32))
    expect(await failure(stub.client().submitOrder(order))).toMatchObject({
      code: "service.malformed",
      message: expect.stringContaining("larger than"),
      disposition: "uncertain",
    })
  })

  test("a truncated body is not an answer", async () => {
    stub.answer = (_request, response) => {
      response.writeHead(200, { "content-length": "1000" })
      response.write('{"status":"Ok"')
      setTimeout(() => response.destroy(), 20)
    }
    expect(await failure(stub.client().submitOrder(order))).toMatchObject({
      code: "service.uncertain",
      disposition: "uncertain",
    })
  })
})

test("requests keep their distance", async () => {
  stub.answer = replies(200, { status: "Ok", result: [] })
  const waits: number[] = []
  const clock: Clock = {
    now: () => 1_000_000,
    sleep: async (ms, signal) => {
      if (signal) await systemClock.sleep(ms, signal)
      else waits.push(ms)
    },
  }
  const slow = stub.client({ maxRequestsPerSecond: 4, clock })
  await Promise.all([slow.fetchQuotes(ask), slow.fetchQuotes(ask), slow.fetchQuotes(ask)])
  expect(waits).toEqual([250, 250])
})
