import { afterEach, expect, test } from "vitest"
import { z } from "zod"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { systemClock } from "#lib/clock.ts"
import { createKeptAnswers } from "#nodes/kept-answers.ts"
import { serve } from "./askers.ts"

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

/** A node of JSON-RPC. `requests`: the methods of each request. */
async function startNode(answer: (call: Call) => unknown) {
  const requests: string[][] = []
  const { url, stop } = await serve((_path, body) => {
    // CAST: the clients' own requests: a call or a list of them.
    const sent = [JSON.parse(body) as Call | readonly Call[]].flat()
    requests.push(sent.map(({ method }) => method))
    const answers = sent.map((call) => ({ jsonrpc: "2.0", id: call.id, result: answer(call) }))
    return { body: JSON.stringify(body.startsWith("[") ? answers : answers[0]) }
  })
  stops.push(stop)
  return { url, requests }
}

function createTime() {
  let nowMs = 1_000_000
  return { clock: { ...systemClock, now: () => nowMs }, pass: (ms: number) => (nowMs += ms) }
}

test("an answer holds for its time, and a failure and nothing do not", async () => {
  const { clock, pass } = createTime()
  const kept = createKeptAnswers(clock)
  let asked = 0
  const answers: (number | null | Error)[] = [new Error("away"), null, 1, 2, 3]
  const ask = async () => {
    const answer = answers[asked++] ?? null
    if (answer instanceof Error) throw answer
    return answer
  }
  await expect(kept("a", 100, ask)).rejects.toThrow("away")
  expect(await kept("a", 100, ask)).toBeNull()
  expect(await kept("a", 100, ask)).toBe(1)
  pass(99)
  expect(await kept("a", 100, ask)).toBe(1)
  pass(1)
  expect(await kept("a", 100, ask)).toBe(2)
  pass(-1)
  expect(await kept("a", 100, ask)).toBe(3)
  expect(await kept("a", 0, async () => 4)).toBe(4)
  expect(asked).toBe(5)
})

test("a Solana node is asked for a rent once, and for a balance each time", async () => {
  const { clock, pass } = createTime()
  const { url, requests } = await startNode(() => 7)
  const [node] = createSolanaRpc({ urls: [url], timeoutMs: 2_000, clock }).endpoints
  const ask = (method: string) => node?.read(method, [0], z.number())
  for (let turn = 0; turn < 3; turn++) {
    await ask("getMinimumBalanceForRentExemption")
    await ask("getBalance")
  }
  pass(600_000)
  await ask("getMinimumBalanceForRentExemption")
  const rents = requests.flat().filter((method) => method.startsWith("getMinimum"))
  expect([rents.length, requests.length]).toEqual([2, 5])
})

test("a Starknet node is asked once for a state at a block of one hash", async () => {
  const { clock } = createTime()
  const { url, requests } = await startNode(({ method }) =>
    method === "starknet_chainId" ? "0x534e5f4d41494e" : "0x1",
  )
  const rpc = createStarknetRpc({ urls: [url], chainId: "SN_MAIN", timeoutMs: 2_000, clock })
  for (const method of ["starknet_getNonce", "starknet_getBlockWithTxHashes"]) {
    const ask = (at: object) => rpc.nodes[0]?.read(method, [at, "0x1"], z.string())
    for (const hash of ["0xa", "0xa", "0xb", "0xa"]) await ask({ block_hash: hash })
    for (let turn = 0; turn < 2; turn++) await ask({ block_number: 5 })
    expect(requests.flat().filter((one) => one === method)).toHaveLength(4)
  }
})

test.each(["read", "askNow"] as const)(
  "calls that begin together are one request of a node (%s)",
  async (way) => {
    const { url, requests } = await startNode(({ method }) => method)
    const urls = way === "read" ? [url] : [url, "http://127.0.0.1:1"]
    const rpc = createSolanaRpc({ urls, timeoutMs: 2_000, clock: systemClock })
    const methods = ["getBalance", "getSlot", "getBlockHeight"]
    const found = await Promise.all(methods.map((method) => rpc.read(method, [], z.string())))
    expect(found).toEqual(methods)
    expect(requests).toEqual([methods])
  },
)
