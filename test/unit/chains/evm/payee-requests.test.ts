import { afterEach, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { eth, sampleOptions, wbtc } from "../../../chains/evm/sample-order.ts"
import { type NodeProxy, startProxy } from "../../../chains/evm/start-proxy.ts"

const BALANCE = "0x70a08231"
const payee = `0x${"77".repeat(20)}`
let node: NodeProxy | null = null
afterEach(async () => {
  await node?.stop()
  node = null
})

type Refusal = { readonly code: number; readonly message: string }

/** A node where each payer holds so many units, and a payment of one fails so. */
async function open(held: bigint, refusal: Refusal | null) {
  const words = (units: bigint): string => `0x${units.toString(16).padStart(64, "0")}`
  node = await startProxy(null, (method, params) => {
    if (method === "eth_chainId") return { result: "0x14a34" }
    if (method === "eth_getBlockByNumber")
      return { result: { number: "0x7", hash: `0x${"ab".repeat(32)}`, transactions: [] } }
    // CAST: requests come from our own client.
    const [call, at] = params as [{ data?: string; value?: string }, { blockHash?: string }]
    if (method === "eth_getBalance")
      return JSON.stringify(at ?? "").includes("b10cb10c")
        ? { error: { code: -32_000, message: "header for hash not found" } }
        : { result: `0x${held.toString(16)}` }
    if (call.data?.startsWith(BALANCE)) return { result: words(held) }
    const isOfOne = (call.data ?? call.value ?? "").endsWith("1")
    return isOfOne && refusal !== null ? { error: refusal } : { result: words(1n) }
  })
  const chain = createEvmChain(sampleOptions([node.url]))
  const check = (asset: typeof wbtc) => chain.contracts?.checkPayout(asset, payee)
  // The network, and whether the node honours the hash of a block, are asked for once.
  await check(wbtc)
  const before = node.requests()
  const give = (units: bigint, fault: Refusal | null): void => {
    held = units
    refusal = fault
  }
  return { check, give, requests: () => (node?.requests() ?? 0) - before }
}

const REVERT = { code: 3, message: "execution reverted: blocked" }
const LACK = { code: -32_000, message: "insufficient funds for transfer" }

test("a payee of a token is checked with one request after the head", async () => {
  const { check, requests } = await open(0n, REVERT)
  expect(await check(wbtc)).toEqual([])
  expect(requests()).toBe(2)
})

test("a token that refuses one unit of a payer that holds some is a fault", async () => {
  const { check } = await open(5n, REVERT)
  expect(await check(wbtc)).toMatchObject([{ code: "evm.payout_refused" }])
})

test("a payment of coin is in the request of the balance where its payer had some before", async () => {
  const { check, requests, give } = await open(5n, null)
  expect(await check(eth)).toEqual([])
  expect(requests()).toBe(3)
  expect(await check(eth)).toEqual([])
  expect(requests()).toBe(3 + 2)
  give(0n, LACK)
  expect(await check(eth)).toEqual([])
  give(5n, REVERT)
  expect(await check(eth)).toMatchObject([{ code: "evm.payout_refused" }])
})

test("a payer without coin pays nothing of it, so no lack of coin is asked for", async () => {
  const { check, requests } = await open(0n, LACK)
  expect(await check(eth)).toEqual([])
  expect(requests()).toBe(2)
})
