import { afterEach, beforeEach, expect, test } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { systemClock } from "#lib/clock.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  asVerified,
  btc,
  sampleOptions,
  sampleOrder,
  sampleQuery,
} from "../../../chains/bitcoin/sample-order.ts"
import { type FakeEsplora, startFakeEsplora } from "../../../chains/bitcoin/start-fake-esplora.ts"

/* What an order asks for once, though its admission, its plan and its looks need it. */

const NONE: ReadonlySet<string> = new Set()
let fake: FakeEsplora
let chain: ChainPort
let deposit: VerifiedDeposit
let nowMs: number

beforeEach(async () => {
  nowMs = 1_000_000
  fake = await startFakeEsplora()
  const clock = { ...systemClock, now: () => nowMs }
  chain = createBitcoinChain(sampleOptions([fake.url], { clock, confirmations: 1 }))
  fake.ledger.fund(chain.account, 500_000n)
  const order = sampleOrder(chain.sourceExtras["delegate"] ?? "", 100_000n)
  const request = { family: "bitcoin", to: order.source.swapId, units: 100_000n } as const
  deposit = asVerified(chain.decodeDeposit(request, order, btc))
})
afterEach(() => fake.stop())

async function sign(): Promise<SignedTransaction> {
  const plan = await chain.planTransaction({ action: "initiate", asset: btc, deposit }, NONE)
  if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
  return chain.signTransaction(plan)
}

/** How often this path was asked for since the last count. */
function count(path: RegExp): number {
  const found = fake.requests.filter((request) => path.test(request)).length
  fake.requests.length = 0
  return found
}

const COINS = /\/utxo$/
const FEES = /\/fee-estimates$/
const BYTES = /\/hex$/

test("the coins of the admission serve the plan at the same block, for five seconds", async () => {
  await chain.fetchBalance(btc, NONE)
  await sign()
  nowMs += 4_999
  await sign()
  expect(count(COINS)).toBe(1)
  nowMs += 1
  await sign()
  expect(count(COINS)).toBe(1)
  nowMs -= 10_000
  await sign()
  expect(count(COINS)).toBe(1)
})

test("a balance is asked for each time", async () => {
  for (let turn = 0; turn < 2; turn++) await chain.fetchBalance(btc, NONE)
  expect(count(COINS)).toBe(2)
})

test("a block, and a transaction of ours, make a plan ask for the coins again", async () => {
  await chain.fetchBalance(btc, NONE)
  fake.ledger.mine()
  const transaction = await sign()
  expect(count(COINS)).toBe(2)
  await chain.broadcastTransaction(transaction)
  // All coins are spent now.
  await expect(sign()).rejects.toThrow("insufficient")
  expect(count(COINS)).toBe(1)
})

test("a list that a sending overtakes serves no plan", async () => {
  const transaction = await sign()
  const balance = chain.fetchBalance(btc, NONE)
  const sent = chain.broadcastTransaction(transaction)
  await Promise.all([balance, sent])
  count(COINS)
  await sign().catch(() => undefined)
  expect(count(COINS)).toBe(1)
})

test("an estimate of fees holds for five seconds", async () => {
  await chain.estimateFees(btc)
  nowMs += 4_999
  await sign()
  expect(count(FEES)).toBe(1)
  nowMs += 1
  fake.ledger.feeRates["2"] = 4
  const { depositUnits } = await chain.estimateFees(btc)
  expect([count(FEES), depositUnits % 8n]).toEqual([1, 0n])
})

test("our own bytes are not asked for, but whether the server has them", async () => {
  const transaction = await sign()
  await chain.broadcastTransaction(transaction)
  fake.ledger.mine(2)
  count(BYTES)
  const query = sampleQuery({ htlc: deposit.htlc, units: 100_000n })
  expect(await chain.observeLeg(query)).toMatchObject({ initiated: { txid: transaction.txid } })
  expect(count(BYTES)).toBe(0)
  fake.ledger.forget(2)
  expect(await chain.observeTransaction(transaction)).toMatchObject({ status: "unseen" })
  expect(count(BYTES)).toBe(1)
})
