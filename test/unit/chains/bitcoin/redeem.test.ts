import { Psbt, Transaction } from "bitcoinjs-lib"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { networkOf } from "#chains/bitcoin/address.ts"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import { REDEEM_VSIZE } from "#chains/bitcoin/fees.ts"
import { deriveHtlc } from "#chains/bitcoin/htlc.ts"
import { openBitcoinKey } from "#chains/bitcoin/keys/open-key.ts"
import { createSigner } from "#chains/bitcoin/signer.ts"
import { buildPlan, coinsOf, type Draft, digestOf, feeOf } from "#chains/bitcoin/spend/build.ts"
import { encodeUnsigned, parseUnsigned, type Unsigned } from "#chains/bitcoin/spend/unsigned.ts"
import { type Coin, outpointOf } from "#chains/bitcoin/wallet.ts"
import type { Payout } from "#domain/payout.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  btc,
  sampleOptions,
  sampleOrder,
  sampleQuery,
  sampleSecret,
  sampleSecretHash,
  serviceKey,
  xOnlyOf,
} from "../../../chains/bitcoin/sample-order.ts"
import { type FakeEsplora, startFakeEsplora } from "../../../chains/bitcoin/start-fake-esplora.ts"

const options = { ...sampleOptions([]), asset: btc, network: networkOf("regtest"), maxFeeRate: 10 }
const signer = createSigner(options)
const { wallet } = signer
const terms = {
  refundKey: serviceKey,
  redeemKey: xOnlyOf(1),
  secretHash: sampleSecretHash,
  timelock: 144,
}
const htlc = deriveHtlc(terms, wallet.network)
const locked = coinOf(1, htlc.script)
const draft: Draft = {
  action: "redeem",
  coins: [locked],
  deposit: null,
  htlc: terms,
  secret: sampleSecret,
  feeUnits: 500n,
}
const meta = { spends: [], attempt: 0, fromHeight: 1n }
const redemption = buildPlan(draft, wallet, meta)

function coinOf(serial: number, script: Uint8Array): Required<Coin> {
  const parent = new Transaction()
  parent.addInput(new Uint8Array(32).fill(serial), serial)
  parent.addOutput(script, 100_000n)
  return { txid: parent.getId(), vout: 0, units: 100_000n, parent: parent.toBuffer() }
}

/** A consistent plan of other content, as a stranger with access to the journal could make it. */
function withContent(change: (unsigned: Unsigned) => Unsigned): TransactionPlan {
  const changed = change(parseUnsigned(redemption, wallet))
  return {
    ...redemption,
    unsigned: encodeUnsigned(changed),
    digest: digestOf(changed, wallet),
    resources: coinsOf(changed.psbt).map(outpointOf),
    maxFeeUnits: feeOf(changed.psbt) > 0n ? feeOf(changed.psbt) : redemption.maxFeeUnits,
  }
}

function withPsbt(change: (psbt: Psbt) => Psbt): TransactionPlan {
  return withContent((unsigned) => ({ ...unsigned, psbt: change(unsigned.psbt) }))
}

/** The same input, other outputs. */
function paying(...outputs: { script: Uint8Array; value: bigint }[]): TransactionPlan {
  return withPsbt((psbt) => {
    const copy = new Psbt({ network: wallet.network })
    const [input] = psbt.txInputs
    if (input !== undefined) copy.addInput({ ...input, ...psbt.data.inputs[0] })
    for (const output of outputs) copy.addOutput(output)
    return copy
  })
}

function refusalOf(bad: TransactionPlan): string {
  try {
    signer.signTransaction(bad)
  } catch (error) {
    return String(error)
  }
  return "signed"
}

const ours = { script: wallet.script, value: 99_500n }
const theirs = { script: htlc.script, value: 99_500n }
const secretOf = (secret: string | undefined) =>
  withContent((unsigned) => ({ ...unsigned, secret }))
const termsOf = (change: Partial<typeof terms>) =>
  withContent((unsigned) => ({ ...unsigned, htlc: { ...terms, ...change } }))

