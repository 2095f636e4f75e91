import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { chooseTip, depositLimit, outbid, suggestFees } from "#chains/evm/fees.ts"
import type { Tips } from "#chains/evm/spend/tips.ts"
import { parseUnsigned } from "#chains/evm/spend/unsigned.ts"
import {
  assetOf,
  local,
  NOTHING_RESERVED,
  options,
  plan,
  useChain,
  useLocalChain,
} from "./local-scene.ts"
import { wbtc } from "./sample-order.ts"
import { type NodeProxy, startProxy } from "./start-proxy.ts"

const GWEI = 10n ** 9n

describe("the tip", () => {
  const of = (suggested: bigint | null, paid: bigint | null): Tips => ({ suggested, paid })

  test.each([
    ["the suggestion, where recent blocks explain it", [of(100n, 50n)], 1_000n, 100n],
    [
      "four times the usual tip, where the suggestion is far above it",
      [of(900n, 50n)],
      1_000n,
      200n,
    ],
    ["a tenth of the cap on a quiet chain", [of(900n, 0n)], 1_000n, 100n],
    ["a tenth of the cap where no block shows a tip", [of(900n, null)], 1_000n, 100n],
    ["the cap, where all estimates lie", [of(9_000n, 9_000n)], 1_000n, 1_000n],
    ["the usual tip without a suggestion", [of(null, 50n)], 1_000n, 50n],
    ["a tenth of the cap without any estimate", [of(null, null)], 1_000n, 100n],
    ["that of the endpoint that has one", [of(null, null), of(30n, 50n)], 1_000n, 30n],
    ["nothing on an idle chain", [of(0n, null)], 1_000n, 0n],
    [
      "the middle of three endpoints",
      [of(9_000n, 9_000n), of(40n, 50n), of(30n, 50n)],
      1_000n,
      40n,
    ],
    ["the lower of two endpoints", [of(9_000n, 9_000n), of(40n, 50n)], 1_000n, 40n],
  ])("is %s", (_what, tips, cap, expected) => {
    expect(chooseTip(tips, cap)).toBe(expected)
  })

  test("is never above the cap, whatever the endpoints say", () => {
    const amount = fc.option(fc.bigInt(0n, 10n ** 20n))
    const tips = fc.array(fc.record({ suggested: amount, paid: amount }), { maxLength: 5 })
    fc.assert(
      fc.property(
        tips,
        fc.bigInt(0n, 10n ** 12n),
        fc.bigInt(0n, 10n ** 12n),
        (given, cap, base) => {
          const priorityFee = chooseTip(given, cap)
          const limit = { fee: 10n ** 13n, tip: cap }
          const fees = suggestFees({ baseFee: base, priorityFee }, limit)
          expect(priorityFee <= cap && (fees?.maxPriorityFeePerGas ?? 0n) <= cap).toBe(true)
          const bumped = fees === null ? null : outbid(fees, { baseFee: base, priorityFee }, limit)
          expect((bumped?.maxPriorityFeePerGas ?? 0n) <= cap).toBe(true)
        },
      ),
    )
  })

  test("of a deposit leaves room for a void within the same caps", () => {
    const limit = { fee: 900n * GWEI, tip: 9n * GWEI }
    const deposit = suggestFees(
      { baseFee: 600n * GWEI, priorityFee: 9n * GWEI },
      depositLimit(limit),
    )
    expect(deposit).toEqual({ maxFeePerGas: 800n * GWEI, maxPriorityFeePerGas: 8n * GWEI })
    const market = { baseFee: 600n * GWEI, priorityFee: 9n * GWEI }
    expect(deposit && outbid(deposit, market, limit)).toEqual({
      maxFeePerGas: 900n * GWEI,
      maxPriorityFeePerGas: 9n * GWEI,
    })
    // Above either cap there is no bump.
    expect(outbid({ maxFeePerGas: 1n, maxPriorityFeePerGas: 9n * GWEI }, market, limit)).toBeNull()
    expect(
      outbid({ maxFeePerGas: 900n * GWEI, maxPriorityFeePerGas: 1n }, market, limit),
    ).toBeNull()
  })
})

describe("a node that lies about tips", () => {
  useLocalChain()
  const started: NodeProxy[] = []
  afterEach(async () => {
    for (const node of started.splice(0)) await node.stop()
  })

  async function tipOf(lies: readonly boolean[], maxTipPerGasUnits: bigint): Promise<bigint> {
    const lying = await startProxy(local.url, (method) => {
      if (method === "eth_maxPriorityFeePerGas")
        return { result: `0x${(500n * GWEI).toString(16)}` }
      if (method !== "eth_feeHistory") return null
      const reward = Array.from({ length: 10 }, () => [`0x${(500n * GWEI).toString(16)}`])
      const gasUsedRatio = reward.map(() => 0.5)
      return {
        result: {
          oldestBlock: "0x1",
          baseFeePerGas: reward.map(() => "0x7"),
          gasUsedRatio,
          reward,
        },
      }
    })
    started.push(lying)
    useChain(
      createEvmChain({
        ...options,
        maxTipPerGasUnits,
        rpc: lies.map((lie) => (lie ? lying.url : local.url)),
      }),
    )
    const spender = assetOf(wbtc).htlc[0] ?? ""
    const planned = await plan(
      { action: "approve", asset: wbtc, spender, units: 1n },
      NOTHING_RESERVED,
    )
    return parseUnsigned(planned.unsigned).maxPriorityFeePerGas
  }

  test("costs no more than the cap alone, and nothing beside honest nodes", async () => {
    // Base's own cap: half a gwei. At 134 000 gas the lie costs 0.000067 ETH, not 0.067.
    expect(await tipOf([true], GWEI / 2n)).toBe(GWEI / 2n)
    const honest = await tipOf([false], 10n * GWEI)
    expect(await tipOf([true, false], 10n * GWEI)).toBe(honest)
    expect(await tipOf([true, false, false], 10n * GWEI)).toBe(honest)
  })

  test("never gets a signature above the cap", async () => {
    const spender = assetOf(wbtc).htlc[0] ?? ""
    const planned = await plan({ action: "approve", asset: wbtc, spender, units: 1n })
    const tip = parseUnsigned(planned.unsigned).maxPriorityFeePerGas
    expect(tip).toBeGreaterThan(0n)
    const strict = createEvmChain({ ...options, maxTipPerGasUnits: tip - 1n })
    await expect(strict.signTransaction(planned)).rejects.toMatchObject({ code: "signer.tip_cap" })
  })
})
