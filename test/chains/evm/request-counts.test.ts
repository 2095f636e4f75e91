import { afterEach, beforeEach, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { mustExist } from "#lib/assert.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  initiate,
  local,
  NOTHING_RESERVED,
  newOrder,
  options,
  perform,
  plan,
  queryOf,
  useChain,
  useLocalChain,
} from "./local-scene.ts"
import { eth } from "./sample-order.ts"
import { type NodeProxy, startProxy } from "./start-proxy.ts"

/*
 * The requests of HTTP that one step of an order takes. A batch of calls is one of them. A number
 * here is a bound: a step that asks once more, or the same question twice, must say why.
 */

useLocalChain()

let node: NodeProxy
let counted: ChainPort
beforeEach(async () => {
  node = await startProxy(local.url, () => null)
  counted = createEvmChain({ ...options, rpc: [node.url] })
  useChain(counted)
  // The first question of all is the chain's id.
  await counted.fetchHeight()
})
afterEach(() => node.stop())

async function countOf(act: () => Promise<unknown>): Promise<number> {
  const before = node.requests()
  await act()
  return node.requests() - before
}

test("planning a deposit is one request, and binding it two", async () => {
  const { deposit } = await newOrder(eth)
  const bound = { isBoundLater: true }
  expect(
    await countOf(() => counted.planTransaction(initiate(deposit), NOTHING_RESERVED, bound)),
  ).toBe(1)
  const planned = await counted.planTransaction(initiate(deposit), NOTHING_RESERVED, bound)
  if ("refused" in planned) throw new Error("refused")
  expect(
    await countOf(() => mustExist(counted.nonces?.bindPlan, "bindPlan")(planned, NOTHING_RESERVED)),
  ).toBe(2)
})

test("an observation of a deposit is one request while it waits, and two when it is mined", async () => {
  const { deposit } = await newOrder(eth)
  const transaction = await counted.signTransaction(await plan(initiate(deposit)))
  await counted.broadcastTransaction(transaction)
  const observe = () => counted.observeTransaction(transaction)
  expect(
    await countOf(async () => expect(await observe()).toMatchObject({ status: "pending" })),
  ).toBe(1)
  await local.advance(1)
  expect(
    await countOf(async () => expect(await observe()).toMatchObject({ status: "mined" })),
  ).toBe(2)
  // Its block is known by now, and no longer the newest one.
  await local.advance(1)
  expect(
    await countOf(async () => expect(await observe()).toMatchObject({ status: "mined" })),
  ).toBe(2)
})

test("each observation of a leg is two requests, once its transactions have been seen", async () => {
  const { swap, deposit, secret } = await newOrder(eth)
  const { txid } = await perform(initiate(deposit))
  const hints = { initiateTx: txid, redeemTx: null, refundTx: null }
  const observe = async (query: Partial<LegQuery>) =>
    counted.observeLeg(queryOf(swap, { asset: eth, ...query }))
  expect((await observe({ hints })).initiated).toMatchObject({ txid })
  await local.advance(2)
  expect(await countOf(() => observe({ hints }))).toBe(2)
  await local.redeem(swap, secret)
  await local.advance(1)
  const { redeemed } = await observe({ hints })
  const all = { ...hints, redeemTx: redeemed?.txid ?? "" }
  // A receipt that the service names is read alone the first time, because its size is unknown.
  expect(await countOf(() => observe({ hints: all }))).toBe(3)
  expect(await countOf(() => observe({ hints: all }))).toBe(2)
  await local.advance(1)
  expect(
    await countOf(async () => expect((await observe({ hints: all })).redeemed).not.toBeNull()),
  ).toBe(2)
})

test("the first look at two transactions that the service names is three requests", async () => {
  const { swap, deposit, secret } = await newOrder(eth)
  const { txid: initiateTx } = await perform(initiate(deposit))
  await local.redeem(swap, secret)
  await local.advance(2)
  const other = await createEvmChain(options).observeLeg(queryOf(swap, { asset: eth }))
  const hints = { initiateTx, redeemTx: other.redeemed?.txid ?? "", refundTx: null }
  // A port that has not seen the deposit before.
  counted = createEvmChain({ ...options, rpc: [node.url] })
  await counted.fetchHeight()
  const observe = async () =>
    expect(await counted.observeLeg(queryOf(swap, { asset: eth, hints }))).toEqual(other)
  expect(await countOf(observe)).toBe(3)
  expect(await countOf(observe)).toBe(2)
})

test("a look asks one contract by one formula, once an agreed look has shown them", async () => {
  const { swap, deposit } = await newOrder(eth)
  const callsOf = async (query: LegQuery): Promise<number> => {
    const before = calls()
    await counted.observeLeg(query)
    return calls() - before
  }
  const calls = (): number => node.asked.filter(({ method }) => method === "eth_call").length
  const query = queryOf(swap, { asset: eth })
  expect(await callsOf(query)).toBe(3)
  await perform(initiate(deposit))
  await local.advance(2)
  expect(await callsOf(query)).toBe(3)
  expect(await callsOf(query)).toBe(1)
  // Another order of the same contract, which is not there.
  const other = { ...query, secretHash: "ab".repeat(32) }
  expect(await callsOf(other)).toBe(1)
  expect(await counted.observeLeg(other)).toMatchObject({ agreed: true, initiated: null })
})

test("reading a balance is two requests", async () => {
  expect(await countOf(() => counted.fetchBalance(eth, NOTHING_RESERVED))).toBe(2)
})

test("a plan that is bound later holds no nonce of the account until then", async () => {
  const { deposit } = await newOrder(eth)
  // The account has sent transactions before.
  const now = await plan(initiate(deposit))
  expect(now.resources).not.toEqual(["nonce:0"])
  const counts = node.asked.filter(({ method }) => method === "eth_getTransactionCount").length
  const planned = await counted.planTransaction(initiate(deposit), NOTHING_RESERVED, {
    isBoundLater: true,
  })
  if ("refused" in planned) throw new Error("refused")
  expect(node.asked.filter(({ method }) => method === "eth_getTransactionCount")).toHaveLength(
    counts,
  )
  expect(planned.resources).toEqual(["nonce:0"])
  const bound = await mustExist(counted.nonces?.bindPlan, "bindPlan")(planned, NOTHING_RESERVED)
  expect(bound.resources).toEqual(now.resources)
  expect((await counted.signTransaction(bound)).plan).toEqual(bound)
})
