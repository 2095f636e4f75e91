import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { createReadFaults, type ReadFaults } from "./read-faults.ts"

const refusal = (
  rpcCode: number,
  found: string,
  disposition: "transient" | "refused" = "transient",
) => new AppError({ code: "evm.rpc", disposition, message: found, details: { rpcCode, found } })

const fail = (reads: ReadFaults, method: string, error: AppError): Promise<unknown> =>
  reads.follow(method, Promise.reject(error)).catch(() => undefined)

test("the reads of a method fail until one is answered, or none has been asked for minutes", async () => {
  const clock = { ms: 1_000, now: () => clock.ms }
  const reads = createReadFaults(clock)
  expect(reads.worst()).toBeNull()
  await fail(reads, "eth_getCode", refusal(-32_000, "no state"))
  for (const ms of [2_000, 3_000]) {
    clock.ms = ms
    await fail(reads, "eth_getBalance", refusal(-32_000, "missing trie node"))
  }
  const fault = { method: "eth_getBalance", fault: "missing trie node" }
  expect(reads.worst()).toEqual({ ...fault, sinceMs: 2_000, lastMs: 3_000, times: 2 })
  await reads.follow("eth_getBalance", Promise.resolve("0x0"))
  expect(reads.worst()?.method).toBe("eth_getCode")
  clock.ms += 5 * 60_000
  expect(reads.worst()).toBeNull()
})

test.each([
  ["a revert", refusal(3, "execution reverted", "refused")],
  ["a method that the node lacks", refusal(-32_601, "no such method")],
  ["an object that the node does not know", refusal(24, "Block not found")],
  [
    "a limit",
    new AppError({
      code: "evm.unavailable",
      disposition: "transient",
      message: "429",
      details: { status: 429 },
    }),
  ],
])("%s is no failure of the node", async (_name, error) => {
  const reads = createReadFaults({ now: () => 0 })
  await fail(reads, "eth_call", error)
  expect(reads.worst()).toBeNull()
})

test("each call counts in its hour, a revert as an answer and a limit as none", () => {
  const clock = { ms: 3_600_000, now: () => clock.ms }
  const reads = createReadFaults(clock)
  const limit = { status: 429 }
  for (const error of [
    null,
    refusal(3, "execution reverted", "refused"),
    new AppError({ code: "evm.rpc", disposition: "transient", message: "no", details: limit }),
  ])
    reads.count(error)
  clock.ms += 3_600_000
  reads.count(new Error("connect ECONNREFUSED"))
  expect(reads.hours().map(({ answered, failed }) => [answered, failed])).toEqual([
    [2, 1],
    [0, 1],
  ])
  expect(reads.hours().map(({ fault }) => fault)).toEqual(["HTTP 429", "connect ECONNREFUSED"])
  clock.ms += 24 * 3_600_000
  expect(reads.hours()).toEqual([])
})