it("signs signature, secret, leaf and control block, deterministically", () => {
  const signed = signer.signTransaction(redemption)
  const [input] = Transaction.fromHex(signed.raw).ins
  expect(input?.witness.slice(1).map((item) => Buffer.from(item).toString("hex"))).toEqual(
    [Buffer.from(sampleSecret, "hex"), htlc.redeemLeaf, htlc.redeemControlBlock].map((item) =>
      Buffer.from(item).toString("hex"),
    ),
  )
  expect(input?.witness[0]).toHaveLength(64)
  expect(Transaction.fromHex(signed.raw).getId()).toBe(signed.txid)
  expect(signer.signTransaction(structuredClone(redemption))).toEqual(signed)
  expect(BigInt(Transaction.fromHex(signed.raw).virtualSize())).toBeLessThanOrEqual(REDEEM_VSIZE)
})

it("signs a fee above the urgent cap only up to the worth of the payout", () => {
  const redeemed = 1_000n
  const dear = paying({ ...ours, value: redeemed })
  const changed = (plan: TransactionPlan) => ({ ...plan, maxFeeUnits: 100_000n })
  expect(() => signer.signTransaction(changed(dear))).toThrow("above the configured cap")
  expect(() => signer.signTransaction(changed(dear), { worthUnits: 98_999n })).toThrow(
    "above the configured cap",
  )
  expect(signer.signTransaction(changed(dear), { worthUnits: 99_000n }).plan.action).toBe("redeem")
})

it.each<[string, () => TransactionPlan, string]>([
  ["another wallet is paid", () => paying(theirs), "does not return to our wallet"],
  [
    "a second output is paid",
    () => paying({ ...ours, value: 50_000n }, { ...theirs, value: 49_500n }),
    "2 outputs",
  ],
  // A redemption may be urgent, and then pay fifty times the cap of 10 sat/vB.
  [
    "the fee is above the cap",
    () => paying({ ...ours, value: 1_000n }),
    "above the configured cap",
  ],
  [
    "a coin of the wallet is spent beside it",
    () => buildPlan({ ...draft, coins: [locked, coinOf(2, htlc.script)] }, wallet, meta),
    "a redeem must spend exactly one output",
  ],
  ["a plain coin of the wallet is spent", () => withPsbt(fromWallet), "not ours to spend"],
  [
    "the redeem key is another",
    () => termsOf({ redeemKey: xOnlyOf(2) }),
    "the redeem key is not ours",
  ],
  ["the lock is another", () => termsOf({ timelock: 145 }), "not ours to spend"],
  ["the hash is another", () => termsOf({ secretHash: "00".repeat(32) }), "does not open"],
  ["the secret is another", () => secretOf("ab".repeat(32)), "does not open"],
  ["the secret is missing", () => secretOf(undefined), "wrong kind of secret"],
  ["a refund has a secret", () => ({ ...redemption, action: "refund" }), "wrong kind of secret"],
  ["a deposit has a secret", () => ({ ...redemption, action: "initiate" }), "wrong kind of secret"],
  [
    "it also makes a deposit",
    () => withContent((one) => ({ ...one, deposit: DEPOSIT })),
    "wrong kind of deposit",
  ],
  [
    "the terms are missing",
    () => withContent((one) => ({ ...one, htlc: null })),
    "wrong kind of HTLC",
  ],
  ["it spends by the refund leaf", () => withPsbt(byRefundLeaf), "another leaf"],
  [
    "it cannot be replaced",
    () => withPsbt((psbt) => psbt.setInputSequence(0, 0xffffffff)),
    "a sequence is not",
  ],
  ["a lock time is set", () => withPsbt((psbt) => psbt.setLocktime(500)), "lock time"],
  [
    "the plan counts spending",
    () => ({ ...redemption, spends: [{ asset: btc, units: 1n }] }),
    "counts 1 units",
  ],
  ["the digest is another", () => ({ ...redemption, digest: "00".repeat(32) }), "the digest"],
])("does not sign when %s", (_case, bad, fault) => {
  expect(refusalOf(bad())).toContain(fault)
})

const DEPOSIT = { address: htlc.address, units: 99_500n }

function fromWallet(psbt: Psbt): Psbt {
  const [input] = psbt.data.inputs
  if (input !== undefined) input.witnessUtxo = { script: wallet.script, value: 100_000n }
  return psbt
}

function byRefundLeaf(psbt: Psbt): Psbt {
  const [input] = psbt.data.inputs
  const { refundLeaf: script, refundControlBlock: controlBlock } = htlc
  if (input !== undefined) input.tapLeafScript = [{ leafVersion: 0xc0, script, controlBlock }]
  return psbt
}

