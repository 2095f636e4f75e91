import { once } from "node:events"
import { request } from "node:http"
import { connect } from "node:net"
import { afterEach, expect, test } from "vitest"
import { type Listener, listenOnTcp } from "#daemon/serve/listen.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { listRoutes } from "#ops/api/describe-api.ts"
import { createApp } from "#ops/create-app.ts"
import type { Operations } from "#ops/operations.ts"

const TOKEN = "reader-reader-reader-24"
const EVENTS = "/api/v1/events"
const HEADERS = { host: "127.0.0.1", authorization: `Bearer ${TOKEN}` }

const running: Listener[] = []
afterEach(async () => {
  for (const listener of running.splice(0)) await listener.close()
})

const LISTS = { orders: [], decisions: [], bookings: [], calls: [] }

/** An app with operations that answer an empty object. It counts the readers of its events. */
function setUp() {
  const readers = new Set<object>()
  let subscriptions = 0
  const known: Partial<Operations> = {
    subscribe: (listener) => {
      subscriptions++
      readers.add(listener)
      return () => readers.delete(listener)
    },
    metrics: async () => "",
    order: () => null,
    replay: () => null,
    untilOnDisk: async () => undefined,
  }
  // CAST: the routes below only pass the answers on.
  const operations = new Proxy(known, {
    get: (target, name: keyof Operations) =>
      target[name] ?? (() => ({ ok: true, body: {}, next: null, ...LISTS })),
  }) as Operations
  const app = createApp(operations, {
    tokens: () => [{ name: "reader", token: new Secret(TOKEN, "test"), scopes: ["read"] }],
    hosts: () => [],
    log: silentLogger,
    clock: systemClock,
  })
  const start = async (): Promise<number> => {
    const address = { host: "127.0.0.1", port: 0, loopback: true }
    const listener = await listenOnTcp(app.fetch, address, null)
    running.push(listener)
    return Number(new URL(listener.url).port)
  }
  return { app, operations: known, readers, start, subscriptions: () => subscriptions }
}

const settles = (readers: ReadonlySet<object>, count: number) =>
  expect.poll(() => readers.size, { timeout: 10_000, interval: 10 }).toBe(count)

test("HEAD of the events is refused with 405 and the method that is allowed", async () => {
  const { app, readers, subscriptions } = setUp()
  const answer = await app.request(EVENTS, { method: "HEAD", headers: HEADERS })
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"])
  expect([readers.size, subscriptions()]).toEqual([0, 0])
})

test("HEAD of any path leaves no reader, listener or body behind", async () => {
  const { app, readers, subscriptions } = setUp()
  const routes = listRoutes(app).map((route) => route.split(" "))
  const paths = routes.flatMap(([method, path = ""]) => (method === "GET" ? [path] : []))
  expect(paths).toContain(EVENTS)
  for (const path of paths) {
    const place = path.replace(":id", "some")
    const answer = await app.request(place, { method: "HEAD", headers: HEADERS })
    expect(answer.body, path).toBeNull()
    expect(answer.status, path).not.toBe(500)
  }
  expect([readers.size, subscriptions()]).toEqual([0, 0])
})

test("a client that leaves a stream, before or after its first byte, is no reader", async () => {
  const { readers, start, subscriptions } = setUp()
  const port = await start()
  for (let round = 1; round <= 5; round++) {
    const call = request({ port, path: EVENTS, headers: HEADERS }).end()
    const [answer] = await once(call, "response")
    await once(answer, "readable")
    expect(readers.size).toBe(1)
    call.on("error", () => undefined).destroy()
    await settles(readers, 0)
    const socket = connect(port, "127.0.0.1")
    const text = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`)
    // The client is gone before the server has read the request.
    socket.end(`GET ${EVENTS} HTTP/1.1\r\n${text.join("")}\r\n`, () => socket.destroy())
    await expect.poll(subscriptions, { timeout: 10_000, interval: 10 }).toBe(round * 2)
    await settles(readers, 0)
  }
})

test("a disk that refuses a read keeps no stream alive without a client", async () => {
  const { app, operations, readers } = setUp()
  const untilOnDisk = () => Promise.reject(new Error("database or disk is full"))
  Object.assign(operations, { untilOnDisk })
  const answer = await app.request(EVENTS, { headers: HEADERS })
  expect([answer.status, readers.size]).toEqual([200, 1])
  await answer.body?.cancel()
  await settles(readers, 0)
})

test("the event stream has 64 readers at most, and a place is free once one has left", async () => {
  const { app, readers } = setUp()
  const ask = () => app.request(EVENTS, { headers: HEADERS })
  const open = await Promise.all(Array.from({ length: 64 }, ask))
  const refused = await ask()
  expect([refused.status, readers.size]).toEqual([429, 64])
  expect(await refused.json()).toMatchObject({ reasons: [{ code: "ops.streams" }] })
  const own = { peer: { kind: "socket" } }
  const viaSocket = await app.request(EVENTS, { headers: { host: "localhost" } }, own)
  expect(viaSocket.status).toBe(200)
  await open[0]?.body?.cancel()
  await settles(readers, 64)
  await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(200)
})
