import { networks, type Transaction } from "bitcoinjs-lib"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import {
  LEAST_PAYOUT_RATE,
  offerAfterLock,
  PAYOUT_RATE_FACTOR,
  REDEEM_VSIZE,
} from "#chains/bitcoin/fees.ts"
import type { ChainPort } from "#ports/chain.ts"
import { deriveHtlc } from "#sandbox/bitcoin/htlc.ts"
import {
  btc,
  sampleOptions,
  sampleSecretHash,
  serviceKey,
  xOnlyOf,
} from "../../../chains/bitcoin/sample-order.ts"
import { signHtlcSpend } from "../../../chains/bitcoin/sign-htlc-spend.ts"
import { type FakeEsplora, startFakeEsplora } from "../../../chains/bitcoin/start-fake-esplora.ts"

/** A busy machine must not make a server look silent. */
const PATIENT = { timeoutMs: 15_000 }
let fakes: readonly FakeEsplora[]
beforeEach(async () => {
  fakes = [await startFakeEsplora(), await startFakeEsplora(), await startFakeEsplora()]
})
afterEach(() => Promise.all(fakes.map((fake) => fake.stop())))

function chainWith(...rates: readonly (number | null)[]): ChainPort {
  const servers = fakes.slice(0, rates.length)
  for (const [index, server] of servers.entries()) {
    const rate = rates[index]
    if (rate === null) server.faults.set("/fee-estimates", { status: 200, body: "<html>" })
    else server.ledger.feeRates = { "2": rate ?? 0 }
  }
  return createBitcoinChain(
    sampleOptions(
      servers.map(({ url }) => url),
      PATIENT,
    ),
  )
}

/** What a refund costs at twice the believed rate. */
async function believedRate(chain: ChainPort): Promise<bigint> {
  return (await chain.estimateFees(btc)).refundUnits / 150n / 2n
}

describe("the fee rate of our own transactions", () => {
  it.each([
    ["all three agree", [7, 7, 7], 7n],
    ["one of three says far too much", [7, 9_999, 8], 8n],
    ["one of three says far too little", [7, 0.0001, 8], 7n],
    ["one of two says far too much", [9_999, 7], 7n],
    ["one gives no answer", [null, 6, 6], 6n],
  ] as const)("is the middle one when %s", async (_case, rates, expected) => {
    expect(await believedRate(chainWith(...rates))).toBe(expected)
  })

  it.each([
    ["has no such path", { status: 404, body: "Cannot GET /fee-estimates" }],
    ["has no estimate", { status: 200, body: "{}" }],
    ["has only estimates of zero", { status: 200, body: '{"2":0,"x":9}' }],
    ["answers with a page", { status: 404, body: "<!DOCTYPE html>" }],
  ])("is the other server's when one %s, and unknown with no other", async (_case, fault) => {
    const [first, second] = fakes
    first?.faults.set("/fee-estimates", fault)
    expect(await believedRate(chainWith(7, 61, 61))).toBe(25n)
    expect((await chainWith(7, 20).outputs?.estimatePayoutFee()) ?? 0n).toBe(40n * REDEEM_VSIZE)
    second?.faults.set("/fee-estimates", fault)
    const waits = { disposition: "transient" }
    await expect(chainWith(7, 20).estimateFees(btc)).rejects.toMatchObject(waits)
    await expect(chainWith(7, 20).outputs?.estimatePayoutFee()).rejects.toMatchObject(waits)
  })

  it("is unknown, with the servers' names, when none has an estimate", async () => {
    const chain = createBitcoinChain(
      sampleOptions(
        fakes.slice(0, 2).map(({ url }) => url),
        PATIENT,
      ),
    )
    for (const fake of fakes) fake.ledger.feeRates = {}
    const error: unknown = await chain.estimateFees(btc).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: "fees.unknown", disposition: "transient" })
    for (const { url } of fakes.slice(0, 2)) expect(String(error)).toContain(new URL(url).host)
  })

  it("costs at most the cap when every server lies", async () => {
    expect((await chainWith(9_999, 9_999).estimateFees(btc)).refundUnits).toBe(50n * 150n)
  })
})

describe("the fee that a redemption may take out of a payout", () => {
  it("counts the size of the smallest redemption", () => {
    const terms = {
      refundKey: xOnlyOf(9),
      redeemKey: serviceKey,
      secretHash: sampleSecretHash,
      timelock: 12,
    }
    const payTo = deriveHtlc(terms, networks.regtest).address
    const coin = { txid: "ab".repeat(32), vout: 0, units: 100_000n }
    const redeem: Transaction = signHtlcSpend({
      coin,
      terms,
      by: "redeem",
      key: 7,
      payTo,
      units: 99_000n,
    })
    expect(BigInt(redeem.virtualSize())).toBe(REDEEM_VSIZE)
  })

  it.each([
    ["on an idle network", [0.5, 0.5], LEAST_PAYOUT_RATE.test * PAYOUT_RATE_FACTOR],
    ["at a usual rate", [12, 12, 12], 24],
    ["when one of three says far too much", [12, 9_999, 12], 24],
    ["when every server lies, by the cap", [9_999, 9_999], 50],
  ] as const)("is bounded %s", async (_case, rates, rate) => {
    expect(await chainWith(...rates).outputs?.estimatePayoutFee()).toBe(BigInt(rate) * REDEEM_VSIZE)
  })

  it("keeps its factor and its least rate", () => {
    expect([LEAST_PAYOUT_RATE, PAYOUT_RATE_FACTOR]).toEqual([{ main: 5, test: 1 }, 2])
  })
})

describe("the offer without an estimate", () => {
  it("of a refund reaches the cap six blocks after the lock", () => {
    const offers = [0n, 3n, 6n, 600n].map((blocks) => offerAfterLock(80, blocks))
    // The curve of every rescue: a half of the time is an eighth of the rise.
    expect(offers).toEqual([20n, 27n, 80n, 80n])
    expect(offerAfterLock(1, 0n)).toBe(1n)
  })
})