it("is for the signer process an action that takes only its fee", () => {
  const shared = {
    ...sampleOptions(["http://127.0.0.1:1"]),
    network: "regtest",
    address: "p2wpkh",
    maxFeeRate: 10,
  }
  // CAST: the fields that a key holder reads.
  const config = shared as unknown as Parameters<typeof openBitcoinKey>[0]
  const keys = openBitcoinKey(config, { assets: shared.assets, foreignRefundKeys: false })
  expect(keys.readTransaction(redemption, { order: "a", deposit: null })).toMatchObject({
    action: "redeem",
    deposit: null,
    allowance: null,
    spends: [],
    feeUnits: 500n,
    isExclusive: true,
    resources: [outpointOf(locked)],
    digest: redemption.digest,
    redeemsHash: sampleSecretHash,
  })
  expect(() => keys.readTransaction(paying(theirs), { order: "a", deposit: null })).toThrow(
    "not return to our wallet",
  )
})

describe("a payout with our own secret", () => {
  let fake: FakeEsplora
  let chain: ChainPort
  const payout: Payout = {
    asset: btc,
    htlc: htlc.address,
    swapId: htlc.address,
    secretHash: sampleSecretHash,
    units: 100_000n,
    owner: wallet.address,
    initiator: serviceKey,
    redeemer: wallet.address,
    delegate: xOnlyOf(1),
    timelock: 144n,
  }
  const planOf = (change: Partial<Payout> = {}, secret = sampleSecret) =>
    chain.planTransaction(
      { action: "redeem", asset: btc, payout: { ...payout, ...change }, secret },
      new Set(),
    )
  const refused = async (change: Partial<Payout> = {}, secret = sampleSecret) => {
    const planned = await planOf(change, secret)
    return "refused" in planned ? planned.refused.map(({ code }) => code) : "planned"
  }
  const observe = () =>
    chain.observeLeg(
      sampleQuery({
        side: "destination",
        htlc: htlc.address,
        owner: wallet.address,
        isExact: true,
      }),
    )

  beforeEach(async () => {
    fake = await startFakeEsplora()
    chain = createBitcoinChain(sampleOptions([fake.url]))
  })
  afterEach(() => fake.stop())

  it("is redeemed from its exact output, also when strangers paid the address", async () => {
    fake.ledger.fund(htlc.address, 400_000n)
    expect(await refused()).toEqual(["bitcoin.redeem_nothing"])
    const txid = fake.ledger.fund(htlc.address, 100_000n)
    fake.ledger.fund(htlc.address, 99_999n)
    expect(await planOf()).toMatchObject({ action: "redeem", resources: [`${txid}:0`], spends: [] })
    expect((await observe()).initiated).toMatchObject({ txid, units: 100_000n })
  })

  it("is not proven by two outputs that only together have the amount", async () => {
    fake.ledger.fund(htlc.address, 60_000n)
    fake.ledger.fund(htlc.address, 40_000n)
    expect((await observe()).initiated).toBeNull()
  })

  it("is refused for other terms, another secret, and a fee above the cap or above the amount", async () => {
    fake.ledger.fund(htlc.address, 100_000n)
    expect(await refused({}, "ab".repeat(32))).toEqual(["bitcoin.redeem_secret"])
    for (const delegate of [null, "", serviceKey])
      expect(await refused({ delegate })).toEqual(["bitcoin.redeem_not_ours"])
    for (const initiator of ["", wallet.address])
      expect(await refused({ initiator })).toEqual(["bitcoin.redeem_not_ours"])
    for (const timelock of [0n, 2n ** 60n])
      expect(await refused({ timelock })).toEqual(["bitcoin.redeem_not_ours"])
    expect(await refused({ timelock: 145n })).toEqual(["bitcoin.redeem_nothing"])
    fake.ledger.feeRates["2"] = 51
    expect(await refused()).toEqual(["fees.above_cap"])
    fake.ledger.feeRates["2"] = 50
    fake.ledger.fund(htlc.address, 5_000n)
    expect(await refused({ units: 5_000n })).toEqual(["bitcoin.redeem_uneconomic"])
  })

  it("has the fee that was estimated at most, and a bump within the cap", async () => {
    fake.ledger.fund(htlc.address, 100_000n)
    const planned = await planOf()
    if ("refused" in planned) throw new Error("refused")
    expect(planned.maxFeeUnits).toBeLessThanOrEqual((await chain.estimateRedeemFee(btc)) ?? 0n)
    fake.ledger.feeRates["2"] = 500
    const bump = await chain.planBump(planned)
    expect(bump).toMatchObject({ action: "redeem", attempt: 1, resources: planned.resources })
    expect(bump?.maxFeeUnits).toBeLessThanOrEqual(50n * REDEEM_VSIZE)
    expect(bump === null ? null : await chain.planBump(bump)).toBeNull()
  })

  it("follows the higher of two estimates, and rises by its lock where both are too low", async () => {
    fake.ledger.fund(htlc.address, 10_000_000n)
    const second = await startFakeEsplora()
    try {
      const two = createBitcoinChain(
        sampleOptions([fake.url, second.url], { maxFeeRate: 300, agree: 1 }),
      )
      const rateOf = async (left: bigint | null, low: number, high: number): Promise<bigint> => {
        fake.ledger.feeRates["2"] = low
        second.ledger.feeRates["2"] = high
        const pace =
          left === null ? {} : { pace: { left, timelock: 144n, worthUnits: 10_000_000n } }
        const terms = { ...payout, units: 10_000_000n }
        const request = {
          action: "redeem",
          asset: btc,
          payout: terms,
          secret: sampleSecret,
          ...pace,
        } as const
        const planned = await two.planTransaction(request, new Set())
        if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
        return planned.maxFeeUnits / REDEEM_VSIZE
      }
      expect(await rateOf(null, 1, 80)).toBeGreaterThan(70n)
      // One server's word is worth the configured cap at most.
      expect(await rateOf(null, 9, 100_000)).toBeLessThanOrEqual(300n)
      const rates = await Promise.all([
        await rateOf(144n, 1, 1),
        await rateOf(96n, 1, 1),
        await rateOf(60n, 1, 1),
      ])
      expect(rates[0]).toBeLessThanOrEqual(1n)
      expect(rates[1]).toBeGreaterThan(20n)
      expect(rates[2]).toBeGreaterThan(150n)
    } finally {
      await second.stop()
    }
  })

  it("waits for an estimate only while its lock is far from its end", async () => {
    fake.ledger.fund(htlc.address, 100_000n)
    fake.ledger.feeRates = {}
    await expect(planOf()).rejects.toMatchObject({ code: "fees.unknown", disposition: "transient" })
    const offers: bigint[] = []
    for (const left of [48n, 24n, 6n, 0n]) {
      const stake = { left, timelock: 144n, worthUnits: 100_000n }
      const request = { action: "redeem", asset: btc, payout, secret: sampleSecret, stake } as const
      const planned = await chain.planTransaction(request, new Set())
      if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
      offers.push(planned.maxFeeUnits)
      const bump = left === 0n ? null : await chain.planBump(planned, { ...stake, left: left - 6n })
      if (left > 0n) expect(bump?.maxFeeUnits).toBeGreaterThan(planned.maxFeeUnits)
    }
    expect(offers.toSorted((a, b) => Number(a - b))).toEqual(offers)
    // Nearly all of it, and no dust is left.
    expect(offers[3]).toBeGreaterThan(90_000n)
    expect(offers[3]).toBeLessThan(100_000n - 330n)
  })

  it("has an address that its keys give, or the order is not funded", () => {
    const { destination } = sampleOrder(serviceKey, 100_000n)
    const { initiator, delegate, timelock, secretHash, swapId } = payout
    const leg = { ...destination, initiator, delegate, timelock, secretHash, swapId }
    expect(chain.outputs?.checkDestination(leg)).toEqual([])
    // The service alone could spend this address. Keys that are none must not hide that.
    for (const change of [
      { initiator: "" },
      { initiator: "zz" },
      { timelock: 0n },
      { swapId: wallet.address },
    ])
      expect(chain.outputs?.checkDestination({ ...leg, ...change })).toMatchObject([
        { code: "bitcoin.destination_underived" },
      ])
  })

  it("asks the service for our own key in the redeem leaf", () => {
    expect(chain.destinationExtras).toEqual({ delegate: xOnlyOf(1) })
  })
})
