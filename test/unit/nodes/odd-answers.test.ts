import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { gzipSync } from "node:zlib"
import { afterEach, describe, expect, test } from "vitest"
import type { Clock } from "#lib/clock.ts"
import { createPaces } from "#nodes/paces.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import {
  answerOf,
  FAMILIES,
  failureOf,
  OTHERS,
  PROBES,
  type Reply,
  serve,
  timeoutMs,
} from "./askers.ts"

/*
 * Unusual answers of real servers: each is read as its server means it, or refused with words that
 * say why.
 */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const NODES = Object.entries({ ...FAMILIES, ...PROBES })
const ALL = [...NODES, ...Object.entries(OTHERS)]
const RPC = NODES.filter(([name]) => !name.includes("bitcoin"))
const READERS = ALL.filter(([name]) => name !== "webhook")

async function open(reply: (path: string, body: string) => Reply) {
  const server = await serve(reply)
  stops.push(server.stop)
  return server
}

const world = (clock: Clock = createHastyClock(timeoutMs)) => ({ clock, paces: createPaces(clock) })

/** What else stands beside a result for "no error". */
const NO_ERRORS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["an empty object of an error", { error: {} }],
  ["an empty list of errors", { error: [] }],
  ["the code 0 without words", { error: { code: 0, message: "" } }],
  ["the number 0", { error: 0 }],
  ["a list of fields of a gateway", { usage: { credits: 3 }, warnings: ["rate limit at 80 %"] }],
]

describe.each(RPC)("%s", (_name, ask) => {
  test.each(NO_ERRORS)("takes %s beside a result for no error", async (_what, over) => {
    const { url } = await open((path, body) => ({ body: answerOf(path, body, over) }))
    await expect(ask(url, world())).resolves.toBeDefined()
  })

  test("reads ids that a gateway writes as texts, and answers in another order", async () => {
    const { url } = await open((path, body) => {
      const answer = JSON.parse(answerOf(path, body))
      const all = [answer].flat().map((one) => ({ ...one, id: `${one.id}` }))
      return { body: JSON.stringify(Array.isArray(answer) ? all.toReversed() : all[0]) }
    })
    await expect(ask(url, world())).resolves.toBeDefined()
  })

  test("reads an answer that has a status of 201 and blank lines around it", async () => {
    const { url } = await open((path, body) => ({
      status: 201,
      body: `\r\n\r\n${answerOf(path, body)}\n\n`,
    }))
    await expect(ask(url, world())).resolves.toBeDefined()
  })

  test("says what is wrong where neither a result nor an error is there", async () => {
    const { url } = await open(() => ({ body: '{"jsonrpc":"2.0","id":1,"error":null}' }))
    const failure = await failureOf(ask(url, world()))
    expect(failure.message).not.toMatch(/undefined is not|Cannot read/)
  })
})

/** No number of a block, and no price. */
const NO_NUMBERS: readonly unknown[] = [
  -5,
  "-0x10",
  "1e999999",
  `${"9".repeat(400)}`,
  "0x",
  "",
  null,
  true,
  { value: 16 },
  "NaN",
  "Infinity",
]

const COUNTING = READERS.filter(([name]) => /^(bitcoin|price|the probe)/.test(name))

describe.each(COUNTING)("%s", (_name, ask) => {
  test("makes nothing of what is no number", async () => {
    for (const value of NO_NUMBERS) {
      const { url } = await open((path, body) => {
        if (path.endsWith("/blocks/tip/height")) return { body: `${value}` }
        if (path.includes("/block/"))
          return { body: JSON.stringify({ height: value, timestamp: value }) }
        if (body.includes("jsonrpc")) return { body: withResult(path, body, value) }
        return { body: JSON.stringify({ price: value }) }
      })
      expect([value, await failureOf(ask(url, world()))]).toEqual([value, expect.any(Error)])
    }
  })
})

/** Every number of an answer is another value. */
function withResult(path: string, body: string, value: unknown): string {
  const answer = JSON.parse(answerOf(path, body))
  const all = [answer].flat().map((one) => {
    const isText = typeof one.result === "string" && !/^0x10$/.test(one.result)
    return {
      ...one,
      result: isText
        ? one.result
        : typeof one.result === "object"
          ? { number: value, timestamp: value, block_number: value }
          : value,
    }
  })
  return JSON.stringify(Array.isArray(answer) ? all : all[0])
}

describe.each(ALL)("%s", (_name, ask) => {
  // Without a listener the end of such a body would end the process: vitest tells of it.
  test.each(["gzip", "br", "zstd"])("names an answer that %s has compressed", async (encoding) => {
    const { url } = await open((path, body) => ({
      headers: { "content-encoding": encoding },
      // CAST: `end` takes bytes too.
      body: gzipSync(answerOf(path, body)) as unknown as string,
    }))
    const { message, details } = await failureOf(ask(url, world()))
    expect(`${message} ${JSON.stringify(details)}`).toContain(`content-encoding ${encoding}`)
  })

  test("names a redirect", async () => {
    const { url } = await open(() => ({
      status: 301,
      headers: { location: "https://elsewhere.example/" },
      body: "",
    }))
    const failure = await failureOf(ask(url, world()))
    expect(`${failure.message} ${JSON.stringify(failure.details)}`).toMatch(/\b301\b/)
  })

  test.each([401, 404, 413, 521])("names HTTP %i of a page", async (status) => {
    const { url } = await open(() => ({ status, body: "<html><body>no</body></html>" }))
    const failure = await failureOf(ask(url, world()))
    expect(`${failure.message} ${JSON.stringify(failure.details)}`).toContain(`${status}`)
  })

  test.each([
    ["closes without an answer", "", /broke|closed/],
    ["speaks another protocol", "SSH-2.0-OpenSSH_9.6\r\n", /HTTP|protocol|broke/i],
    [
      "promises more bytes than it sends",
      "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{",
      /broke|closed|whole/,
    ],
    ["has headers without end", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(70_000)}`, /header/i],
  ])("says in words that a server %s", async (_what, bytes, words) => {
    const url = await openRaw(bytes)
    const failure = await failureOf(ask(url, world()))
    expect(`${failure.message} ${JSON.stringify(failure.details)}`).toMatch(words)
  })

  test("says in words that a server speaks no TLS", async () => {
    const { url } = await open((path, body) => ({ body: answerOf(path, body) }))
    const failure = await failureOf(ask(url.replace("http:", "https:"), world()))
    expect(`${failure.message} ${JSON.stringify(failure.details)}`).toMatch(/TLS|SSL/)
  })
})

/** Writes these bytes to each caller, and closes. */
async function openRaw(bytes: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.once("data", () => socket.end(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  stops.push(() => server.close())
  // CAST: a port of TCP.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
