import { inspect } from "node:util"
import { afterEach, expect, test } from "vitest"
import { createEvmChain, type EvmChainOptions } from "#chains/evm/create-chain.ts"
import { createRpc } from "#chains/evm/rpc.ts"
import { systemClock } from "#lib/clock.ts"
import { sampleOptions, wbtc } from "../../../chains/evm/sample-order.ts"
import {
  type NodeProxy,
  type ProxyAnswer,
  type ProxyAnswers,
  startProxy,
} from "../../../chains/evm/start-proxy.ts"
import { createHastyClock } from "../../../support/hasty-clock.ts"

const started: NodeProxy[] = []

afterEach(async () => {
  for (const node of started.splice(0)) await node.stop()
})

/**
 * A node of our chain at some height, with optional other answers. All these nodes have the same
 * blocks.
 */
async function startNode(height: number, answer: ProxyAnswers = () => null): Promise<NodeProxy> {
  const usual = (method: string, [name]: readonly unknown[]): ProxyAnswer | null => {
    if (method === "eth_chainId") return { result: "0x14a34" }
    if (method !== "eth_getBlockByNumber") return null
    const number = name === "latest" ? height : Number(name)
    return { result: number > height ? null : blockOf(number) }
  }
  const node = await startProxy(
    null,
    async (method, params) => (await answer(method, params)) ?? usual(method, params),
  )
  started.push(node)
  return node
}

function blockOf(height: number, fork = "b"): object {
  const hash = `0x${fork.repeat(8)}${height.toString(16).padStart(56, "0")}`
  return { number: `0x${height.toString(16)}`, hash, baseFeePerGas: "0x7", transactions: [] }
}

function chainAt(nodes: readonly { url: string }[], change: Partial<EvmChainOptions> = {}) {
  return createEvmChain(
    sampleOptions(
      nodes.map(({ url }) => url),
      { clock: createHastyClock(1_000), ...change },
    ),
  )
}

function countOf(node: NodeProxy, name: string): number {
  return node.asked.filter(({ method }) => method === name).length
}

test("reads the chain id before the first use, and with each head of a lone endpoint", async () => {
  const node = await startNode(7)
  const chain = chainAt([node])
  expect(node.asked).toEqual([])
  expect([await chain.fetchHeight(), await chain.fetchHeight()]).toEqual([7n, 7n])
  expect(node.asked.map(({ method }) => method)).toEqual([
    "eth_chainId",
    "eth_getBlockByNumber",
    "eth_chainId",
    "eth_getBlockByNumber",
  ])
  expect(node.requests()).toBe(3)
})

test("never uses an endpoint on another chain, and goes on with the others", async () => {
  const wrong = await startNode(9, (method) =>
    method === "eth_chainId" ? { result: "0x1" } : null,
  )
  const found = {
    code: "evm.wrong_chain",
    disposition: "transient",
    details: { expected: 84_532, found: 1 },
  }
  await expect(chainAt([wrong]).fetchHeight()).rejects.toMatchObject(found)
  expect(await chainAt([await startNode(7), await startNode(7), wrong]).fetchHeight()).toBe(7n)
  expect(countOf(wrong, "eth_getBlockByNumber")).toBe(0)
})

test("makes at most three attempts", async () => {
  const node = await startNode(7, (method) =>
    method === "eth_getBlockByNumber" ? "<html>bad gateway</html>" : null,
  )
  await expect(chainAt([node]).fetchHeight()).rejects.toMatchObject({
    code: "evm.unavailable",
    disposition: "transient",
  })
  // The second one begins as a batch with the chain id, whose calls are asked again alone.
  expect(countOf(node, "eth_getBlockByNumber")).toBe(4)
  const absurd = await startNode(7, (method) =>
    method === "eth_getBlockByNumber" ? { result: "seven" } : null,
  )
  await expect(chainAt([absurd]).fetchHeight()).rejects.toMatchObject({
    code: "evm.nonsense",
    disposition: "transient",
  })
})

