import { networks } from "bitcoinjs-lib"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import type { Payout } from "#domain/payout.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { deriveHtlc, type HtlcTerms } from "#sandbox/bitcoin/htlc.ts"
import {
  btc,
  sampleOptions,
  sampleQuery,
  sampleSecret,
  sampleSecretHash,
  xOnlyOf,
} from "../../../chains/bitcoin/sample-order.ts"
import { type FakeEsplora, startFakeEsplora } from "../../../chains/bitcoin/start-fake-esplora.ts"
import { createHastyClock } from "../../../support/hasty-clock.ts"

/* Strangers can pay the address of an HTLC, before and after the order's own payment. */

const UNITS = 100_000n
const none = { initiateTx: null, redeemTx: null, refundTx: null }
let fake: FakeEsplora
let chain: ChainPort
let terms: HtlcTerms
let address: string

beforeEach(async () => {
  fake = await startFakeEsplora()
  chain = open()
  terms = {
    refundKey: xOnlyOf(9),
    redeemKey: chain.sourceExtras["delegate"] ?? "",
    secretHash: sampleSecretHash,
    timelock: 144,
  }
  address = deriveHtlc(terms, networks.regtest).address
})
afterEach(() => fake.stop())

test("a list that is not whole is no absence, and names no spender", async () => {
  fake.ledger.fund(address, UNITS)
  fake.faults.set(`/address/${address}/txs`, { status: 200, body: pageOf(25) })
  await expect(chain.observeLeg(query())).rejects.toMatchObject({ code: "bitcoin.history_long" })
})

test(
  "an observed output is found again when the address is flooded, and redeemed when no list " +
    "has it",
  async () => {
    const txid = fake.ledger.fund(address, UNITS)
    fake.ledger.mine(3)
    expect(await chain.observeLeg(query())).toMatchObject({
      agreed: true,
      initiated: { txid, revealable: true },
    })
    fake.faults.set(`/address/${address}/txs`, { status: 200, body: pageOf(25) })
    fake.faults.set(`/address/${address}/utxo`, {
      status: 400,
      body: "Too many unspent transaction outputs (>500)",
    })
    expect(await chain.observeLeg(query())).toMatchObject({
      agreed: true,
      initiated: { txid, revealable: true },
    })
    expect(await redemption()).toMatchObject({ resources: [`${txid}:0`] })
  },
)

test("an output that was never observed is redeemed by the history when its coins are not listed", async () => {
  for (let at = 0; at < 30; at++) fake.ledger.fund(address, 330n)
  const txid = fake.ledger.fund(address, UNITS)
  fake.faults.set(`/address/${address}/utxo`, {
    status: 400,
    body: "Too many unspent transaction outputs (>500)",
  })
  expect(await redemption()).toMatchObject({ resources: [`${txid}:0`] })
})

test("a payout that is funded twice is one output, for observation and for redemption", async () => {
  const first = fake.ledger.fund(address, UNITS)
  fake.ledger.fund(address, UNITS)
  fake.ledger.mine(3)
  expect((await chain.observeLeg(query())).initiated).toMatchObject({ txid: first, units: UNITS })
  const plan = await redemption()
  expect(plan).toMatchObject({ resources: [`${first}:0`] })
  if ("refused" in plan) throw new Error("refused")
  const signed = await chain.signTransaction(plan)
  await chain.broadcastTransaction(signed)
  fake.ledger.mine(3)
  expect(await chain.observeLeg(query())).toMatchObject({
    initiated: { txid: first },
    redeemed: { txid: signed.txid, secret: sampleSecret },
    refunded: null,
  })
  // A daemon that starts now sees the same.
  expect((await open().observeLeg(query())).redeemed).toMatchObject({ txid: signed.txid })
})

test("an output whose spender waits for a block is still redeemed, by a daemon that does not know it", async () => {
  const txid = fake.ledger.fund(address, UNITS)
  fake.ledger.mine(3)
  const plan = await redemption()
  if ("refused" in plan) throw new Error("refused")
  await chain.broadcastTransaction(await chain.signTransaction(plan))
  chain = open()
  expect(await redemption()).toMatchObject({ resources: [`${txid}:0`] })
  await chain.observeLeg(query())
  expect(await redemption()).toMatchObject({ resources: [`${txid}:0`] })
  fake.ledger.mine(1)
  expect(await redemption()).toMatchObject({ refused: [{ code: "bitcoin.redeem_nothing" }] })
})

test("hints that cannot be read cost nothing", async () => {
  const txid = fake.ledger.fund(address, UNITS)
  const hint = "ee".repeat(32)
  fake.faults.set(`/tx/${hint}`, { status: 200, body: "<html>" })
  const hints = { ...none, initiateTx: `${hint}:7` }
  expect(await chain.observeLeg({ ...query(), hints })).toMatchObject({ initiated: { txid } })
})

test.each([
  "Too many unspent transaction outputs (>500). Contact support to raise limits.",
  "Too many history entries",
  "Too many history transactions (>500)",
  '{"error":"too many utxos"}',
  "history too large",
  "TooPopular: address is too popular",
])("the wallet's coins come from its history when a server says %j", async (body) => {
  for (let at = 0; at < 30; at++) fake.ledger.fund(chain.account, 1_000n)
  fake.ledger.mine(3)
  const none = new Set<string>()
  const whole = await chain.fetchBalance(btc, none)
  expect(whole).toMatchObject({ units: 30_000n })
  fake.faults.set(`/address/${chain.account}/utxo`, { status: 400, body })
  expect(await chain.fetchBalance(btc, none)).toEqual(whole)
})

test("a wallet of more coins than its history shows is named, and never counts as empty", async () => {
  const utxo = `/address/${chain.account}/utxo`
  fake.faults.set(utxo, { status: 400, body: "Too many history entries" })
  fake.faults.set(`/address/${chain.account}/txs`, { status: 200, body: pageOf(25) })
  await expect(chain.fetchBalance(btc, new Set())).rejects.toMatchObject({
    code: "bitcoin.history_long",
    message: expect.stringContaining("too many"),
  })
  fake.faults.set(utxo, { status: 400, body: "Invalid Bitcoin address" })
  await expect(chain.fetchBalance(btc, new Set())).rejects.toMatchObject({
    code: "bitcoin.esplora_answer",
  })
})

function open(): ChainPort {
  return createBitcoinChain(
    sampleOptions([fake.url], { timeoutMs: 10_000, clock: createHastyClock(10_000) }),
  )
}

function query(): LegQuery {
  // CAST: the sample's legs differ only in their words.
  const base = sampleQuery({ side: "destination", htlc: address, units: UNITS } as never)
  return { ...base, timelock: 144n, secretHash: sampleSecretHash, hints: none, isExact: true }
}

function redemption() {
  const payout: Payout = {
    asset: btc,
    htlc: address,
    swapId: address,
    secretHash: sampleSecretHash,
    units: UNITS,
    owner: chain.account,
    initiator: terms.refundKey,
    redeemer: terms.redeemKey,
    delegate: terms.redeemKey,
    timelock: 144n,
  }
  const intent = { action: "redeem", asset: btc, payout, secret: sampleSecret } as const
  return chain.planTransaction(intent, new Set())
}

/** A page of strangers' payments. */
function pageOf(count: number): string {
  const blockHash = "cd".repeat(32)
  const status = { confirmed: true, block_height: 101, block_hash: blockHash }
  const entries = Array.from({ length: count }, (_, at) => ({
    txid: at.toString(16).padStart(64, "0"),
    status,
    vin: [],
    vout: [{ scriptpubkey_address: address, value: 330 }],
  }))
  return JSON.stringify(entries)
}
