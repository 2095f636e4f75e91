import { expect, test } from "vitest"
import type { RequestKey, RequestKeyRow } from "#ports/journal/request-keys.ts"
import type { Answer } from "#schema/answers/answers.ts"
import { createKeyedRequests } from "./keyed-requests.ts"

const SWAP = { from: "base:usdc", to: "bitcoin:btc", amount: "1" }
type Act = (key: RequestKey) => Promise<Answer<"AcceptedSwap">>

function setUp() {
  const rows = new Map<string, RequestKeyRow>()
  const disk = { waits: 0 }
  const store = {
    findRequestKey: (key: string) => rows.get(key) ?? null,
    withdrawRequestKey: (key: string) =>
      void rows.set(key, { key, request: null, orderId: null, answer: null }),
    beginAnswer: ({ key, request }: RequestKey) =>
      void rows.set(key, { key, request, orderId: null, answer: "" }),
    dropBegun: ({ key }: RequestKey) => void rows.delete(key),
    keepAnswer: ({ key, request }: RequestKey, answer: string) =>
      void rows.set(key, { key, request, orderId: null, answer }),
    durable: async () => {
      disk.waits += 1
    },
  }
  const opened: string[] = []
  const open: Act = async ({ key, request }) => {
    const id = `order-${opened.length + 1}`
    opened.push(id)
    rows.set(key, { key, request, orderId: id, answer: null })
    return { ok: true, body: { id } }
  }
  const make = () => createKeyedRequests(store, { now: () => 1 })
  return { make, keyed: make(), open, opened, disk }
}

const refusal = (code: string) => ({ ok: false, reasons: [expect.objectContaining({ code })] })

test("one key opens one order, also after a restart", async () => {
  const { make, keyed, open, opened } = setUp()
  const first = await keyed.submit("k", SWAP, open)
  expect(await keyed.submit("k", { ...SWAP, dryRun: false }, open)).toEqual(first)
  expect(await make().submit("k", SWAP, open)).toEqual(first)
  expect(await make().find("k")).toEqual(first)
  expect(opened).toEqual(["order-1"])
})

test.each([
  { amount: "2" },
  { from: "base:eth" },
  { to: "bitcoin:other" },
  { deposit: "gasless" as const },
  { destination: "bc1q" },
])("a request that differs by %j may not use the key of another one", async (change) => {
  const { keyed, open, opened } = setUp()
  await keyed.submit("k", SWAP, open)
  expect(await keyed.submit("k", { ...SWAP, ...change }, open)).toEqual(
    refusal("request.key_reused"),
  )
  expect(opened).toHaveLength(1)
})

test("while a request is judged its key has no answer yet, and cannot be withdrawn", async () => {
  const { keyed, open, opened } = setUp()
  const gate = Promise.withResolvers<void>()
  const first = keyed.submit("k", SWAP, (key) => gate.promise.then(() => open(key)))
  const inFlight = refusal("request.key_in_flight")
  expect(await keyed.submit("k", SWAP, open)).toEqual(inFlight)
  expect(await keyed.submit("k", { ...SWAP, amount: "2" }, open)).toEqual(
    refusal("request.key_reused"),
  )
  expect(await keyed.find("k")).toEqual(inFlight)
  expect(await keyed.withdraw("k")).toEqual(inFlight)
  gate.resolve()
  expect(await first).toEqual({ ok: true, body: { id: "order-1" } })
  expect(await keyed.withdraw("k")).toEqual({ ok: true, body: { id: "order-1" } })
  expect(opened).toHaveLength(1)
})

test("a refusal or a failure keeps no key, and the next request is judged anew", async () => {
  const { keyed, open } = setUp()
  const paused = { ok: false as const, reasons: [{ code: "pause.active", message: "paused" }] }
  expect(await keyed.submit("k", SWAP, async () => paused)).toEqual(paused)
  const failing = keyed.submit("k", SWAP, async () => Promise.reject(new Error("no disk")))
  await expect(failing).rejects.toThrow("no disk")
  expect(await keyed.find("k")).toEqual(refusal("request.key_unknown"))
  expect(await keyed.submit("k", { ...SWAP, amount: "2" }, open)).toMatchObject({ ok: true })
})

test("no request opens an order under a withdrawn key, and each answer waits for the disk", async () => {
  const { keyed, open, opened, disk } = setUp()
  expect(await keyed.withdraw("k")).toEqual({ ok: true, body: { id: null } })
  expect(await keyed.withdraw("k")).toEqual({ ok: true, body: { id: null } })
  expect(await keyed.submit("k", SWAP, open)).toEqual(refusal("request.key_withdrawn"))
  expect(await keyed.find("k")).toEqual(refusal("request.key_withdrawn"))
  expect(opened).toEqual([])
  expect(disk.waits).toBe(3)
})

test("a command under a key acts once, and a refused one is judged anew", async () => {
  const { make, keyed, open } = setUp()
  let acted = 0
  const act = (ok: boolean) => (): Answer<"Confirmed"> => {
    acted++
    return ok
      ? { ok, body: { confirmed: String(acted) } }
      : { ok, reasons: [{ code: "test.no", message: "" }] }
  }
  expect(await keyed.once("k", "resume", act(false))).toMatchObject({ ok: false })
  const first = await keyed.once("k", "resume", act(true))
  expect(await keyed.once("k", "resume", act(true))).toEqual(first)
  expect(await make().once("k", "resume", act(true))).toEqual(first)
  expect(acted).toBe(2)
  expect(await keyed.once("k", "pause", act(true))).toEqual(refusal("request.key_reused"))
  expect(await keyed.submit("k", SWAP, open)).toEqual(refusal("request.key_reused"))
  expect(await keyed.find("k")).toEqual(refusal("request.key_unknown"))
})

test("an act that waits is not begun twice, whenever the process ends", async () => {
  const { make, keyed } = setUp()
  let acted = 0
  const ends = Promise.withResolvers<never>()
  const act = async (): Promise<Answer<"Confirmed">> => {
    acted++
    return acted === 1 ? ends.promise : { ok: true, body: { confirmed: String(acted) } }
  }
  void keyed.once("k", "reconcile", act, true)
  await expect.poll(() => acted).toBe(1)
  // Another process: the first one is gone.
  const next = make()
  expect(await next.once("k", "reconcile", act, true)).toEqual(refusal("request.key_unfinished"))
  expect(await next.once("k", "reload", act, true)).toEqual(refusal("request.key_reused"))
  const second = await next.once("other", "reconcile", act, true)
  expect(await make().once("other", "reconcile", act, true)).toEqual(second)
  expect(acted).toBe(2)
})

test("an act that waits and refuses or fails leaves no key", async () => {
  const { keyed } = setUp()
  const no: Answer<"Confirmed"> = { ok: false, reasons: [{ code: "test.no", message: "" }] }
  expect(await keyed.once("k", "x", async () => no, true)).toEqual(no)
  const failing = keyed.once("k", "x", async () => Promise.reject(new Error("no disk")), true)
  await expect(failing).rejects.toThrow("no disk")
  const yes: Answer<"Confirmed"> = { ok: true, body: { confirmed: "now" } }
  expect(await keyed.once("k", "x", async () => yes, true)).toEqual(yes)
})
