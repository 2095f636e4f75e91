import { networks } from "bitcoinjs-lib"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import { Secret } from "#lib/secret.ts"
import type { ChainPort } from "#ports/chain.ts"
import { deriveHtlc, type HtlcTerms } from "#sandbox/bitcoin/htlc.ts"
import {
  asVerified,
  btc,
  sampleOptions,
  sampleOrder,
  sampleQuery,
  sampleSecret,
  sampleSecretHash,
  serviceKey,
  wifOf,
  xOnlyOf,
} from "../../../chains/bitcoin/sample-order.ts"
import { signHtlcSpend } from "../../../chains/bitcoin/sign-htlc-spend.ts"
import { type FakeEsplora, startFakeEsplora } from "../../../chains/bitcoin/start-fake-esplora.ts"
import { createHastyClock } from "../../../support/hasty-clock.ts"

let fake: FakeEsplora
let chain: ChainPort
let deposit: VerifiedDeposit
let transaction: SignedTransaction

beforeEach(async () => {
  fake = await startFakeEsplora()
  chain = createBitcoinChain(sampleOptions([fake.url], { clock: createHastyClock(500) }))
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

const source: HtlcTerms = {
  refundKey: xOnlyOf(1),
  redeemKey: serviceKey,
  secretHash: sampleSecretHash,
  timelock: 144,
}
const destination: HtlcTerms = {
  refundKey: xOnlyOf(9),
  redeemKey: serviceKey,
  secretHash: sampleSecretHash,
  timelock: 12,
}

/** Spends the first output of a funding by a leaf of the HTLC, and gives the transaction id. */
function spend(
  txid: string,
  by: "redeem" | "refund",
  payTo: string,
  units: bigint,
  terms = destination,
): string {
  const coin = { txid, vout: 0, units: fake.ledger.entries.get(txid)?.tx.outs[0]?.value ?? 0n }
  const key = by === "redeem" ? 7 : 9
  const result = fake.ledger.submit(signHtlcSpend({ coin, terms, by, key, payTo, units }).toHex())
  if ("refused" in result) throw new Error(result.refused)
  return result.txid
}

describe("a signed transaction of ours", () => {
  it("goes from unseen to pending, mined and final, and back after a reorganisation", async () => {
    const { maxFeeUnits: feeUnits } = transaction.plan
    expect(await chain.observeTransaction(transaction)).toEqual({ status: "unseen" })
    await chain.broadcastTransaction(transaction)
    await chain.broadcastTransaction(transaction)
    expect(await chain.observeTransaction(transaction)).toEqual({ status: "pending" })
    fake.ledger.mine()
    const mined = { status: "mined", ok: true, height: 102n, feeUnits }
    expect(await chain.observeTransaction(transaction)).toEqual({
      ...mined,
      confirmations: 1,
      seen: false,
      final: false,
    })
    fake.ledger.mine()
    expect(await chain.observeTransaction(transaction)).toEqual({
      ...mined,
      confirmations: 2,
      seen: true,
      final: true,
    })
    fake.ledger.forget(2)
    expect(await chain.observeTransaction(transaction)).toEqual({ status: "unseen" })
  })

  it("is excluded once another transaction spends its input, and final at the configured depth", async () => {
    await chain.broadcastTransaction(transaction)
    const bump = await chain.planBump(transaction.plan)
    if (bump === null) throw new Error("no bump")
    const bumped = await chain.signTransaction(bump)
    await chain.broadcastTransaction(bumped)
    expect(await chain.observeTransaction(transaction)).toEqual({
      status: "excluded",
      by: bumped.txid,
      final: false,
    })
    fake.ledger.mine()
    expect(await chain.observeTransaction(transaction)).toEqual({
      status: "excluded",
      by: bumped.txid,
      final: false,
    })
    fake.ledger.mine()
    expect(await chain.observeTransaction(transaction)).toEqual({
      status: "excluded",
      by: bumped.txid,
      final: true,
    })
    expect(await chain.observeTransaction(bumped)).toMatchObject({ status: "mined", final: true })
    await expect(chain.broadcastTransaction(transaction)).rejects.toMatchObject({
      code: "bitcoin.broadcast_rejected",
      disposition: "uncertain",
    })
  })

  it.each([
    ["a block that is not in the server's own chain", 102, "ee".repeat(32)],
    ["a block above the server's newest", 150, "ee".repeat(32)],
  ])("is read again while the server shows it in %s", async (_case, height, hash) => {
    await chain.broadcastTransaction(transaction)
    fake.ledger.mine(3)
    const body = JSON.stringify({ confirmed: true, block_height: height, block_hash: hash })
    fake.faults.set(`/tx/${transaction.txid}/status`, { status: 200, body })
    await expect(chain.observeTransaction(transaction)).rejects.toMatchObject({
      code: "bitcoin.esplora_unsettled",
      disposition: "transient",
    })
  })

  it("is not reported as unseen when a node does not answer", async () => {
    fake.faults.set("/tx", { status: 500, body: "" })
    await expect(chain.observeTransaction(transaction)).rejects.toMatchObject({
      disposition: "transient",
    })
  })
})

describe("the source HTLC", () => {
  const query = () => sampleQuery({ htlc: deposit.htlc, owner: chain.account })

  it("shows nothing before the deposit is in a block", async () => {
    const nothing = { initiated: null, redeemed: null, refunded: null, refundableAt: null }
    expect(await chain.observeLeg(query())).toEqual({ height: 101n, agreed: true, ...nothing })
    await chain.broadcastTransaction(transaction)
    expect(await chain.observeLeg(query())).toEqual({ height: 101n, agreed: true, ...nothing })
  })

  it("shows the deposit, the height at which a refund is possible, and the refund", async () => {
    await chain.broadcastTransaction(transaction)
    fake.ledger.mine(2)
    const initiated = {
      txid: transaction.txid,
      height: 102n,
      confirmations: 2,
      final: true,
      units: 100_000n,
    }
    expect(await chain.observeLeg(query())).toMatchObject({
      initiated,
      refundableAt: 246n,
      refunded: null,
    })
    fake.ledger.mine(150)
    const refund = await chain.planTransaction(
      { action: "refund", asset: btc, deposit, swapId: "" },
      new Set(),
    )
    const signed = await chain.signTransaction(planned(refund))
    await chain.broadcastTransaction(signed)
    expect((await chain.observeLeg(query())).refunded).toBeNull()
    fake.ledger.mine()
    const leg = await chain.observeLeg(query())
    expect(leg.refunded).toMatchObject({
      txid: signed.txid,
      paidUnits: 100_000n - signed.plan.maxFeeUnits,
    })
    expect(leg.redeemed).toBeNull()
  })

  it("tells a redeem from a refund by the preimage", async () => {
    await chain.broadcastTransaction(transaction)
    fake.ledger.mine()
    const redeem = spend(transaction.txid, "redeem", solver, 99_000n, source)
    fake.ledger.mine()
    expect(await chain.observeLeg(query())).toMatchObject({
      redeemed: {
        txid: redeem,
        secret: sampleSecret,
        paidUnits: 0n,
        confirmations: 1,
        final: false,
      },
      refunded: null,
    })
  })
})

const solver = createBitcoinChain(
  sampleOptions(["http://127.0.0.1:1"], { key: new Secret(wifOf(9), "env:SOLVER") }),
).account

describe("the destination HTLC", () => {
  const htlc = deriveHtlc(destination, networks.regtest).address
  const query = (hints: Partial<ReturnType<typeof sampleQuery>["hints"]> = {}) => {
    const none = { initiateTx: null, redeemTx: null, refundTx: null }
    return sampleQuery({
      side: "destination",
      htlc,
      owner: chain.account,
      timelock: 12n,
      hints: { ...none, ...hints },
    })
  }

  it("reports the amount of the outputs on chain, not the reported amount", async () => {
    const txid = fake.ledger.fund(htlc, 99_999n)
    const { initiated } = await chain.observeLeg(query({ initiateTx: `${txid}:102` }))
    expect(initiated).toMatchObject({ txid, units: 99_999n })
  })

  it("finds the funding by the hint alone when the server lists nothing for the address", async () => {
    const txid = fake.ledger.fund(htlc, 100_000n)
    fake.faults.set(`/address/${htlc}`, { status: 200, body: "[]" })
    expect((await chain.observeLeg(query())).initiated).toBeNull()
    expect(
      (await chain.observeLeg(query({ initiateTx: `${"ee".repeat(32)}:7,${txid}:102` }))).initiated,
    ).toMatchObject({ txid })
    // Its name is known from now on.
    expect((await chain.observeLeg(query())).initiated).toMatchObject({ txid })
  })

  it("shows a redeem when a transaction with the preimage pays the owner", async () => {
    const funding = fake.ledger.fund(htlc, 100_000n)
    fake.ledger.fund(htlc, 150_000n)
    const redeem = spend(funding, "redeem", chain.account, 99_500n)
    fake.ledger.mine()
    expect(await chain.observeLeg(query())).toMatchObject({
      initiated: { txid: funding, units: 250_000n },
      redeemed: { txid: redeem, paidUnits: 99_500n, secret: sampleSecret },
    })
  })

  it(
    "asks no second time for a block that the list of the address names, and checks that it is " +
      "the server's own",
    async () => {
      const funding = fake.ledger.fund(htlc, 100_000n)
      const redeem = spend(funding, "redeem", chain.account, 99_500n)
      fake.ledger.mine()
      const seen = await chain.observeLeg(query())
      expect(seen).toMatchObject({ initiated: { txid: funding }, redeemed: { txid: redeem } })
      const atFunding = seen.initiated?.height
      const atRedeem = seen.redeemed?.height
      const asked = fake.requests.filter((path) => /status|block-height\/[1-9]/.test(path))
      expect(asked).toEqual([`GET /block-height/${atFunding}`, `GET /block-height/${atRedeem}`])
      // A list without the blocks' hashes, as some servers give it.
      const listed = [funding, redeem].map((txid, index) => ({
        txid,
        status: { confirmed: true, block_height: Number([atFunding, atRedeem][index]) },
      }))
      fake.faults.set(`/address/${htlc}`, { status: 200, body: JSON.stringify(listed) })
      expect(await chain.observeLeg(query())).toEqual(seen)
      expect(fake.requests).toContain(`GET /tx/${redeem}/status`)
      // A list from a machine with another block at that height.
      const stale = listed.map(({ txid, status }) => ({
        txid,
        status: { ...status, block_hash: "ab".repeat(32) },
      }))
      fake.faults.set(`/address/${htlc}`, { status: 200, body: JSON.stringify(stale) })
      await expect(chain.observeLeg(query())).rejects.toMatchObject({
        code: "bitcoin.esplora_unsettled",
      })
    },
  )

  it("asks nothing about transactions without a block, and reads each transaction and block once", async () => {
    const ask = async () => {
      const before = fake.requests.length
      const leg = await chain.observeLeg(query(hints))
      return { leg, asked: fake.requests.slice(before).map((path) => path.replace("GET /", "")) }
    }
    let hints: Parameters<typeof query>[0] = {}
    await ask() // The first question of all is the network's genesis.
    const funding = fake.ledger.fund(htlc, 100_000n, "pending")
    hints = { initiateTx: funding }
    const list = `address/${htlc}/txs`
    expect(await ask()).toMatchObject({
      leg: { initiated: null },
      asked: ["blocks/tip/height", list],
    })
    fake.ledger.mine()
    const redeem = spend(funding, "redeem", chain.account, 99_500n)
    hints = { initiateTx: funding, redeemTx: redeem }
    const funded = await ask()
    expect(funded.leg).toMatchObject({ initiated: { txid: funding }, redeemed: null })
    const place = `block-height/${funded.leg.initiated?.height}`
    // A height alone does not show whose it is.
    const head = ["blocks/tip/height", "block-height/0"]
    expect(funded.asked).toEqual([...head, list, `tx/${funding}/hex`, place])
    fake.ledger.mine()
    const paid = await ask()
    expect(paid.leg).toMatchObject({ redeemed: { txid: redeem, secret: sampleSecret } })
    const redeemPlace = `block-height/${paid.leg.redeemed?.height}`
    expect(paid.asked).toEqual([...head, list, place, `tx/${redeem}/hex`, redeemPlace])
  })

  it("a list of the newest blocks answers for the places in them, and for no other place", async () => {
    const blocks = (count: number): string => {
      const heights = Array.from({ length: count }, (_, at) => fake.ledger.tip() - at)
      const list = heights.map((height) => ({ id: fake.ledger.blockHash(height), height }))
      return JSON.stringify(list)
    }
    const ask = async (body: string) => {
      fake.faults.set("/blocks", { status: 200, body })
      const before = fake.requests.length
      const leg = await observe()
      const asked = fake.requests.slice(before).map((path) => path.replace("GET /", ""))
      return { leg, asked: asked.filter((path) => path.startsWith("block")) }
    }
    // One that has not met this server without the list.
    const other = createBitcoinChain(sampleOptions([fake.url], { clock: createHastyClock(500) }))
    const observe = () => other.observeLeg(query({ initiateTx: funding }))
    const funding = fake.ledger.fund(htlc, 100_000n)
    const height = fake.ledger.tip()
    fake.ledger.mine()
    const { leg, asked } = await ask(blocks(10))
    expect(leg.initiated).toMatchObject({ txid: funding, height: BigInt(height) })
    expect(asked).toEqual(["block-height/0", "blocks"])
    expect((await ask(blocks(10))).asked).toEqual(["blocks"])
    expect((await ask(blocks(1))).asked).toEqual(["blocks", `block-height/${height}`])
    // Another block there: the two answers contradict each other, so the server is asked again.
    const fork = blocks(2).replace(fake.ledger.blockHash(height), "cd".repeat(32))
    expect((await ask(fork)).asked).toEqual(["blocks", `block-height/${height}`])
  })

  it.each([
    ["no such path", { status: 404, body: "not found" }],
    ["a refusal", { status: 400, body: "Invalid block height" }],
    ["blocks with a gap", { status: 200, body: gap() }],
    ["an empty list", { status: 200, body: "[]" }],
  ])("a server without a list of the newest blocks tells its height: %s", async (_name, fault) => {
    fake.faults.set("/blocks/tip", { status: 200, body: "100" })
    fake.faults.set("/blocks", fault)
    const other = createBitcoinChain(sampleOptions([fake.url], { clock: createHastyClock(500) }))
    expect(await other.fetchHeight()).toBe(100n)
    const before = fake.requests.length
    expect(await other.fetchHeight()).toBe(100n)
    expect(fake.requests.slice(before)).toEqual(["GET /blocks/tip/height"])
  })

  it("asks for the spender where the list of the address names no inputs", async () => {
    const funding = fake.ledger.fund(htlc, 100_000n)
    const redeem = spend(funding, "redeem", chain.account, 99_500n)
    fake.ledger.mine()
    const seen = await chain.observeLeg(query())
    expect(fake.requests.some((path) => path.includes("outspend"))).toBe(false)
    const listed = [seen.initiated, seen.redeemed].map((part) => ({
      txid: part?.txid,
      status: { confirmed: true, block_height: Number(part?.height) },
    }))
    for (const vin of [undefined, "none", [{ txid: "no hash", vout: 0 }]]) {
      const body = JSON.stringify(listed.map((entry) => ({ ...entry, vin })))
      fake.faults.set(`/address/${htlc}`, { status: 200, body })
      expect((await chain.observeLeg(query())).redeemed).toMatchObject({ txid: redeem })
    }
    expect(fake.requests.filter((path) => path.includes("outspend"))).toHaveLength(3)
  })

  it("shows that a redeem paid the owner nothing when it paid a stranger", async () => {
    const redeem = spend(fake.ledger.fund(htlc, 100_000n), "redeem", solver, 99_500n)
    fake.ledger.mine()
    expect((await chain.observeLeg(query())).redeemed).toMatchObject({
      txid: redeem,
      paidUnits: 0n,
    })
  })

  it("accepts a reported redeem of an unknown HTLC only if it carries the preimage", async () => {
    const refunded = fake.ledger.fund(htlc, 300_000n)
    fake.ledger.mine(12)
    const plain = spend(refunded, "refund", chain.account, 299_000n)
    fake.ledger.mine()
    const blind = (redeemTx: string) => chain.observeLeg({ ...query({ redeemTx }), htlc: null })
    expect((await blind(plain)).redeemed).toBeNull()
    const real = spend(fake.ledger.fund(htlc, 100_000n), "redeem", chain.account, 99_000n)
    expect((await blind(real)).redeemed).toBeNull()
    fake.ledger.mine()
    expect((await blind(real)).redeemed).toMatchObject({ txid: real, paidUnits: 99_000n })
  })

  it("does not read a transaction with the preimage as a redeem while the HTLC itself is unspent", async () => {
    fake.ledger.fund(htlc, 100_000n)
    const other = deriveHtlc({ ...destination, timelock: 13 }, networks.regtest).address
    const elsewhere = { ...destination, timelock: 13 }
    const show = spend(
      fake.ledger.fund(other, 300_000n),
      "redeem",
      chain.account,
      100_000n,
      elsewhere,
    )
    fake.ledger.mine()
    expect((await chain.observeLeg(query({ redeemTx: show }))).redeemed).toBeNull()
    const ofSource = { ...query({ redeemTx: show }), side: "source", htlc: null } as const
    expect((await chain.observeLeg(ofSource)).redeemed).toBeNull()
  })

  it("sends no request for a text that is not an address of this network", async () => {
    const leg = await chain.observeLeg({ ...query(), htlc: "../tx" })
    expect(leg).toMatchObject({ initiated: null, redeemed: null, refunded: null })
    expect(fake.requests.filter((line) => line.includes(".."))).toEqual([])
  })

  it("shows the solver's refund", async () => {
    const funding = fake.ledger.fund(htlc, 100_000n)
    fake.ledger.mine(12)
    const refund = spend(funding, "refund", solver, 99_000n)
    fake.ledger.mine()
    expect(await chain.observeLeg(query())).toMatchObject({
      redeemed: null,
      refunded: { txid: refund, paidUnits: 0n },
    })
  })
})

function gap(): string {
  return JSON.stringify([120, 118].map((height) => ({ id: "ab".repeat(32), height })))
}
