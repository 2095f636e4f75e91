import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici"
import { afterEach, describe, expect, test, vi } from "vitest"
import { type Clock, systemClock } from "#lib/clock.ts"
import { openNetwork } from "#nodes/open-network.ts"
import { createPaces } from "#nodes/paces.ts"
import { readProxyVariables } from "#nodes/proxy-variables.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import { SLOWNESS } from "../../support/slowness.ts"
import { answerOf, FAMILIES, OTHERS, PROBES, type Reply, serve, timeoutMs } from "./askers.ts"

/*
 * One transport: what holds for one client holds for the nodes of all families, for their probes,
 * for the service, for prices and for receivers of alerts.
 */

const known = getGlobalDispatcher()
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.unstubAllEnvs()
  setGlobalDispatcher(known)
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

describe.each(ALL)("%s", (_name, ask) => {
  test("reads an answer that begins with a mark of byte order", async () => {
    const { url } = await open((path, body) => ({ body: `\ufeff${answerOf(path, body)}` }))
    await expect(ask(url, world())).resolves.toBeDefined()
  })

  test("logs in with the user and password of its URL", async () => {
    const { host, seen } = await open(honest)
    await ask(`http://us%65r:p%40ss@${host}`, world())
    const login = `Basic ${Buffer.from("user:p@ss").toString("base64")}`
    expect(new Set(seen.map(({ headers }) => headers.authorization))).toEqual(new Set([login]))
  })

  test("sends the headers of its address, and asks for no compressed answer", async () => {
    const { url, seen } = await open(honest)
    await ask({ url, headers: { "x-api-key": "k1" }, maxRequestsPerSecond: null }, world())
    for (const { headers } of seen)
      expect(headers).toMatchObject({ "x-api-key": "k1", "accept-encoding": "identity" })
    expect(seen.length).toBeGreaterThan(0)
  })

  test("goes through the proxy of the environment, and to this machine without it", async () => {
    const proxy = await open((path, body) => honest(new URL(path, "http://x").pathname, body))
    const local = await open(honest)
    for (const name of ["HTTP_PROXY", "http_proxy"]) vi.stubEnv(name, proxy.url)
    vi.stubEnv("no_proxy", "direct.example")
    // An exchange before this one has opened the network of its own environment.
    setGlobalDispatcher(new Agent())
    openNetwork()
    await ask("http://node.example:8545", world())
    expect(proxy.seen.length).toBeGreaterThan(0)
    for (const { url } of proxy.seen) expect(url).toMatch(/^http:\/\/node\.example:8545\//)
    const before = proxy.seen.length
    await ask(local.url, world())
    await expect(ask("http://direct.example:1", world())).rejects.toThrow()
    expect([proxy.seen.length, local.seen.length > 0]).toEqual([before, true])
  })

  test("logs in at the proxy, and goes around it to the networks and names of NO_PROXY", async () => {
    const proxy = await open((path, body) => honest(new URL(path, "http://x").pathname, body))
    vi.stubEnv("http_proxy", `us%65r:p%40ss@${proxy.host}`)
    vi.stubEnv("no_proxy", "10.1.0.0/16 .inner.example,[fd00::]/8,node.example:81,2001:db8::0:1")
    setGlobalDispatcher(new Agent())
    openNetwork()
    await ask("http://node.example:8545", world())
    const login = `Basic ${Buffer.from("user:p@ss").toString("base64")}`
    const logins = proxy.seen.map(({ headers }) => headers["proxy-authorization"])
    expect(new Set(logins)).toEqual(new Set([login]))
    const before = proxy.seen.length
    await ask("http://10.2.0.1:8545", world())
    expect(proxy.seen.length).toBeGreaterThan(before)
    const { http, names, isDirect } = readProxyVariables(process.env)
    expect([http, names]).toEqual([
      `http://us%65r:p%40ss@${proxy.host}`,
      ".inner.example,node.example:81",
    ])
    const near = ["10.1.2.3", "10.2.0.1", "[fd12::1]", "[2001:db8:0::1]", "inner.example"]
    expect(near.map(isDirect)).toEqual([true, false, true, true, false])
  })

  test("says in words that its connection is refused", async () => {
    const failure = await ask("http://127.0.0.1:1", world()).catch((error: unknown) => error)
    const { message, details } = failure as Error & { details?: object }
    expect(`${message} ${JSON.stringify(details)}`).toMatch(
      /the connection is refused|ECONNREFUSED/,
    )
  })
})

test.each(Object.entries(FAMILIES))(
  "the reads of %s that its node fails are counted, in the node's words",
  async (_name, ask) => {
    let isOver = false
    const { url } = await open((path, body) =>
      isOver ? honest(path, body) : { status: 500, body: "" },
    )
    const shared = world()
    const { reads } = shared.paces(url, timeoutMs)
    await expect(ask(url, shared)).rejects.toThrow()
    expect(reads.worst()).toMatchObject({ fault: "HTTP 500" })
    isOver = true
    await ask(url, shared)
    expect(reads.worst()).toBeNull()
  },
)

const RPC = NODES.filter(([name]) => !name.includes("bitcoin"))

/** What some nodes and their gateways write into an answer beside its result. */
const NO_ERRORS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["`error: null`", { error: null }],
  ["`error: false`", { error: false }],
  ["an empty text of an error", { error: "" }],
  ["another version", { jsonrpc: "1.0" }],
]

test.each(RPC.flatMap(([name, ask]) => NO_ERRORS.map((row) => [name, ...row, ask] as const)))(
  "%s takes %s beside a result for no error",
  async (_name, _what, over, ask) => {
    const { url } = await open((path, body) => ({ body: answerOf(path, body, over) }))
    await expect(ask(url, world())).resolves.toBeDefined()
  },
)

const PROBES_OF_RPC = Object.entries(PROBES).filter(([name]) => !name.includes("bitcoin"))
test.each([...RPC, ...PROBES_OF_RPC])(
  "%s believes no answer with the id of another call",
  async (_name, ask) => {
    const node = await open((path, body) => ({ body: answerOf(path, body, { id: 8 }) }))
    await expect(ask(node.url, world())).rejects.toThrow(/the id 8 of another call/)
  },
)

test.each(RPC)("%s believes no result beside a status of 429", async (_name, ask) => {
  const { url } = await open((path, body) => ({ status: 429, body: answerOf(path, body) }))
  await expect(ask(url, world(jumpingClock()))).rejects.toThrow(/429|rate limited/)
})

/** To write it in decimal digits takes seconds. */
const GIANT = `0x${"f".repeat(3_000_000)}`

describe.each(NODES)("%s", (_name, ask) => {
  test("refuses JSON that is nested without end", async () => {
    const { url } = await open(() => ({ body: `{"result":${"[".repeat(100_000)}` }))
    await expect(ask(url, world())).rejects.toThrow()
  })

  test("refuses a giant quantity, without making a number of it", async () => {
    const { url } = await open((_path, body) => {
      const one = { jsonrpc: "2.0", id: body.startsWith("[") ? 0 : 1, result: GIANT }
      return { body: JSON.stringify(body.startsWith("[") ? [one] : one) }
    })
    const before = process.cpuUsage()
    await expect(ask(url, world())).rejects.toThrow()
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000 * SLOWNESS)
  })
})

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
