import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction, TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { LocalBitcoinChain } from "#sandbox/bitcoin/bitcoin-chain.ts"
import type { LocalSwap } from "#sandbox/local-chain.ts"
import { openBitcoin } from "../local-chains.ts"
import { asVerified, btc, sampleOptions, sampleOrder, sampleQuery } from "./sample-order.ts"

let local: LocalBitcoinChain
let chain: ChainPort
let serial = 0

// The first start on a machine may download bitcoind.
beforeAll(async () => {
  local = await openBitcoin()
}, 120_000)
afterAll(() => local?.stop())

function freshSecret(): { secret: string; secretHash: string } {
  const secret = createHash("sha256").update(`family test ${serial++}`).digest("hex")
  return {
    secret,
    secretHash: createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex"),
  }
}

async function openDeposit(
  units: bigint,
  timelock: number,
): Promise<{ swap: LocalSwap; deposit: VerifiedDeposit; secret: string }> {
  const { secret, secretHash } = freshSecret()
  const delegate = chain.sourceExtras["delegate"] ?? ""
  const request = { assetId: btc, units, owner: chain.account, secretHash, timelock, delegate }
  const { swap, response } = await local.describeSource(request)
  const order = sampleOrder(delegate, units, {
    ...swap,
    delegate,
    asset: btc,
    units,
    timelock: BigInt(timelock),
    instantRefundTx: null,
  })
  const decoded = chain.decodeDeposit(
    { family: "bitcoin", to: String(response["to"]), units },
    order,
    btc,
  )
  expect(decoded).toMatchObject({
    findings: [],
    htlcKind: "derivable-address",
    isRefundableByUs: true,
  })
  return { swap, deposit: asVerified(decoded), secret }
}

async function plan(request: TransactionRequest): Promise<TransactionPlan> {
  const planned = await chain.planTransaction(request, new Set())
  if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
  return planned
}

async function send(transaction: TransactionPlan): Promise<SignedTransaction> {
  const signed = await chain.signTransaction(transaction)
  await chain.broadcastTransaction(signed)
  await chain.broadcastTransaction(signed)
  expect(await chain.observeTransaction(signed)).toEqual({ status: "pending" })
  return signed
}

