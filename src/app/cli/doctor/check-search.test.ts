import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { transient } from "#lib/app-error.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { checkSearch } from "./check-search.ts"

const USDC = parseAssetId("base:usdc")
const HTLC = { id: USDC, htlc: ["0x2"] }
const ABSENT = { doubts: [] } as unknown as LegObservation // CAST: the part that is read.

/** A port at height 50 000, and the queries that it gets. */
function portWith(observe: () => Promise<LegObservation>, htlcPlace = "contract") {
  const asked: LegQuery[] = []
  const port = {
    account: "0xacc",
    traits: { htlcPlace },
    fetchHeight: async () => 50_000n,
    observeLeg: (query: LegQuery) => {
      asked.push(query)
      return observe()
    },
  }
  return { asked, port: port as unknown as ChainPort } // CAST: the check reads no other member.
}

test("an order is searched as the daemon does it, over the blocks of a day", async () => {
  const { asked, port } = portWith(async () => ABSENT)
  expect(await checkSearch(port, [HTLC, { id: USDC, htlc: [] }], 2_000)).toEqual([])
  expect(asked).toMatchObject([{ asset: USDC, fromHeight: 50_000n - 43_200n, owner: "0xacc" }])
  await checkSearch(port, [HTLC], 1_000)
  expect(asked[1]?.fromHeight).toBe(0n)
})

test("endpoints that cannot search, and their contradictions, are doubtful", async () => {
  const limit = "use an endpoint that answers eth_getLogs for more blocks"
  const failing = portWith(() => Promise.reject(transient("evm.search_too_long", limit)))
  expect(await checkSearch(failing.port, [HTLC], 2_000)).toMatchObject([
    { check: "orders of base:usdc", status: "warn", found: expect.stringContaining(limit) },
  ])
  const doubts = [{ code: "chain.contradiction", message: "two answers" }]
  const split = { doubts } as unknown as LegObservation // CAST: the part that is read.
  expect(await checkSearch(portWith(async () => split).port, [HTLC], 2_000)).toMatchObject([
    { status: "warn", found: "two answers" },
  ])
})

test("where each HTLC has its own address, no contract is searched", async () => {
  const { asked, port } = portWith(async () => ABSENT, "address")
  expect(await checkSearch(port, [HTLC], 2_000)).toEqual([])
  expect(asked).toEqual([])
})
