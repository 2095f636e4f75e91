import { afterEach, expect, test } from "vitest"
import { type Call, echo, jumpingClock, openRpc, sizeOf, stopServers } from "./rpc-endpoint.ts"

afterEach(stopServers)

test("sends the reads of one turn as one request, and the same question once", async () => {
  const { read, sent } = await openRpc((body) =>
    Array.isArray(body) ? body.map(echo) : echo(body as Call),
  )
  const found = await Promise.all([
    read("eth_call", ["a"]),
    read("eth_call", ["b"]),
    read("eth_call", ["a"]),
  ])
  expect(found).toEqual(["eth_call a", "eth_call b", "eth_call a"])
  expect(sent.map(sizeOf)).toEqual([2])
  expect(await read("eth_call", ["a"])).toBe("eth_call a")
  expect(sent.map(sizeOf)).toEqual([2, 1])
})

test(
  "gives a call of a batch its own answer, also where the answers come in another order and " +
    "one is an error",
  async () => {
    const { read } = await openRpc((body) =>
      [...(body as Call[])]
        .reverse()
        .map((call) =>
          call.params[0] === "bad"
            ? { id: call.id, error: { code: 3, message: "execution reverted" } }
            : echo(call),
        ),
    )
    const [good, bad, last] = await Promise.allSettled(
      ["good", "bad", "last"].map((name) => read("eth_call", [name])),
    )
    expect(good).toMatchObject({ value: "eth_call good" })
    expect(last).toMatchObject({ value: "eth_call last" })
    expect(bad).toMatchObject({ reason: { code: "evm.rpc", disposition: "refused" } })
  },
)

test.each([
  [
    "an error for the whole batch",
    () => ({ id: null, error: { code: -32_600, message: "batch not supported" } }),
  ],
  ["an answer too few", (calls: readonly Call[]) => calls.slice(1).map(echo)],
  [
    "two answers with one id",
    (calls: readonly Call[]) => calls.map((call) => ({ ...echo(call), id: 0 })),
  ],
  ["an error of HTTP", () => null],
])(
  "asks each call alone where the endpoint gives %s, and takes smaller batches afterwards",
  async (_name, refuse) => {
    const { read, sent } = await openRpc((body) =>
      Array.isArray(body) ? refuse(body) : echo(body as Call),
    )
    const names = ["a", "b", "c", "d"]
    const ask = () => Promise.all(names.map((name) => read("eth_call", [name])))
    expect(await ask()).toEqual(names.map((name) => `eth_call ${name}`))
    expect(sent.map(sizeOf)).toEqual([4, 1, 1, 1, 1])
    expect(await ask()).toEqual(names.map((name) => `eth_call ${name}`))
    expect(sent.slice(5).map(sizeOf).toSorted()).toEqual([1, 1, 1, 1, 2, 2])
    sent.length = 0
    expect(await ask()).toEqual(names.map((name) => `eth_call ${name}`))
    expect(sent.map(sizeOf)).toEqual([1, 1, 1, 1])
  },
)

test("gives every one of many calls its own answer, in requests that the endpoint takes", async () => {
  const { read, sent } = await openRpc((body) =>
    Array.isArray(body) ? body.map(echo) : echo(body as Call),
  )
  const names = Array.from({ length: 45 }, (_, index) => `call ${index}`)
  expect(await Promise.all(names.map((name) => read("eth_call", [name])))).toEqual(
    names.map((name) => `eth_call ${name}`),
  )
  expect(sent.map(sizeOf).toSorted()).toEqual([20, 20, 5].toSorted())
})

test("fails every call of a batch that got no answer", async () => {
  const { read } = await openRpc(() => [])
  stopServers()
  const found = await Promise.allSettled(["a", "b", "c"].map((name) => read("eth_call", [name])))
  const unreachable = { status: "rejected", reason: { code: "evm.unreachable" } }
  expect(found).toMatchObject([unreachable, unreachable, unreachable])
})

