import { type AddressInfo, createServer, type Socket } from "node:net"
import { afterEach, describe, expect, test } from "vitest"
import { createPaces } from "#nodes/paces.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import { answerOf, FAMILIES, failureOf, OTHERS, PROBES, serve, timeoutMs } from "./askers.ts"
import { FURTHER } from "./further-askers.ts"

/*
 * Servers of an older or stranger kind that give an answer all the same, for every client.
 */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const world = () => {
  const clock = createHastyClock(timeoutMs)
  return { clock, paces: createPaces(clock) }
}

const OK = "HTTP/1.1 200 OK\r\n"
const lengthOf = (body: string): string => `content-length: ${Buffer.byteLength(body)}\r\n\r\n`

/** Each character is a part of its own. */
function inParts(body: string): string {
  const parts = [...body].map((one) => `${Buffer.byteLength(one).toString(16)};x=1\r\n${one}\r\n`)
  return `${OK}transfer-encoding: chunked\r\ntrailer: x\r\n\r\n${parts.join("")}0\r\nx: 1\r\n\r\n`
}

/** The bytes of an answer; `closes`: the connection ends with it. */
type Way = { readonly bytes: (body: string) => string; readonly closes?: true }

const WAYS: readonly (readonly [string, Way])[] = [
  [
    "speaks HTTP/1.0, so that the end of the connection ends the body",
    { bytes: (body) => `HTTP/1.0 200 OK\r\n\r\n${body}`, closes: true },
  ],
  [
    "closes after each answer",
    { bytes: (body) => `${OK}connection: close\r\n${lengthOf(body)}${body}`, closes: true },
  ],
  [
    "closes after each answer without a word of it",
    { bytes: (body) => `${OK}${lengthOf(body)}${body}`, closes: true },
  ],
  ["sends the body in parts, with a trailer", { bytes: inParts }],
  [
    "calls its answer a page",
    {
      bytes: (body) =>
        `${OK}content-type: text/html; charset=iso-8859-1\r\n${lengthOf(body)}${body}`,
    },
  ],
  [
    "sends interim answers before",
    {
      bytes: (body) =>
        `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${OK}${lengthOf(body)}${body}`,
    },
  ],
  [
    "has a status without words, and headers in capitals",
    {
      bytes: (body) =>
        `HTTP/1.1 200\r\nCONTENT-ENCODING: Identity\r\n${lengthOf(body).toUpperCase()}${body}`,
    },
  ],
  [
    "sets cookies and repeats headers",
    {
      bytes: (body) =>
        `${OK}set-cookie: a=1\r\nset-cookie: b=2\r\ndate: x\r\ndate: y\r\nretry-after: 1\r\n` +
        `retry-after: 2\r\n${lengthOf(body)}${body}`,
    },
  ],
]

describe.each(Object.entries({ ...FAMILIES, ...PROBES, ...OTHERS }))("%s", (_name, ask) => {
  test.each(WAYS)("reads a server that %s, again and again", async (_what, way) => {
    const url = await openRaw(way)
    const shared = world()
    for (let turn = 0; turn < 3; turn++) await expect(ask(url, shared)).resolves.toBeDefined()
  })
})

// The client of a key's service hands each answer on.
const EVERYONE = Object.entries({ ...FAMILIES, ...PROBES, ...OTHERS, ...FURTHER }).filter(
  ([name]) => name !== "a key's service",
)

describe.each(EVERYONE)("%s", (_name, ask) => {
  test.each([302, 303, 307, 308])("takes no key to another host by %i", async (status) => {
    const elsewhere = await serve((path, body) => ({ body: answerOf(path, body) }))
    const { url, stop } = await serve(() => ({
      status,
      headers: { location: elsewhere.url },
      body: "",
    }))
    stops.push(stop, elsewhere.stop)
    const headers = { "x-api-key": "k12345678" }
    const failure = await failureOf(ask({ url, headers, maxRequestsPerSecond: null }, world()))
    expect(`${failure.message} ${JSON.stringify(failure.details)}`).toContain(`${status}`)
    expect(elsewhere.seen).toEqual([])
  })
})

/** Answers each whole request of a connection in these bytes. */
async function openRaw({ bytes, closes }: Way): Promise<string> {
  const answer = (socket: Socket, request: string): void => {
    const body = request.slice(request.indexOf("\r\n\r\n") + 4)
    const written = bytes(answerOf(request.split(" ")[1] ?? "", body))
    if (closes) socket.end(written)
    else socket.write(written)
  }
  const server = createServer((socket) => {
    let text = ""
    socket.on("error", () => undefined)
    socket.on("data", (chunk) => {
      text += chunk
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      const end = text.indexOf("\r\n\r\n")
      if (end < 0 || text.length < end + 4 + length) return
      const request = text
      text = ""
      answer(socket, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  stops.push(() => server.close())
  // CAST: a port of TCP.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
