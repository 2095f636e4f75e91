import { address, Transaction } from "bitcoinjs-lib"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { networkOf } from "#chains/bitcoin/address.ts"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import type { ChainPort } from "#chains/port.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import { Secret } from "#lib/secret.ts"
import { asVerified, btc, sampleOptions, sampleOrder, sampleQuery, sampleSecret, wifOf } from "./sample-order.ts"
import { type FakeEsplora, startFakeEsplora } from "./start-fake-esplora.ts"

let fake: FakeEsplora
let chain: ChainPort
let deposit: VerifiedDeposit
let transaction: SignedTransaction

beforeEach(async () => {
  fake = await startFakeEsplora()
  chain = createBitcoinChain(sampleOptions([fake.url]))
  fake.ledger.fund(chain.account, 500_000n)
  const order = sampleOrder(chain.sourceExtras["delegate"] ?? "", 100_000n)
  const request = { family: "bitcoin", to: order.source.swapId, units: 100_000n } as const
  deposit = asVerified(chain.decodeDeposit(request, order, btc))
  transaction = await chain.signTransaction(
    planned(await chain.planTransaction({ action: "initiate", asset: btc, deposit }, new Set())),
  )
})
afterEach(() => fake.stop())

function planned(plan: Awaited<ReturnType<ChainPort["planTransaction"]>>): TransactionPlan {
  if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
  return plan
}

/** Spends an output with any witness; the fake ledger does not run scripts. */
function spend(txid: string, vout: number, witness: readonly string[], payTo: string, units: bigint): string {
  const tx = new Transaction()
  tx.version = 2
  tx.addInput(Uint8Array.from(Buffer.from(txid, "hex").reverse()), vout, 0xffffffff)
  tx.addOutput(address.toOutputScript(payTo, networkOf("regtest")), units)
  tx.setWitness(
    0,
    witness.map((hex) => Uint8Array.from(Buffer.from(hex, "hex"))),
  )
  const result = fake.ledger.submit(tx.toHex())
  if ("refused" in result) throw new Error(result.refused)
  return result.txid
}

const redeemWitness = ["aa".repeat(64), sampleSecret, "bb".repeat(40), "cc".repeat(65)]
const refundWitness = ["aa".repeat(64), "bb".repeat(40), "cc".repeat(97)]

describe("a signed transaction of ours", () => {
  it("goes from unseen to pending, mined and final, and back after a reorganisation", async () => {
    const { maxFeeUnits: feeUnits } = transaction.plan
    expect(await chain.observeTransaction(transaction)).toEqual({ status: "unseen" })
    await chain.broadcastTransaction(transaction)
    await chain.broadcastTransaction(transaction)
    expect(await chain.observeTransaction(transaction)).toEqual({ status: "pending" })
    fake.ledger.mine()
    const mined = { status: "mined", ok: true, height: 102n, feeUnits }
    expect(await chain.observeTransaction(transaction)).toEqual({ ...mined, confirmations: 1, final: false })
    fake.ledger.mine()
    expect(await chain.observeTransaction(transaction)).toEqual({ ...mined, confirmations: 2, final: true })
    fake.ledger.forget(2)
    expect(await chain.observeTransaction(transaction)).toEqual({ status: "unseen" })
  })

  it("is excluded once another transaction spends its input, and final at the configured depth", async () => {
    await chain.broadcastTransaction(transaction)
    const bump = await chain.planBump(transaction.plan)
    if (bump === null) throw new Error("no bump")
    const bumped = await chain.signTransaction(bump)
    await chain.broadcastTransaction(bumped)
    expect(await chain.observeTransaction(transaction)).toEqual({ status: "excluded", by: bumped.txid, final: false })
    fake.ledger.mine()
    expect(await chain.observeTransaction(transaction)).toEqual({ status: "excluded", by: bumped.txid, final: false })
    fake.ledger.mine()
    expect(await chain.observeTransaction(transaction)).toEqual({ status: "excluded", by: bumped.txid, final: true })
    expect(await chain.observeTransaction(bumped)).toMatchObject({ status: "mined", final: true })
    await expect(chain.broadcastTransaction(transaction)).rejects.toMatchObject({
      code: "bitcoin.broadcast_rejected",
      disposition: "uncertain",
    })
  })

  it("is not reported as unseen when a node does not answer", async () => {
    fake.faults.set("/tx", { status: 500, body: "" })
    await expect(chain.observeTransaction(transaction)).rejects.toMatchObject({ disposition: "transient" })
  })
})

