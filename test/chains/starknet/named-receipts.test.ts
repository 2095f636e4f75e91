import { afterAll, beforeAll, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import { initiateOf, legOf, openStarknetScene, type StarknetScene } from "./starknet-scene.ts"
import type { Change, Meddling } from "./start-node-proxy.ts"

/* The receipt of a redemption that the service names is asked for beside the search for it. */

let scene: StarknetScene
let query: LegQuery
let truth: LegObservation
let named: string
let other: string

beforeAll(async () => {
  scene = await openStarknetScene({ confirmations: 1 })
  const placed = await scene.place(31n)
  other = (await scene.land(await scene.plan(initiateOf(placed)))).txid
  await scene.local.redeem(placed.swap, placed.secret)
  scene.mine(2)
  query = legOf(placed, scene.chain.account)
  truth = await scene.chain.observeLeg(query)
  named = mustExist(truth.redeemed, "the redemption").txid
})
afterAll(() => scene.stop())

const RECEIPT = "starknet_getTransactionReceipt"

/** The receipts and searches of one look, in the order in which they were asked for. */
async function observe(
  redeemTx: string,
  meddle: Meddling = () => null,
): Promise<readonly string[]> {
  const node = await scene.openProxy([scene.local.url], meddle)
  const hints = { initiateTx: null, redeemTx, refundTx: null }
  expect(await scene.portAt([node.url]).observeLeg({ ...query, hints })).toEqual(truth)
  return node.asked
    .map(({ method }) => method)
    .filter((method) => method === RECEIPT || method === "starknet_getEvents")
}

test("it is asked for once, and before the search has answered", async () => {
  expect(await observe(named)).toEqual([RECEIPT, "starknet_getEvents"])
  expect(await observe(`${named}, 0x1`)).toEqual([RECEIPT, "starknet_getEvents"])
})

test("the search decides which receipt counts", async () => {
  for (const wrong of [other, "0x1"])
    expect(await observe(wrong)).toEqual([RECEIPT, "starknet_getEvents", RECEIPT])
})

test("one of another block, or that fails, is asked for again", async () => {
  const elsewhere: Change = (answer) => ({
    ...answer,
    // CAST: the node's own receipt.
    result: { ...(answer.result as object), block_hash: "0xbad", events: [] },
  })
  const failing = { error: { code: 29, message: "Transaction hash not found" } }
  for (const first of [elsewhere, failing]) {
    let asked = 0
    const meddle: Meddling = ({ method }) => (method === RECEIPT && asked++ === 0 ? first : null)
    expect(await observe(named, meddle)).toEqual([RECEIPT, "starknet_getEvents", RECEIPT])
  }
})
