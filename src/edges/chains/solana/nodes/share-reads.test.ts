import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import { createSharedReads } from "./share-reads.ts"

const AT = { commitment: "confirmed", encoding: "base64", minContextSlot: 7 }
type Call = readonly [method: string, params: readonly unknown[]]
const account = (address: string, at: object = AT): Call => ["getAccountInfo", [address, at]]
const context = { slot: 9 }

test("reads accounts at the same commitment and slot with one question, each with its own answer", async () => {
  const asked: Call[] = []
  const read = createSharedReads(async (method, params) => {
    asked.push([method, params])
    if (method === "getAccountInfo") return { context, value: `alone ${String(params[0])}` }
    return { context, value: (params[0] as string[]).map((address) => `of ${address}`) }
  }, systemClock)
  const calls = [
    account("a"),
    account("b"),
    account("a"),
    account("c", { ...AT, minContextSlot: 8 }),
  ]
  const found = await Promise.all(calls.map((call) => read(...call)))
  expect(found).toEqual(["of a", "of b", "of a", "alone c"].map((value) => ({ context, value })))
  expect(asked.map(([method, params]) => [method, params[0]])).toEqual([
    ["getMultipleAccounts", ["a", "b"]],
    ["getAccountInfo", "c"],
  ])
  expect(asked[0]?.[1][1]).toEqual(AT)
})

test("gives every one of many accounts its own answer, with at most a hundred in one question", async () => {
  const sizes: number[] = []
  const read = createSharedReads(async (_method, params) => {
    // CAST: all accounts are read together.
    const addresses = params[0] as string[]
    sizes.push(addresses.length)
    return { context, value: addresses.map((address) => `of ${address}`) }
  }, systemClock)
  const names = Array.from({ length: 250 }, (_, index) => `account ${index}`)
  const found = await Promise.all(names.map((name) => read(...account(name))))
  expect(found).toEqual(names.map((name) => ({ context, value: `of ${name}` })))
  expect(sizes).toEqual([100, 100, 50])
})

test("asks the same question of one turn once, and again in the next turn", async () => {
  let slot = 0
  const read = createSharedReads(async () => ++slot, systemClock)
  const call: Call = ["getSlot", [{ commitment: "confirmed" }]]
  expect(await Promise.all([read(...call), read(...call)])).toEqual([1, 1])
  expect(await read(...call)).toBe(2)
})

test.each([
  ["refuses the joint question", () => Promise.reject(nodeError("solana.node_error"))],
  ["leaves an account out", async () => ({ context, value: ["only one"] })],
])("asks for each account alone at a node that %s", async (_name, answer) => {
  const asked: string[] = []
  const read = createSharedReads((method, params) => {
    asked.push(method)
    return method === "getMultipleAccounts"
      ? answer()
      : Promise.resolve(`alone ${String(params[0])}`)
  }, systemClock)
  expect(await Promise.all(["a", "b"].map((name) => read(...account(name))))).toEqual([
    "alone a",
    "alone b",
  ])
  await Promise.all(["a", "b"].map((name) => read(...account(name))))
  expect(asked.filter((method) => method === "getMultipleAccounts")).toHaveLength(1)
})

test("fails all accounts of a question that got no answer, and keeps asking jointly", async () => {
  const asked: string[] = []
  const read = createSharedReads((method) => {
    asked.push(method)
    return Promise.reject(nodeError("solana.unreachable"))
  }, systemClock)
  const found = await Promise.allSettled(["a", "b"].map((name) => read(...account(name))))
  expect(found.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  expect(asked).toEqual(["getMultipleAccounts"])
})

function nodeError(code: string): AppError {
  return new AppError({ code, disposition: "transient", message: "x", details: {} })
}
