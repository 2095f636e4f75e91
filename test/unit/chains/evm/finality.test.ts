import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { evmFamily } from "#chains/evm/family.ts"
import { type Depth, everyDepth, finalHeight, finalityOf, isDeep } from "#chains/evm/finality.ts"
import { describeEvmTrust } from "#chains/evm/nodes/describe-trust.ts"
import { evmPresets } from "#chains/evm/presets.ts"
import { familyOf } from "#chains/families.ts"
import { parseConfig } from "#config/load.ts"
import { Secret } from "#lib/secret.ts"

const heights = { head: 100n, safe: 90n, finalized: 80n }

describe("a depth", () => {
  test.each<[Depth, bigint, boolean]>([
    [1, 100n, true],
    [1, 101n, false],
    [3, 98n, true],
    [3, 99n, false],
    ["safe", 90n, true],
    ["safe", 91n, false],
    ["finalized", 80n, true],
    ["finalized", 81n, false],
  ])("of %s holds for a block at %i: %s", (depth, height, expected) => {
    expect(isDeep(depth, height, heights)).toBe(expected)
  })

  test("by a tag never holds where too few endpoints name its block, nor above the head", () => {
    expect(isDeep("finalized", 1n, { ...heights, finalized: null })).toBe(false)
    expect(isDeep("finalized", 101n, { ...heights, finalized: 10n ** 9n })).toBe(false)
    expect(finalHeight(finalityOf(1), { ...heights, finalized: 10n ** 9n })).toBe(100n)
    expect(finalHeight(finalityOf(1), { ...heights, finalized: null })).toBeNull()
  })

  test("of an ending is that of the newest final block, and no newer one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.bigInt(0n, 300n), (ending, head) => {
        const at = { head, safe: null, finalized: null }
        const height = finalHeight(everyDepth(ending), at)
        if (height === null) expect(isDeep(ending, 0n, at)).toBe(false)
        else
          expect([isDeep(ending, height, at), isDeep(ending, height + 1n, at)]).toEqual([
            true,
            false,
          ])
      }),
    )
  })
})

describe("the shipped depths", () => {
  test("never end an order of a main network at one confirmation", () => {
    for (const { name, network, identity } of evmPresets) {
      const { ending, reveal } = finalityOf(Number(identity["chain_id"]))
      expect([name, ending === 1 || reveal === 1]).toEqual([name, false])
      if (network === "main")
        expect([name, ending === "finalized" || Number(ending) >= 3]).toEqual([name, true])
      else expect([name, ending]).toEqual([name, 3])
    }
    expect([1, 8453, 10, 42161].map((id) => finalityOf(id).ending)).toEqual(
      Array(4).fill("finalized"),
    )
  })

  test("of chains without a documented depth are a quarter of an hour of blocks", () => {
    for (const { identity, blockTime } of evmPresets) {
      const { ending } = finalityOf(Number(identity["chain_id"]))
      if (typeof ending === "number" && ending > 3) expect(ending * blockTime.ms).toBe(15 * 60_000)
    }
  })
})

test("the trust in endpoints is told in words", () => {
  const trust = (urls: number, agree: number | null = null) =>
    describeEvmTrust({ rpc: Array(urls).fill("http://node"), agree, finality: finalityOf(1) })
  expect(trust(1)).toMatchObject({
    endpoints: 1,
    agree: 1,
    finality: {
      seen: "2 confirmations",
      reveal: "the chain's safe block",
      ending: "the chain's finalized block",
    },
    worst: expect.stringContaining("the only endpoint could end an order by a false payout"),
  })
  expect(trust(3, 1).worst).toContain("any one of the 3 endpoints")
  expect(trust(2).worst).toContain("one lying or dead endpoint of 2 stops new deposits and endings")
  expect(trust(3).worst).toContain("is outvoted and reported")
  expect(trust(1, 2).worst).toContain("agree asks for 2 endpoints, and 1 are configured")
})

test(
  "an unknown chain's block time is a guess: live timelocks are refused there until block_time " +
    "is set",
  () => {
    const boundsOf = (more: string) => {
      const text = `service: { url: "http://127.0.0.1:1" }
chains: { x: { family: evm, chain_id: 424242, ${more} rpc: ["http://127.0.0.1:1"], key: "env:K" } }`
      const [chain] = parseConfig(text, {
        file: "b.yaml",
        secrets: (reference) => new Secret("k", reference),
      }).chains
      if (chain === undefined) throw new Error("no chain")
      return { from: chain.blockTime.from, ...familyOf(chain).timelocksOf(chain) }
    }
    // A live order: a day of blocks against two hours, both on a chain of two seconds.
    const isSafe = ({ fastestSeconds = 0, slowestSeconds = 0 }) =>
      43_200 * fastestSeconds > 3_600 * slowestSeconds
    expect(boundsOf("")).toMatchObject({ from: "guess" })
    expect([isSafe(boundsOf("")), isSafe(boundsOf("block_time: 2s,"))]).toEqual([false, true])
    expect(evmFamily.blockTime).toEqual({
      ms: 2_000,
      fastestMs: 100,
      slowestMs: 15_000,
      from: "guess",
    })
  },
)