describe.each(["p2wpkh", "p2tr"] as const)("on a real node, from %s", (addressType) => {
  beforeAll(async () => {
    chain = createBitcoinChain(sampleOptions([local.url], { addressType, timeoutMs: 5_000 }))
    await local.fund(chain.account, btc, 2_000_000n)
    await local.fund(chain.account, btc, 3_000_000n)
  })

  it("deposits, bumps, and refunds by the refund leaf after the timelock", async () => {
    const { swap, deposit } = await openDeposit(4_500_000n, 5)
    const first = await send(await plan({ action: "initiate", asset: btc, deposit }))
    const bump = await chain.planBump(first.plan)
    if (bump === null) throw new Error("no bump")
    const second = await send(bump)
    expect(await chain.observeTransaction(first)).toEqual({
      status: "excluded",
      by: second.txid,
      final: false,
    })
    await local.advance(2)
    expect(await chain.observeTransaction(second)).toMatchObject({
      status: "mined",
      confirmations: 2,
      final: true,
    })
    expect((await local.observeSwap(swap)).initiated).toMatchObject({ filledUnits: 4_500_000n })

    const refund = { action: "refund", asset: btc, deposit, swapId: swap.swapId } as const
    await local.advance(2)
    expect(await chain.planTransaction(refund, new Set())).toMatchObject({
      refused: [{ code: "bitcoin.refund_too_early" }],
    })
    // The next block is the first that may include the refund, so the node accepts it now.
    await local.advance(1)
    const replaced = await send(await plan(refund))
    const dearer = await chain.planBump(replaced.plan)
    if (dearer === null) throw new Error("no bump")
    const refunding = await send(dearer)
    // It pays to our wallet alone, and yet it does something.
    const excluded = { status: "excluded", by: refunding.txid, final: false }
    expect(await chain.observeTransaction(replaced)).toEqual(excluded)
    await local.advance(1)
    const query = sampleQuery({
      htlc: swap.swapId,
      owner: chain.account,
      units: 4_500_000n,
      secretHash: swap.secretHash,
      timelock: 5n,
    })
    expect(await chain.observeLeg(query)).toMatchObject({
      initiated: { txid: second.txid, units: 4_500_000n },
      refunded: { txid: refunding.txid, paidUnits: 4_500_000n - refunding.plan.maxFeeUnits },
      redeemed: null,
    })
  })

  it("voids a deposit that is in the mempool", async () => {
    const { deposit } = await openDeposit(1_000_000n, 144)
    const paying = await send(await plan({ action: "initiate", asset: btc, deposit }))
    const voiding = await send(await plan({ action: "void", voids: paying.plan }))
    await local.advance(2)
    const excluded = { status: "excluded", by: voiding.txid, final: true, isVoid: true }
    expect(await chain.observeTransaction(paying)).toEqual(excluded)
    // So another machine of the treasury knows what it is, by its bytes alone.
    const feeUnits = voiding.plan.maxFeeUnits
    expect(await chain.uses?.readUse(voiding.txid)).toEqual({
      txid: voiding.txid,
      action: "void",
      feeUnits,
    })
    expect(await chain.uses?.readUse(paying.txid)).toBeNull()
    await expect(chain.broadcastTransaction(paying)).rejects.toMatchObject({
      code: "bitcoin.broadcast_rejected",
    })
  })

  it("observes the redeem of its deposit and its own payout on the destination side", async () => {
    const { swap, deposit, secret } = await openDeposit(500_000n, 144)
    await send(await plan({ action: "initiate", asset: btc, deposit }))
    const request = {
      assetId: btc,
      units: 400_000n,
      owner: chain.account,
      secretHash: swap.secretHash,
      timelock: 12,
    }
    const destination = await local.describeDestination(request)
    await local.initiate(destination)
    await local.advance(1)
    const query = {
      side: "destination",
      htlc: destination.swapId,
      owner: chain.account,
      units: 400_000n,
      timelock: 12n,
    } as const
    const leg = sampleQuery({ ...query, secretHash: swap.secretHash })
    expect(await chain.observeLeg(leg)).toMatchObject({
      initiated: { units: 400_000n },
      redeemed: null,
    })
    const redeemTx = await local.redeem(destination, secret)
    await local.redeem(swap, secret)
    await local.advance(1)
    const redeemed = { txid: redeemTx, paidUnits: 400_000n, secret }
    expect(await chain.observeLeg(leg)).toMatchObject({ redeemed, refunded: null })
    const hints = { initiateTx: null, redeemTx, refundTx: null }
    expect((await chain.observeLeg({ ...leg, htlc: null, hints })).redeemed).toMatchObject(redeemed)
    const source = sampleQuery({
      htlc: swap.swapId,
      owner: chain.account,
      units: 500_000n,
      secretHash: swap.secretHash,
    })
    expect(await chain.observeLeg(source)).toMatchObject({
      redeemed: { secret, paidUnits: 0n },
      refunded: null,
    })
  })

  it("observes its deposit back in the mempool after a reorganisation", async () => {
    const { deposit } = await openDeposit(300_000n, 144)
    const transaction = await send(await plan({ action: "initiate", asset: btc, deposit }))
    await local.advance(2)
    expect(await chain.observeTransaction(transaction)).toMatchObject({
      status: "mined",
      final: true,
    })
    await local.reorg(2)
    expect(await chain.observeTransaction(transaction)).toEqual({ status: "pending" })
    await local.advance(1)
    expect(await chain.observeTransaction(transaction)).toMatchObject({
      status: "mined",
      confirmations: 1,
      final: false,
    })
  })
})
