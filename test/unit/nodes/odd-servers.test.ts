import { type AddressInfo, createServer } from "node:net"
import { gzipSync } from "node:zlib"
import { afterEach, describe, expect, test } from "vitest"
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
import { FURTHER } from "./further-askers.ts"

/*
 * Servers that give no answer: each failure is told in words that say why.
 */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

// The client of a key's service hands each answer on.
const ALL = Object.entries({ ...FAMILIES, ...PROBES, ...OTHERS, ...FURTHER }).filter(
  ([name]) => name !== "a key's service",
)

async function open(reply: (path: string, body: string) => Reply) {
  const server = await serve(reply)
  stops.push(server.stop)
  return server
}

const world = () => {
  const clock = createHastyClock(timeoutMs)
  return { clock, paces: createPaces(clock) }
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
