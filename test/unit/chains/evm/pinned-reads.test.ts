import { afterEach, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import type { ChainPort } from "#ports/chain.ts"
import { sampleOptions, wbtc } from "../../../chains/evm/sample-order.ts"
import { type NodeProxy, type ProxyAnswer, startProxy } from "../../../chains/evm/start-proxy.ts"

const UNITS = 5n
let node: NodeProxy | null = null
afterEach(async () => {
  await node?.stop()
  node = null
})

type Block = { readonly blockHash: string; readonly requireCanonical: boolean }
/** The answer to a question about a state at a block, by its hash or its number. */
type StateAnswer = (block: Block | string, isProbe: boolean) => ProxyAnswer

const units: ProxyAnswer = { result: `0x${UNITS.toString(16).padStart(64, "0")}` }
const unknown: ProxyAnswer = { error: { code: -32_000, message: "header for hash not found" } }
const invalid: ProxyAnswer = {
  error: { code: -32_602, message: "invalid argument 1: cannot unmarshal object" },
}

const hashOf = (height: number): string =>
  `0x${"b".repeat(8)}${height.toString(16).padStart(56, "0")}`

/** A node at block 7 that has our account's tokens. */
async function openNode(
  answer: StateAnswer,
): Promise<{ chain: ChainPort; blocks: (Block | string)[] }> {
  const blocks: (Block | string)[] = []
  node = await startProxy(null, (method, params) => {
    if (method === "eth_chainId") return { result: "0x14a34" }
    // CAST: requests come from our own client.
    const name = params[method === "eth_getBlockByNumber" ? 0 : 1] as Block | string
    if (method === "eth_getBlockByNumber") {
      const height = name === "latest" ? 7 : Number(name)
      return {
        result: { number: `0x${height.toString(16)}`, hash: hashOf(height), transactions: [] },
      }
    }
    if (method === "eth_call") blocks.push(name)
    return answer(name, method === "eth_getBalance")
  })
  return { chain: createEvmChain(sampleOptions([node.url])), blocks }
}

const balanceOf = async (chain: ChainPort): Promise<bigint> =>
  (await chain.fetchBalance(wbtc, new Set())).units
const BY_HASH = { blockHash: hashOf(7), requireCanonical: true }

test("names the block of a state by its hash, and asks once whether the node minds an unknown hash", async () => {
  const { chain, blocks } = await openNode((_name, isProbe) => (isProbe ? unknown : units))
  expect([await balanceOf(chain), await balanceOf(chain)]).toEqual([UNITS, UNITS])
  expect(blocks).toEqual([BY_HASH, BY_HASH])
  expect(node?.asked.filter(({ method }) => method === "eth_getBalance")).toHaveLength(1)
  // The chain's id; then twice the newest block, and the balance with the check of its block.
  expect(node?.requests()).toBe(5)
})

test("asks a node by number that answers for a hash that no block has", async () => {
  const { chain, blocks } = await openNode(() => units)
  expect([await balanceOf(chain), await balanceOf(chain)]).toEqual([UNITS, UNITS])
  expect(blocks).toEqual([BY_HASH, "0x7", "0x7"])
})

test(
  "asks a node by number that knows no blocks by hash, and gives up the hashes after three " +
    "refusals",
  async () => {
    const { chain, blocks } = await openNode((name) => (typeof name === "string" ? units : invalid))
    for (let turn = 0; turn < 5; turn++) expect(await balanceOf(chain)).toBe(UNITS)
    expect(blocks.filter((name) => typeof name !== "string")).toHaveLength(3)
    expect(blocks.filter((name) => name === "0x7")).toHaveLength(5)
  },
)

test("a refusal of a proven node leads to the read by number, with the check of the block after it", async () => {
  let isReorganising = false
  const { chain, blocks } = await openNode((name, isProbe) =>
    isProbe || (isReorganising && typeof name !== "string") ? unknown : units,
  )
  expect(await balanceOf(chain)).toBe(UNITS)
  isReorganising = true
  const before = node?.requests() ?? 0
  expect(await balanceOf(chain)).toBe(UNITS)
  expect(blocks.slice(1)).toEqual([BY_HASH, "0x7"])
  // The newest block, the refused batch, the balance by number, and its block once more.
  expect((node?.requests() ?? 0) - before).toBe(4)
})