test("waits for a limit of requests, keeps the answers that came, and never sends more for it", async () => {
  let budget = 0
  const clock = jumpingClock(() => {
    budget = 5
  })
  const refused = (id: number) => ({
    id,
    error: { code: -32_005, message: "too many requests per second" },
  })
  const { read, sent } = await openRpc((body) => {
    const calls = body as Call[]
    if (!Array.isArray(body)) return budget-- > 0 ? echo(body as Call) : refused((body as Call).id)
    return calls.map((call) => (budget-- > 0 ? echo(call) : refused(call.id)))
  }, clock)
  budget = 5
  const names = Array.from({ length: 18 }, (_, index) => `call ${index}`)
  const found = await Promise.all(names.map((name) => read("eth_call", [name])))
  expect(found).toEqual(names.map((name) => `eth_call ${name}`))
  expect(sent.length).toBeLessThan(9)
  const answered = sent.flatMap((body) => (Array.isArray(body) ? body : [body])).slice(18)
  expect(answered.map(({ params }) => params[0])).not.toContain("call 0")
})

test.each([
  ["HTTP 429", { status: 429 }],
  ["an error for the whole batch", { id: null, error: { code: 429, message: "rate limit" } }],
])("does not ask each call of a batch alone after %s", async (_name, refusal) => {
  let isOver = false
  const clock = jumpingClock(() => {
    isOver = true
  })
  const { read, sent } = await openRpc((body) => {
    if (isOver) return Array.isArray(body) ? body.map(echo) : echo(body as Call)
    return refusal
  }, clock)
  const names = ["a", "b", "c", "d"]
  expect(await Promise.all(names.map((name) => read("eth_call", [name])))).toEqual(
    names.map((n) => `eth_call ${n}`),
  )
  expect(sent.map(sizeOf)).toEqual([4, 2, 2])
})

const RECEIPT = "eth_getTransactionReceipt"

test("what others name is asked apart, until it is known to be small, and a large one once", async () => {
  const large = "f".repeat(2 * 1024 * 1024)
  const { read, advise, sent } = await openRpc((body) => {
    const answer = (call: Call) =>
      call.params[0] === "large" ? { ...echo(call), result: large } : echo(call)
    return Array.isArray(body) ? body.map(answer) : answer(body as Call)
  })
  const readAll = () =>
    Promise.allSettled([
      read("eth_call", ["a"]),
      read("eth_call", ["b"]),
      advise(RECEIPT, ["small"]),
      advise(RECEIPT, ["large"]),
    ])
  expect(await readAll()).toMatchObject([
    {},
    {},
    { value: `${RECEIPT} small` },
    { status: "rejected" },
  ])
  // Both in one request, and each alone once that is too large.
  expect(sent.map(sizeOf).toSorted()).toEqual([1, 1, 2, 2])
  sent.length = 0
  await readAll()
  expect(sent.map(sizeOf)).toEqual([3])
})

test("what others name is one request of its own", async () => {
  const { read, advise, sent } = await openRpc((body) =>
    Array.isArray(body) ? body.map(echo) : echo(body as Call),
  )
  const asked = [read("eth_call", ["a"]), advise(RECEIPT, ["one"]), advise(RECEIPT, ["other"])]
  expect(await Promise.all(asked)).toEqual(["eth_call a", `${RECEIPT} one`, `${RECEIPT} other`])
  expect(sent.map(sizeOf).toSorted()).toEqual([1, 2])
})

test("sends a transaction alone, and twice if it is asked twice", async () => {
  const { write, sent } = await openRpc((body) =>
    Array.isArray(body) ? body.map(echo) : echo(body as Call),
  )
  await Promise.all([
    write("eth_sendRawTransaction", ["0x1"]),
    write("eth_sendRawTransaction", ["0x1"]),
  ])
  expect(sent.map(sizeOf)).toEqual([1, 1])
})
