import { type AddressInfo, createServer } from "node:net"
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici"
import { afterEach, describe, expect, test, vi } from "vitest"
import { openNetwork } from "#nodes/open-network.ts"
import { createPaces } from "#nodes/paces.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import { FAMILIES, failureOf, OTHERS, PROBES, type Seen, serve, timeoutMs } from "./askers.ts"
import { FURTHER } from "./further-askers.ts"

/*
 * What every client says of a server that repeats the keys of its address, and of a proxy that
 * gives no way out.
 */

const known = getGlobalDispatcher()
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.unstubAllEnvs()
  setGlobalDispatcher(known)
})

const world = () => {
  const clock = createHastyClock(timeoutMs)
  return { clock, paces: createPaces(clock) }
}

const KEYS = ["header98765", "pathkey98765", "querykey98765", "pass%98765word"]
const REPEATED = KEYS.flatMap((key) => [key, encodeURIComponent(key)])
const headers = { "x-api-key": "header98765" }

function toldBy(error: Error & { readonly details?: unknown }): string {
  const { message, details, cause } = error
  return `${message} ${JSON.stringify(details)} ${cause instanceof Error ? cause.message : ""}`
}

const hasHeader = (seen: readonly Seen[], key: string): boolean =>
  seen.some(({ headers }) => Object.values(headers).includes(key))

// The client of a key's service hands each answer on, and shows none.
const EVERYONE = Object.entries({ ...FAMILIES, ...PROBES, ...OTHERS, ...FURTHER }).filter(
  ([name]) => name !== "a key's service",
)

describe.each(EVERYONE)("%s", (_name, ask) => {
  test.each([200, 400, 401, 404, 500])("does not say a key that %i repeats", async (status) => {
    const { host, seen, stop } = await serve(() => ({ status, body: `no: ${REPEATED.join(" ")}` }))
    stops.push(stop)
    const url = `http://user:pass%2598765word@${host}/pathkey98765/x?apikey=querykey98765`
    const asked = ask({ url, headers, maxRequestsPerSecond: null }, world())
    const told = await asked.then(JSON.stringify, toldBy)
    // The chat's address has no headers.
    const isGiven = (key: string) => key !== headers["x-api-key"] || hasHeader(seen, key)
    expect(REPEATED.filter((key) => told.includes(key) && isGiven(key))).toEqual([])
  })

  test("names a proxy that is down, without its login", async () => {
    goThrough("http://user:pa55word@127.0.0.1:1")
    const told = toldBy(await failureOf(ask("http://node.example:8545", world())))
    expect(told).toMatch(/proxy 127\.0\.0\.1:1/)
    expect(told).not.toMatch(/pa55word/)
  })

  test.each([
    [407, /the proxy wants user and password|proxy answers HTTP 407/],
    [403, /the proxy answers HTTP 403/],
  ])("says in words that the proxy refuses with %i", async (status, words) => {
    goThrough(await openProxy(status))
    expect(toldBy(await failureOf(ask("https://node.example:8545", world())))).toMatch(words)
  })
})

/** An exchange before this one has opened the network of its own environment. */
function goThrough(proxy: string): void {
  for (const name of ["http_proxy", "https_proxy"]) vi.stubEnv(name, proxy)
  vi.stubEnv("no_proxy", "")
  setGlobalDispatcher(new Agent())
  openNetwork()
}

/** Refuses each CONNECT. */
async function openProxy(status: number): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.once("data", () => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  stops.push(() => server.close())
  // CAST: a port of TCP.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
