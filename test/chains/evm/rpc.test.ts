import { inspect } from "node:util"
import { afterEach, expect, test } from "vitest"
import { createEvmChain, type EvmChainOptions } from "#chains/evm/create-chain.ts"
import { sampleOptions, wbtc } from "./sample-order.ts"
import { type NodeProxy, type ProxyAnswer, type ProxyAnswers, startProxy } from "./start-proxy.ts"

const started: NodeProxy[] = []

afterEach(async () => {
  for (const node of started.splice(0)) await node.stop()
})

/** A node of our chain at some height, with optional other answers. */
async function startNode(height: number, answer: ProxyAnswers = () => null): Promise<NodeProxy> {
  const usual: Record<string, ProxyAnswer> = {
    eth_chainId: { result: "0x14a34" },
    eth_blockNumber: { result: `0x${height.toString(16)}` },
  }
  const node = await startProxy(null, (method, params) => answer(method, params) ?? usual[method] ?? null)
  started.push(node)
  return node
}

function chainAt(nodes: readonly { url: string }[], change: Partial<EvmChainOptions> = {}) {
  return createEvmChain(
    sampleOptions(
      nodes.map(({ url }) => url),
      change,
    ),
  )
}

function countOf(node: NodeProxy, name: string): number {
  return node.asked.filter(({ method }) => method === name).length
}

test("reads the chain id once, before the first use", async () => {
  const node = await startNode(7)
  const chain = chainAt([node])
  expect(node.asked).toEqual([])
  expect([await chain.fetchHeight(), await chain.fetchHeight()]).toEqual([7n, 7n])
  expect(node.asked.map(({ method }) => method)).toEqual(["eth_chainId", "eth_blockNumber", "eth_blockNumber"])
})

test("holds if an endpoint is on another chain, and sends it no further request", async () => {
  const wrong = await startNode(9, (method) => (method === "eth_chainId" ? { result: "0x1" } : null))
  const held = { code: "evm.wrong_chain", disposition: "hold", details: { expected: 84_532, found: 1 } }
  await expect(chainAt([wrong]).fetchHeight()).rejects.toMatchObject(held)
  await expect(chainAt([await startNode(7), wrong]).fetchHeight()).rejects.toMatchObject(held)
  expect(countOf(wrong, "eth_blockNumber")).toBe(0)
})

test("reads from the endpoint with the highest block, and from another if that one fails", async () => {
  const allowance =
    (units: string): ProxyAnswers =>
    (method) =>
      method === "eth_call" ? { result: `0x${units.padStart(64, "0")}` } : null
  const [late, ahead] = [await startNode(5, allowance("1")), await startNode(8, allowance("2"))]
  const broken = await startNode(9, (method) => (method === "eth_call" ? "<html>bad gateway</html>" : null))
  const dead = { url: "http://127.0.0.1:1" }
  expect(await chainAt([dead, late, broken, ahead]).fetchBalance(wbtc, new Set())).toMatchObject({ units: 2n })
  expect(countOf(late, "eth_call")).toBe(0)
})

test("makes at most three attempts, and only for transient failures", async () => {
  const node = await startNode(7, (method) => (method === "eth_blockNumber" ? "<html>bad gateway</html>" : null))
  await expect(chainAt([node]).fetchHeight()).rejects.toMatchObject({
    code: "evm.unavailable",
    disposition: "transient",
  })
  expect(countOf(node, "eth_blockNumber")).toBe(3)
  const absurd = await startNode(7, (method) => (method === "eth_blockNumber" ? { result: "seven" } : null))
  await expect(chainAt([absurd]).fetchHeight()).rejects.toMatchObject({ code: "evm.nonsense", disposition: "hold" })
  expect(countOf(absurd, "eth_blockNumber")).toBe(1)
})

test("does not wait for ever for an unfinished answer", async () => {
  const node = await startNode(7, (method) => (method === "eth_blockNumber" ? "silence" : null))
  const chain = chainAt([node], { timeoutMs: 60 })
  await expect(chain.fetchHeight()).rejects.toMatchObject({ code: "evm.unreachable", disposition: "transient" })
})

test("never reports a failed read as zero", async () => {
  const empty = await startNode(7, (method) => (method === "eth_call" ? { result: "0x" } : null))
  await expect(chainAt([empty]).fetchBalance(wbtc, new Set())).rejects.toMatchObject({ code: "evm.nonsense" })
})

test("authenticates with the url's user, and shows neither the user nor a key in the path", async () => {
  const node = await startNode(7)
  const url = node.url.replace("http://", "http://user:pass%21word@").concat("/v3/topsecret")
  expect(await chainAt([{ url }]).fetchHeight()).toBe(7n)
  expect(node.asked[0]?.authorization).toBe(`Basic ${Buffer.from("user:pass!word").toString("base64")}`)
  const failures = ["dead", "broken"].map(async (kind) => {
    const other = await startNode(7, () => (kind === "broken" ? "<html></html>" : { result: [] }))
    const shown = other.url.replace("http://", "http://user:pass%21word@").concat("/v3/topsecret")
    return chainAt([{ url: kind === "dead" ? shown.replace(/:\d+\//, ":1/") : shown }]).fetchHeight()
  })
  for (const failure of await Promise.allSettled(failures)) {
    expect(failure.status).toBe("rejected")
    expect(inspect(failure, { depth: 20 })).not.toMatch(/topsecret|pass.{1,3}word/)
  }
})

test("explains a configuration without endpoints", async () => {
  await expect(chainAt([]).fetchHeight()).rejects.toMatchObject({ code: "evm.no_endpoint", disposition: "fatal" })
})
