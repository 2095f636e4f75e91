import { afterEach, expect, test } from "vitest"
import { type Call, echo, openRpc, sizeOf, stopServers } from "./rpc-endpoint.ts"

afterEach(stopServers)

test("an answer that is too large fails alone, and is never in one request with others again", async () => {
  const large = Array.from({ length: 17 }, () => "f".repeat(1024 * 1024))
  const { read, sent } = await openRpc((body) => {
    const answer = (call: Call) =>
      call.params[0] === "large" ? { ...echo(call), result: large } : echo(call)
    return Array.isArray(body) ? body.map(answer) : answer(body as Call)
  })
  const readAll = () =>
    Promise.allSettled([
      read("eth_call", ["a"]),
      read("eth_call", ["b"]),
      read("eth_getTransactionReceipt", ["large"]),
    ])
  const [a, b, tooLarge] = await readAll()
  expect([a, b]).toMatchObject([{ value: "eth_call a" }, { value: "eth_call b" }])
  expect(tooLarge).toMatchObject({ reason: { code: "evm.unreachable" } })
  expect(sent.map(sizeOf)).toEqual([3, 1, 1, 1])
  sent.length = 0
  await readAll()
  expect(sent.map(sizeOf).toSorted()).toEqual([1, 2])
})
