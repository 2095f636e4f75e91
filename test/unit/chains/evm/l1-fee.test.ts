import { afterEach, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { sampleOptions, wbtc } from "../../../chains/evm/sample-order.ts"
import { type NodeProxy, type ProxyAnswer, startProxy } from "../../../chains/evm/start-proxy.ts"

const ORACLE = "0x420000000000000000000000000000000000000f"
const L1_FEE = 7_000_000_000_000n
const MARKET: Record<string, ProxyAnswer> = {
  eth_blockNumber: { result: "0x7" },
  eth_maxPriorityFeePerGas: { result: "0x1" },
  eth_getBlockByNumber: {
    result: { number: "0x7", hash: `0x${"b".repeat(64)}`, baseFeePerGas: "0x2", transactions: [] },
  },
}

const started: NodeProxy[] = []
afterEach(async () => {
  for (const node of started.splice(0)) await node.stop()
})

async function estimate(chainId: number, oracle: ProxyAnswer | null) {
  const calls: string[] = []
  const node = await startProxy(null, (method, params) => {
    if (method === "eth_chainId") return { result: `0x${chainId.toString(16)}` }
    // CAST: the first parameter of a call, in our client's form.
    if (method === "eth_call") calls.push((params[0] as { to: string }).to.toLowerCase())
    return method === "eth_call" ? oracle : (MARKET[method] ?? null)
  })
  started.push(node)
  const fees = await createEvmChain(sampleOptions([node.url], { chainId })).estimateFees(wbtc)
  return { fees, calls }
}

test.each([84_532, 8_453, 10])(
  "on the OP stack (%i) the data fee of L1 is part of what a deposit may cost",
  async (chainId) => {
    const without = await estimate(1, null)
    const { fees, calls } = await estimate(chainId, {
      result: `0x${L1_FEE.toString(16).padStart(64, "0")}`,
    })
    expect(fees.depositUnits - without.fees.depositUnits).toBe(2n * L1_FEE)
    expect(fees.refundUnits - without.fees.refundUnits).toBe(2n * L1_FEE)
    expect(calls).toEqual([ORACLE, ORACLE])
    expect(without.calls).toEqual([])
  },
)

test.each([
  ["has no such contract", { result: "0x" }],
  ["has another contract there", { error: { code: 3, message: "execution reverted", data: "0x" } }],
] as const)("reads no fee on a chain with an OP-stack id that %s", async (_name, answer) => {
  const { fees } = await estimate(84_532, answer)
  expect(fees).toEqual((await estimate(1, null)).fees)
})

test("reports a failed read, not a fee of 0, when the node fails", async () => {
  await expect(estimate(84_532, "<html>bad gateway</html>")).rejects.toMatchObject({
    disposition: "transient",
  })
})
