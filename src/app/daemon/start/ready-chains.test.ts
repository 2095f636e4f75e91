import { expect, test } from "vitest"
import { type AssetId, toChainId } from "#domain/asset.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createReadyChains } from "./ready-chains.ts"

const CHAIN = toChainId("base")

/** A chain that counts its reads; the first `failures` openings fail. */
function createWorld(failures = 0) {
  const world = { nowMs: 1_000_000, openings: 0, reads: [] as string[] }
  // CAST: only these parts of the port are called.
  const port = {
    chain: CHAIN,
    assetChecks: {
      checkAsset: async (asset: AssetId) => {
        world.reads.push(asset)
        throw new Error("the node does not answer")
      },
    },
    uses: {
      fetchUses: async (mark: string | null) => {
        world.reads.push(`uses since ${mark}`)
        return { mark, used: [] }
      },
    },
  } as unknown as ChainPort
  const openChains = async () => {
    world.openings++
    if (world.openings <= failures) throw new Error("the signer does not answer")
    return new Map([[CHAIN, port]])
  }
  // CAST: an asset's id is a branded string.
  const chains = createReadyChains(openChains, () => [{ id: "base:btc" as AssetId }], {
    now: () => world.nowMs,
  })
  return { world, chains, port }
}

test("asks what the start asks, and gives the start the same ports", async () => {
  const { world, chains, port } = createWorld()
  await chains.readAhead()
  expect(world.reads).toEqual(["base:btc", "uses since null"])
  expect((await chains.open()).get(CHAIN)).toBe(port)
  expect(world.openings).toBe(1)
})

test("reads at most once in ten seconds, also when the clock is set back", async () => {
  const { world, chains } = createWorld()
  for (const afterMs of [0, 9_999, 1, -60_000]) {
    world.nowMs += afterMs
    await chains.readAhead()
  }
  expect(world.reads).toHaveLength(6)
})

test("opens the chains again after a failure", async () => {
  const { world, chains, port } = createWorld(2)
  await chains.readAhead()
  await expect(chains.open()).rejects.toThrow("the signer does not answer")
  expect((await chains.open()).get(CHAIN)).toBe(port)
  expect([world.openings, world.reads]).toEqual([3, []])
})