test("does not wait for ever for an unfinished answer", async () => {
  const node = await startNode(7, (method) =>
    method === "eth_getBlockByNumber" ? "silence" : null,
  )
  const chain = chainAt([node], { timeoutMs: 60, clock: createHastyClock(0) })
  await expect(chain.fetchHeight()).rejects.toMatchObject({
    code: "evm.unreachable",
    disposition: "transient",
  })
})

const five: ProxyAnswers = (method) =>
  method === "eth_call" ? { result: `0x${"5".padStart(64, "0")}` } : null

test("equal answers about two different blocks are no agreement", async () => {
  const fork: ProxyAnswers = (method, [name]) => {
    if (method !== "eth_getBlockByNumber") return five(method, [])
    return { result: blockOf(name === "latest" ? 7 : Number(name), "c") }
  }
  const one = await startNode(7, five)
  const other = await startNode(7, fork)
  await expect(chainAt([one, other]).fetchBalance(wbtc, new Set())).rejects.toMatchObject({
    code: "evm.disagreement",
    disposition: "transient",
  })
  expect(
    await chainAt([one, other, await startNode(7, five)]).fetchBalance(wbtc, new Set()),
  ).toMatchObject({
    units: 5n,
  })
})

test("an answer counts only if its block is the same before and after", async () => {
  let calls = 0
  const moving = await startNode(7, (method, [name]) => {
    if (method === "eth_call") calls += 1
    const isAfter = method === "eth_getBlockByNumber" && name !== "latest"
    return isAfter ? { result: blockOf(Number(name), String(calls % 10)) } : five(method, [])
  })
  await expect(chainAt([moving]).fetchBalance(wbtc, new Set())).rejects.toMatchObject({
    code: "evm.reorganised",
    disposition: "transient",
  })
})

test("never reports a failed read as zero", async () => {
  const empty = await startNode(7, (method) => (method === "eth_call" ? { result: "0x" } : null))
  await expect(chainAt([empty]).fetchBalance(wbtc, new Set())).rejects.toMatchObject({
    code: "evm.nonsense",
  })
})

test("authenticates with the url's user, and shows neither the user nor a key in the path", async () => {
  const node = await startNode(7)
  const url = node.url.replace("http://", "http://user:pass%21word@").concat("/v3/topsecret")
  expect(await chainAt([{ url }]).fetchHeight()).toBe(7n)
  expect(node.asked[0]?.authorization).toBe(
    `Basic ${Buffer.from("user:pass!word").toString("base64")}`,
  )
  const failures = ["dead", "broken"].map(async (kind) => {
    const other = await startNode(7, () => (kind === "broken" ? "<html></html>" : { result: [] }))
    const shown = other.url.replace("http://", "http://user:pass%21word@").concat("/v3/topsecret")
    return chainAt([
      { url: kind === "dead" ? shown.replace(/:\d+\//, ":1/") : shown },
    ]).fetchHeight()
  })
  for (const failure of await Promise.allSettled(failures)) {
    expect(failure.status).toBe("rejected")
    expect(inspect(failure, { depth: 20 })).not.toMatch(/topsecret|pass.{1,3}word/)
  }
})

test("explains a configuration without endpoints", async () => {
  await expect(chainAt([]).fetchHeight()).rejects.toMatchObject({
    code: "chain.no_endpoint",
    disposition: "fatal",
  })
})

test.each([
  [0, 3n],
  [1, null],
])("the final block of two endpoints, of which %i give no answer, is %s", async (silent, final) => {
  const tagged = () =>
    startNode(7, (_method, [name]) => (name === "finalized" ? { result: blockOf(3) } : null))
  const urls = (await Promise.all([tagged(), tagged()])).map(({ url }) => url)
  const how = { needed: 2, chainId: 0x14a34, timeoutMs: 2_000, fastestBlockMs: 1_000 }
  const clock = createHastyClock(1_000)
  let asked = 0
  const { heights } = await createRpc({ ...how, urls, clock }).readEach(
    async () => {
      if (++asked > silent) return
      await systemClock.sleep(100)
      throw new Error("no answer")
    },
    { tags: true },
  )
  expect(heights.finalized).toBe(final)
})