describe("the source HTLC", () => {
  const query = () => sampleQuery({ htlc: deposit.htlc, owner: chain.account })

  it("shows nothing before the deposit is in a block", async () => {
    const nothing = { initiated: null, redeemed: null, refunded: null, refundableAt: null }
    expect(await chain.observeLeg(query())).toEqual({ height: 101n, ...nothing })
    await chain.broadcastTransaction(transaction)
    expect(await chain.observeLeg(query())).toEqual({ height: 101n, ...nothing })
  })

  it("shows the deposit, the height at which a refund is possible, and the refund", async () => {
    await chain.broadcastTransaction(transaction)
    fake.ledger.mine(2)
    const initiated = { txid: transaction.txid, height: 102n, confirmations: 2, final: true, units: 100_000n }
    expect(await chain.observeLeg(query())).toMatchObject({ initiated, refundableAt: 246n, refunded: null })
    fake.ledger.mine(150)
    const refund = await chain.planTransaction({ action: "refund", asset: btc, deposit, swapId: "" }, new Set())
    const signed = await chain.signTransaction(planned(refund))
    await chain.broadcastTransaction(signed)
    expect((await chain.observeLeg(query())).refunded).toBeNull()
    fake.ledger.mine()
    const leg = await chain.observeLeg(query())
    expect(leg.refunded).toMatchObject({ txid: signed.txid, paidUnits: 100_000n - signed.plan.maxFeeUnits })
    expect(leg.redeemed).toBeNull()
  })

  it("tells a redeem from a refund by the preimage", async () => {
    await chain.broadcastTransaction(transaction)
    fake.ledger.mine()
    const redeem = spend(transaction.txid, 0, redeemWitness, solver, 99_000n)
    fake.ledger.mine()
    expect(await chain.observeLeg(query())).toMatchObject({
      redeemed: { txid: redeem, secret: sampleSecret, paidUnits: 0n, confirmations: 1, final: false },
      refunded: null,
    })
  })
})

const solver = createBitcoinChain(sampleOptions([""], { key: new Secret(wifOf(9), "env:SOLVER") })).account

describe("the destination HTLC", () => {
  const htlc = "bcrt1permyyh9r82z95m0m6zmq6s34axqa7zzt2wy4ka8n9zg2rj4ggmxsuu4xua"
  const query = (hints: Partial<ReturnType<typeof sampleQuery>["hints"]> = {}) => {
    const none = { initiateTx: null, redeemTx: null, refundTx: null }
    return sampleQuery({ side: "destination", htlc, owner: chain.account, timelock: 12n, hints: { ...none, ...hints } })
  }

  it("reports the amount of the outputs on chain, not the reported amount", async () => {
    const txid = fake.ledger.fund(htlc, 99_999n)
    const { initiated } = await chain.observeLeg(query({ initiateTx: `${txid}:102` }))
    expect(initiated).toMatchObject({ txid, units: 99_999n })
  })

  it("finds the funding by the hint alone when the server lists nothing for the address", async () => {
    const txid = fake.ledger.fund(htlc, 100_000n)
    fake.faults.set(`/address/${htlc}`, { status: 200, body: "[]" })
    expect((await chain.observeLeg(query({ initiateTx: `${"ee".repeat(32)}:7,${txid}:102` }))).initiated).toMatchObject(
      { txid },
    )
    expect((await chain.observeLeg(query())).initiated).toBeNull()
  })

  it("shows a redeem when a transaction with the preimage pays the owner", async () => {
    const funding = fake.ledger.fund(htlc, 100_000n)
    fake.ledger.fund(htlc, 150_000n)
    const redeem = spend(funding, 0, redeemWitness, chain.account, 99_500n)
    fake.ledger.mine()
    expect(await chain.observeLeg(query())).toMatchObject({
      initiated: { txid: funding, units: 250_000n },
      redeemed: { txid: redeem, paidUnits: 99_500n, secret: sampleSecret },
    })
  })

  it("shows that a redeem paid the owner nothing when it paid a stranger", async () => {
    const redeem = spend(fake.ledger.fund(htlc, 100_000n), 0, redeemWitness, solver, 99_500n)
    fake.ledger.mine()
    expect((await chain.observeLeg(query())).redeemed).toMatchObject({ txid: redeem, paidUnits: 0n })
  })

  it("accepts a reported redeem of an unknown HTLC only if it carries the preimage", async () => {
    const coin = fake.ledger.fund(solver, 300_000n)
    const plain = spend(coin, 0, refundWitness, chain.account, 299_000n)
    fake.ledger.mine()
    const blind = (redeemTx: string) => chain.observeLeg({ ...query({ redeemTx }), htlc: null })
    expect((await blind(plain)).redeemed).toBeNull()
    const real = spend(fake.ledger.fund(htlc, 100_000n), 0, redeemWitness, chain.account, 99_000n)
    expect((await blind(real)).redeemed).toBeNull()
    fake.ledger.mine()
    expect((await blind(real)).redeemed).toMatchObject({ txid: real, paidUnits: 99_000n })
  })

  it("does not read a transaction with the preimage as a redeem while the HTLC itself is unspent", async () => {
    fake.ledger.fund(htlc, 100_000n)
    const show = spend(fake.ledger.fund(solver, 300_000n), 0, redeemWitness, chain.account, 100_000n)
    fake.ledger.mine()
    expect((await chain.observeLeg(query({ redeemTx: show }))).redeemed).toBeNull()
    const source = { ...query({ redeemTx: show }), side: "source", htlc: null } as const
    expect((await chain.observeLeg(source)).redeemed).toBeNull()
  })

  it("sends no request for a text that is not an address of this network", async () => {
    const leg = await chain.observeLeg({ ...query(), htlc: "../tx" })
    expect(leg).toMatchObject({ initiated: null, redeemed: null, refunded: null })
    expect(fake.requests.filter((line) => line.includes(".."))).toEqual([])
  })

  it("shows the solver's refund", async () => {
    const refund = spend(fake.ledger.fund(htlc, 100_000n), 0, refundWitness, solver, 99_000n)
    fake.ledger.mine()
    expect(await chain.observeLeg(query())).toMatchObject({ redeemed: null, refunded: { txid: refund, paidUnits: 0n } })
  })
})
