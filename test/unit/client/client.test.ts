import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { AnswerLost, type ClientOptions, createClient, pages, Refused } from "#client/client.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { ALL_SCOPES } from "#ops/caller.ts"
import { createApp } from "#ops/create-app.ts"
import type { FeedEvent, Operations } from "#ops/operations.ts"
import { formatOpenApi } from "../../../scripts/api-docs.ts"
import { formatClientTypes } from "../../../scripts/client-types.ts"

const ROOT = join(import.meta.dirname, "../../..")
const TOKEN = "a-token-of-24-characters"
const URL_OF_DAEMON = "http://127.0.0.1:7070"
const SWAP = { from: "a:x", to: "b:x", amount: "1" }

type Send = NonNullable<ClientOptions["fetch"]>

/** A daemon in this process that opens one order for each key, and tells each event once asked. */
function serve() {
  const opened = new Map<string | null, string>()
  const asked: string[] = []
  const orders = ["o5", "o4", "o3", "o2", "o1"].map((id) => ({ id, state: "completed" }))
  const resumedFrom: (number | null)[] = []
  // CAST: the tests reach only these operations.
  const operations = {
    recordCall: () => undefined,
    durable: async () => undefined,
    untilOnDisk: async () => undefined,
    submit: async (_: object, key: string | null) => {
      if (!opened.has(key)) opened.set(key, `n${opened.size + 1}`)
      return { ok: true, body: { id: opened.get(key) } }
    },
    orders: ({ limit = 100, cursor = "" }) => {
      const at = orders.findIndex(({ id }) => id === cursor) + 1
      const page = orders.slice(at, at + limit)
      return { orders: page, next: at + limit < orders.length ? page.at(-1)?.id : null }
    },
    order: () => null,
    once: (_key: string, _request: string, act: () => unknown) => act(),
    isReady: () => false,
    subscribe: (listener: (event: FeedEvent) => void, since: number | null) => {
      resumedFrom.push(since)
      const id = String((since ?? 0) + 1)
      listener({ id, type: "order", data: { id: "o1", state: "completed" } })
      return () => undefined
    },
  } as unknown as Operations
  const app = createApp(operations, {
    tokens: () => [{ name: "ops.token", token: new Secret(TOKEN, "test"), scopes: ALL_SCOPES }],
    hosts: () => [],
    log: silentLogger,
    clock: { now: () => 0, sleep: (_, signal) => new Promise((end) => onAbort(signal, end)) },
  })
  const send: Send = async (url, init) => {
    asked.push(`${init.method} ${url.slice(URL_OF_DAEMON.length)}`)
    return app.fetch(new Request(url, init))
  }
  return { opened, asked, resumedFrom, send }
}

function onAbort(signal: AbortSignal | undefined, end: () => void): void {
  signal?.addEventListener("abort", end)
}

function clientOf(send: Send, more: Partial<ClientOptions> = {}) {
  return createClient({ url: URL_OF_DAEMON, token: TOKEN, fetch: send, ...more })
}

test("operations and answers are made of the document; scripts/generate.ts writes them", () => {
  for (const [name, text] of Object.entries(formatClientTypes(formatOpenApi())))
    expect(readFileSync(join(ROOT, "src/app/client", name), "utf8"), name).toBe(text)
})

test("a change whose answer is lost is asked again under its key, and happens once", async () => {
  const daemon = serve()
  let lost = 0
  const client = clientOf(async (url, init) => {
    const answer = await daemon.send(url, init)
    lost++
    if (lost === 1) throw new TypeError("the connection broke")
    // A gateway has given up, although the daemon has not.
    return lost === 2 ? new Response("Bad Gateway", { status: 502 }) : answer
  })
  expect(await client.postSwap(SWAP)).toEqual({ id: "n1" })
  expect([daemon.opened.size, lost]).toEqual([1, 3])
  // A question of its own has a key of its own.
  expect(await client.postSwap(SWAP)).toEqual({ id: "n2" })
})

test("without any answer the error has the key, under which the call goes on", async () => {
  const daemon = serve()
  const dead = clientOf(
    async (url, init) => {
      await daemon.send(url, init)
      throw new TypeError("the connection broke")
    },
    { patienceMs: 350 },
  )
  const error = await dead.postSwap(SWAP).catch((caught: unknown) => caught)
  if (!(error instanceof AnswerLost) || error.key === null) throw error
  expect(daemon.asked.length).toBeGreaterThan(1)
  expect(await clientOf(daemon.send).postSwap(SWAP, { key: error.key })).toEqual({ id: "n1" })
  expect(daemon.opened.size).toBe(1)
})

test("a refusal is asked once, and tells every reason", async () => {
  const daemon = serve()
  const error = await clientOf(daemon.send)
    .postOrdersByIdApprove({ id: "a/b", intent: "h" })
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Refused)
  expect(error).toMatchObject({ status: 404, reasons: [{ code: "order.not_found" }] })
  expect(daemon.asked).toEqual(["POST /api/v1/orders/a%2Fb/approve"])
})

test("readyz that says no is an answer", async () => {
  expect(await clientOf(serve().send).getReadyz()).toEqual({ status: "starting" })
})

test("pages come until the last", async () => {
  const daemon = serve()
  const found: string[] = []
  for await (const { orders } of pages(clientOf(daemon.send).getOrders, { limit: 2 }))
    found.push(...orders.map(({ id }) => id))
  expect(found).toEqual(["o5", "o4", "o3", "o2", "o1"])
  expect(daemon.asked.at(-1)).toBe("GET /api/v1/orders?limit=2&cursor=o2")
})

test("a broken stream of events goes on behind the last event", { timeout: 10_000 }, async () => {
  const daemon = serve()
  const stop = new AbortController()
  const client = clientOf(async (url, init) => {
    const { body } = await daemon.send(url, init)
    let text = ""
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk).toString()
      if (/^id: \d+\n\n/m.test(text)) break
    }
    // In two pieces, and then the connection breaks.
    return new Response(
      new ReadableStream({
        start: (stream) => {
          stream.enqueue(Buffer.from(text.slice(0, 9)))
          stream.enqueue(Buffer.from(text.slice(9)))
          stream.close()
        },
      }),
    )
  })
  const ids: string[] = []
  for await (const event of client.getEvents({ lastEventId: "6", signal: stop.signal })) {
    ids.push(event.id)
    if (ids.length === 2) break
  }
  expect({ ids, from: daemon.resumedFrom }).toEqual({ ids: ["7", "8"], from: [6, 7] })
})

test("a stream that is refused is an error", async () => {
  const client = clientOf(serve().send, { token: "another-token-of-24-ch" })
  await expect(client.getEvents().next()).rejects.toMatchObject({ status: 401 })
})

test("the example of docs/HTTP.md runs", async () => {
  const [, example = ""] =
    /```ts\nimport .*\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs/HTTP.md"), "utf8")) ?? []
  const daemon = serve()
  const told: string[] = []
  const run = new Function(
    "createClient, pages, Refused, AnswerLost, console",
    `return (async () => {${example}})()`,
  )
  const log = (...words: readonly string[]) => told.push(words.join(" "))
  const create = (options: ClientOptions) => createClient({ ...options, fetch: daemon.send })
  await run(create, pages, Refused, AnswerLost, { log })
  expect(told).toEqual(["opened n1", ...[5, 4, 3, 2, 1].map((one) => `o${one} completed`)])
})
