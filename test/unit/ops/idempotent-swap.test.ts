import { expect, test } from "vitest"
import { createOperations } from "#daemon/serve/operations.ts"
import { silentLogger } from "#lib/log.ts"
import { createApp } from "#ops/create-app.ts"
import { BTC, createWorld, type Daemon, WBTC, type World } from "../../support/fake-world.ts"

const SWAP = { from: WBTC, to: BTC, amount: "0.01" }
const KEY = { "idempotency-key": '"nightly-1"' }

let world: World

/** The HTTP interface of a daemon, as its socket serves it. */
function serve({ context, engine }: Daemon) {
  // CAST: a swap uses no other part of the runtime.
  const runtime = { chains: () => [] } as unknown as Parameters<typeof createOperations>[2]
  const clock = { now: () => 0, sleep: async () => undefined }
  const app = createApp(createOperations(context, engine, runtime), {
    tokens: () => [],
    hosts: () => [],
    log: silentLogger,
    clock,
  })
  const ask = async (path: string, init: RequestInit) => {
    const answer = await app.fetch(new Request(`http://localhost${path}`, init), {
      peer: { kind: "socket" },
    })
    // CAST: the test reads only these fields.
    const body = (await answer.json()) as { id?: string; reasons?: { code: string }[] }
    return { status: answer.status, id: body.id ?? null, code: body.reasons?.[0]?.code ?? null }
  }
  return {
    swap: (change: object = {}, headers: Record<string, string> = KEY) =>
      ask("/api/v1/swap", {
        method: "POST",
        body: JSON.stringify({ ...SWAP, ...change }),
        headers: { "content-type": "application/json", ...headers },
      }),
    find: (key: string) => ask(`/api/v1/swap/${encodeURIComponent(key)}`, {}),
    withdraw: (key: string) =>
      ask(`/api/v1/swap/${encodeURIComponent(key)}/withdraw`, { method: "POST" }),
  }
}

const orders = ({ context }: Daemon): number => context.journal.listOrders({}).length

test("one key opens one order, also beside itself, after a kill, and while everything is paused", async () => {
  world = createWorld({ journal: "file" })
  const first = world.start()
  const [one, two] = await Promise.all([serve(first).swap(), serve(first).swap()])
  expect([one?.status, two?.status].filter((status) => status === 202)).not.toEqual([])
  const accepted = await serve(first).swap()
  expect(accepted).toMatchObject({ status: 202, id: expect.any(String) })
  expect(await serve(first).swap({}, { "idempotency-key": "nightly-1" })).toEqual(accepted)
  first.kill()
  const second = world.start()
  await second.engine.pause({ kind: "all" })
  expect(await serve(second).swap()).toEqual(accepted)
  expect(await serve(second).find("nightly-1")).toEqual({ ...accepted, status: 200 })
  expect(await serve(second).withdraw("nightly-1")).toEqual({ ...accepted, status: 200 })
  expect(await serve(second).swap({ amount: "0.02" })).toMatchObject({
    status: 422,
    code: "request.key_reused",
  })
  expect(orders(second)).toBe(1)
})

test("a refused request opens no order, and its key is judged anew", async () => {
  world = createWorld()
  const daemon = world.start()
  const { swap, find } = serve(daemon)
  await daemon.engine.pause({ kind: "all" })
  expect(await swap()).toMatchObject({ status: 409, code: "paused" })
  expect(await find("nightly-1")).toMatchObject({ status: 404, code: "request.key_unknown" })
  daemon.engine.resume({ kind: "all" })
  expect(await swap()).toMatchObject({ status: 202 })
})

test("without a key each request is an order, and a withdrawn key opens none", async () => {
  world = createWorld()
  const daemon = world.start()
  const { swap, withdraw } = serve(daemon)
  const one = await swap({ amount: "0.001" }, {})
  const two = await swap({ amount: "0.001" }, {})
  expect([one.status, two.status, one.code, two.code, one.id === two.id]).toEqual([
    202,
    202,
    null,
    null,
    false,
  ])
  expect(await withdraw("nightly-1")).toMatchObject({ status: 200, id: null })
  expect(await swap()).toMatchObject({ status: 409, code: "request.key_withdrawn" })
  expect(orders(daemon)).toBe(2)
})

test.each(["", '""', '"open', "a\tb", "k".repeat(256)])(
  "the key %j is refused, and opens no order",
  async (key) => {
    world = createWorld()
    const daemon = world.start()
    const { swap } = serve(daemon)
    expect(await swap({}, { "idempotency-key": key })).toMatchObject({
      status: 400,
      code: "request.key_malformed",
    })
    expect(orders(daemon)).toBe(0)
  },
)
