import { expect, test } from "vitest"
import { createKnownIds, noteId, planQuestions } from "#chains/evm/legs/known-ids.ts"
import { deriveIds } from "#chains/evm/legs/read-orders.ts"
import { mustExist } from "#lib/assert.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { htlcAddress, nativeHtlc, sampleTerms, wbtc } from "../../../chains/evm/sample-order.ts"

const query: LegQuery = {
  side: "destination",
  asset: wbtc,
  htlc: null,
  secretHash: sampleTerms.secretHash,
  units: sampleTerms.units,
  owner: sampleTerms.redeemer,
  initiator: `0x${"77".repeat(20)}`,
  redeemer: sampleTerms.redeemer,
  timelock: sampleTerms.timelock,
  hints: { initiateTx: null, redeemTx: null, refundTx: null },
  fromHeight: 0n,
}
const idsOf = (leg: LegQuery) => deriveIds({ chainId: 1 }, [htlcAddress, nativeHtlc], leg)
const PLACE = { txid: "0x1", height: 5n, blockHash: "0x2" } as const
const other = { ...query, secretHash: "ab".repeat(32) }

test("a leg that was seen is asked for alone, and everywhere else only where it is gone", () => {
  const known = createKnownIds()
  const ids = idsOf(query)
  expect(planQuestions(known, query, ids)).toEqual([ids])
  const own = mustExist(ids[4], "the second version at the second contract")
  noteId(known, query, own, PLACE)
  expect(planQuestions(known, query, ids)).toEqual([[own], ids.filter((id) => id !== own)])
  expect(planQuestions(undefined, query, ids)).toEqual([ids])
})

test("a contract whose formula was seen is asked by that one alone", () => {
  const known = createKnownIds()
  const ids = idsOf(other)
  const own = mustExist(idsOf(query)[4], "the second version at the second contract")
  noteId(known, query, own, PLACE)
  expect(planQuestions(known, other, ids)).toEqual([[...ids.slice(0, 3), ids[4]]])
})
