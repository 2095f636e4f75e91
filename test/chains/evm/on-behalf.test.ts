import { generatePrivateKey } from "viem/accounts"
import { expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import type { TransactionRequest } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  approve,
  chain,
  inBlock,
  initiate,
  local,
  NOTHING_RESERVED,
  newOrder,
  options,
  perform,
  queryOf,
  UNITS,
  useLocalChain,
} from "./local-scene.ts"
import { wbtc } from "./sample-order.ts"

/*
 * The port of a watchtower on a real anvil: its key pays the fee, and the contract pays the
 * treasury.
 */

useLocalChain()

async function openTower(key = generatePrivateKey() as string): Promise<ChainPort> {
  const tower = createEvmChain({
    ...options,
    key: new Secret(key, "env:TOWER"),
    onBehalfOf: chain.account,
  })
  await local.setBalance(tower.account, 10n ** 18n)
  return tower
}

async function fundRefund(): Promise<{
  refund: TransactionRequest
  query: ReturnType<typeof queryOf>
}> {
  await approve()
  const { swap, deposit } = await newOrder(wbtc)
  await perform(initiate(deposit))
  const { refundableAt } = await chain.observeLeg(queryOf(swap))
  await local.advance(Number(mustExist(refundableAt, "refundableAt") - (await chain.fetchHeight())))
  return {
    refund: { action: "refund", asset: wbtc, deposit, swapId: swap.swapId },
    query: queryOf(swap),
  }
}

async function planned(port: ChainPort, intent: TransactionRequest, reserved = NOTHING_RESERVED) {
  const plan = await port.planTransaction(intent, reserved)
  if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
  return plan
}

test("refunds the treasury's deposit to the treasury", async () => {
  const { refund, query } = await fundRefund()
  const tower = await openTower()
  const before = (await chain.fetchBalance(wbtc, NOTHING_RESERVED)).units
  const transaction = await tower.signTransaction(await planned(tower, refund))
  await inBlock(() => tower.broadcastTransaction(transaction))
  expect((await chain.observeLeg(query)).refunded).toMatchObject({
    txid: transaction.txid,
    paidUnits: UNITS,
  })
  expect((await chain.fetchBalance(wbtc, NOTHING_RESERVED)).units - before).toBe(UNITS)
})

test("a tower for another account has no way to this deposit", async () => {
  const { refund } = await fundRefund()
  const other = createEvmChain({ ...options, onBehalfOf: (await openTower()).account })
  const answer = await other.planTransaction(refund, NOTHING_RESERVED)
  expect(answer).toMatchObject({ refused: [{ code: "evm.simulation_reverted" }] })
})

test(
  "after a restart the plan replaces the pending transaction of before, and another order's " +
    "takes the next nonce",
  async () => {
    const { refund } = await fundRefund()
    const key = generatePrivateKey()
    const tower = await openTower(key)
    const first = await planned(tower, refund)
    expect(first.resources).toEqual(["nonce:0"])
    await tower.broadcastTransaction(await tower.signTransaction(first))
    const restarted = await openTower(key)
    expect((await planned(restarted, refund)).resources).toEqual(["nonce:0"])
    expect((await planned(restarted, refund, new Set(["nonce:0"]))).resources).toEqual(["nonce:1"])
  },
)
