import { Psbt, Transaction } from "bitcoinjs-lib"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { networkOf, scriptOf } from "#chains/bitcoin/address.ts"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  asVerified,
  btc,
  sampleOptions,
  sampleOrder,
  xOnlyOf,
} from "../../../chains/bitcoin/sample-order.ts"
import { type FakeEsplora, startFakeEsplora } from "../../../chains/bitcoin/start-fake-esplora.ts"

const none: ReadonlySet<string> = new Set()
let fake: FakeEsplora
let chain: ChainPort

beforeEach(async () => {
  fake = await startFakeEsplora()
  chain = createBitcoinChain(sampleOptions([fake.url]))
})
afterEach(() => fake.stop())

function initiate(
  units: bigint,
  delegate = chain.sourceExtras["delegate"] ?? "",
): TransactionRequest {
  const order = sampleOrder(delegate, units)
  const decoded = chain.decodeDeposit(
    { family: "bitcoin", to: order.source.swapId, units },
    order,
    btc,
  )
  expect(decoded.findings).toEqual([])
  return { action: "initiate", asset: btc, deposit: asVerified(decoded) }
}

async function plan(request: TransactionRequest, reserved = none): Promise<TransactionPlan> {
  const planned = await chain.planTransaction(request, reserved)
  if ("refused" in planned) throw new Error(`refused: ${JSON.stringify(planned.refused)}`)
  return planned
}

async function refusal(request: TransactionRequest, reserved = none) {
  const planned = await chain.planTransaction(request, reserved)
  return "refused" in planned ? planned.refused[0] : undefined
}

async function send(transaction: TransactionPlan): Promise<Transaction> {
  const signed = await chain.signTransaction(transaction)
  await chain.broadcastTransaction(signed)
  return Transaction.fromHex(signed.raw)
}

function psbtOf(transaction: TransactionPlan): Psbt {
  return Psbt.fromBase64(JSON.parse(transaction.unsigned).psbt, { network: networkOf("regtest") })
}

describe.each(["p2wpkh", "p2tr"] as const)("a deposit from %s", (addressType) => {
  beforeEach(() => {
    chain = createBitcoinChain(sampleOptions([fake.url], { addressType }))
  })

  it("pays exactly one output of exactly the amount, and returns the rest as change", async () => {
    fake.ledger.fund(chain.account, 500_000n)
    fake.ledger.feeRates["2"] = 3.2
    const request = initiate(100_000n)
    const transaction = await plan(request)
    const tx = await send(transaction)
    const htlc = request.action === "initiate" ? request.deposit.htlc : ""
    expect(tx.outs[0]).toEqual({ script: scriptOf(htlc, networkOf("regtest")), value: 100_000n })
    expect(tx.outs[1]).toEqual({
      script: scriptOf(chain.account, networkOf("regtest")),
      value: 400_000n - transaction.maxFeeUnits,
    })
    expect(tx.outs).toHaveLength(2)
    expect(tx.ins.map(({ sequence }) => sequence)).toEqual([0xfffffffd])
    expect(transaction.maxFeeUnits).toBe(fake.ledger.feeOf(tx))
    expect(transaction.maxFeeUnits / BigInt(tx.virtualSize())).toBe(4n)
    expect(transaction.spends).toEqual([{ asset: btc, units: 100_000n }])
  })

  it("conserves value, pays the exact amount and keeps the cap for any coins", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt(400n, 200_000n), { minLength: 1, maxLength: 8 }),
        fc.bigInt(1_000n, 300_000n),
        fc.oneof(fc.double({ min: 0.1, max: 50, noNaN: true }), fc.constant(50)),
        async (coins, units, rate) => {
          fake.ledger.entries.clear()
          for (const coin of coins) fake.ledger.fund(chain.account, coin)
          fake.ledger.feeRates["2"] = rate
          const planned = await chain.planTransaction(initiate(units), none)
          const haveUnits = coins.reduce((sum, coin) => sum + coin, 0n)
          if ("refused" in planned) {
            expect(planned.refused[0]).toMatchObject({
              code: "funds.insufficient",
              haveUnits: `${haveUnits}`,
            })
            expect(BigInt(planned.refused[0]?.["needUnits"] ?? 0)).toBeGreaterThan(haveUnits)
            return
          }
          const tx = await send(planned)
          const fee = fake.ledger.feeOf(tx)
          expect(tx.outs[0]?.value).toBe(units)
          expect(fee).toBe(planned.maxFeeUnits)
          const droppedUnits = tx.outs.length === 1 ? 50n * 43n + 330n : 0n
          // Some signatures are a byte shorter, so the actual rate is a little higher than planned.
          expect(fee).toBeLessThanOrEqual(
            50n * BigInt(tx.virtualSize() + tx.ins.length) + droppedUnits,
          )
          expect(Number(fee) / tx.virtualSize()).toBeGreaterThanOrEqual(Math.min(rate, 50))
        },
      ),
      { numRuns: 40 },
    )
  })

  it("plans and signs the same bytes from the same coins", async () => {
    for (const units of [70_000n, 80_000n, 90_000n]) fake.ledger.fund(chain.account, units)
    const first = await plan(initiate(200_000n))
    const second = await plan(initiate(200_000n))
    expect(second).toEqual(first)
    expect(await chain.signTransaction(second)).toEqual(await chain.signTransaction(first))
  })
})

describe("the coins of a deposit", () => {
  it("exclude reserved and unconfirmed coins", async () => {
    const reserved = fake.ledger.fund(chain.account, 900_000n)
    const free = fake.ledger.fund(chain.account, 200_000n)
    fake.ledger.fund(chain.account, 800_000n, "pending")
    const transaction = await plan(initiate(100_000n), new Set([`${reserved}:0`]))
    expect(transaction.resources).toEqual([`${free}:0`])
    expect(await chain.fetchBalance(btc, new Set([`${reserved}:0`]))).toEqual({
      units: 1_900_000n,
      spendableUnits: 200_000n,
    })
  })

  it("are refused with the numbers when only unconfirmed coins would suffice", async () => {
    fake.ledger.fund(chain.account, 90_000n)
    fake.ledger.fund(chain.account, 800_000n, "pending")
    expect(await refusal(initiate(100_000n))).toMatchObject({
      code: "funds.insufficient",
      haveUnits: "90000",
    })
  })

  it("are refused for an empty wallet", async () => {
    expect(await refusal(initiate(100_000n))).toMatchObject({
      code: "funds.insufficient",
      haveUnits: "0",
    })
  })

  it("pass the signer when dust meets the fee cap", async () => {
    fake.ledger.feeRates["2"] = 50
    for (let units = 105_400n; units < 108_100n; units += 60n) {
      fake.ledger.entries.clear()
      fake.ledger.fund(chain.account, units)
      const planned = await chain.planTransaction(initiate(100_000n), none)
      if ("refused" in planned) {
        expect(units).toBeLessThan(100_000n + 50n * 122n)
        continue
      }
      await send(planned)
      await send(await plan({ action: "void", voids: planned }))
    }
  })

  it("leave change that is dust to the fee", async () => {
    fake.ledger.fund(chain.account, 100_500n)
    const deposit = await plan(initiate(100_000n))
    expect((await send(deposit)).outs).toHaveLength(1)
    expect(deposit.maxFeeUnits).toBe(500n)
    expect(await chain.planBump(deposit)).toBeNull()
  })
})

describe("fees", () => {
  beforeEach(() => void fake.ledger.fund(chain.account, 500_000n))

  it("are refused when the network asks for more than the cap", async () => {
    fake.ledger.feeRates["2"] = 50.5
    expect(await refusal(initiate(100_000n))).toMatchObject({
      code: "fees.above_cap",
      neededRate: "50.5",
      maxFeeRate: "50",
    })
  })

  it("are unknown without an estimate, and a deposit waits", async () => {
    fake.ledger.feeRates = {}
    const unknown = { code: "fees.unknown", disposition: "transient" }
    await expect(chain.planTransaction(initiate(100_000n), new Set())).rejects.toMatchObject(
      unknown,
    )
    await expect(chain.estimateFees(btc)).rejects.toMatchObject(unknown)
    await expect(chain.estimateRedeemFee(btc)).rejects.toMatchObject(unknown)
    await expect(chain.outputs?.estimatePayoutFee()).rejects.toMatchObject(unknown)
  })

  it("follow the next slower target when the wanted one is missing", async () => {
    fake.ledger.feeRates = { "1": 20, "3": 5, "6": 1 }
    expect((await plan(initiate(100_000n))).maxFeeUnits).toBe(5n * 153n)
  })

  it("are estimated no lower than the cost of a deposit and of a refund", async () => {
    fake.ledger.feeRates["2"] = 7
    const estimate = await chain.estimateFees(btc)
    expect(estimate.depositUnits).toBeGreaterThan((await plan(initiate(100_000n))).maxFeeUnits)
    expect(estimate.refundUnits).toBe(14n * 150n)
  })
})

describe("a bump", () => {
  it("shares all inputs, pays the price of a replacement, and stops at the cap", async () => {
    fake.ledger.fund(chain.account, 60_000n)
    fake.ledger.fund(chain.account, 60_000n)
    chain = createBitcoinChain(sampleOptions([fake.url], { maxFeeRate: 4 }))
    const first = await plan(initiate(100_000n))
    await send(first)
    const second = await chain.planBump(first)
    if (second === null) throw new Error("no bump")
    expect(second).toMatchObject({
      attempt: 1,
      resources: first.resources,
      spends: first.spends,
      action: "initiate",
    })
    const vsize = BigInt((await send(second)).virtualSize())
    expect(second.maxFeeUnits - first.maxFeeUnits).toBeGreaterThanOrEqual(vsize)
    const third = await chain.planBump(second)
    expect(third === null ? null : await chain.planBump(third)).toBeNull()
  })

  it("follows the network's price when that is higher", async () => {
    fake.ledger.fund(chain.account, 500_000n)
    const first = await plan(initiate(100_000n))
    fake.ledger.feeRates["2"] = 30
    expect((await chain.planBump(first))?.maxFeeUnits).toBe(30n * 153n)
  })

  it("is null when the change cannot pay", async () => {
    fake.ledger.fund(chain.account, 100_650n)
    expect(await chain.planBump(await plan(initiate(100_000n)))).toBeNull()
  })
})

describe("a void", () => {
  it("replaces the deposit by a payment to our wallet, even when the deposit already pays the cap", async () => {
    const coin = fake.ledger.fund(chain.account, 500_000n)
    fake.ledger.feeRates["2"] = 50
    const deposit = await plan(initiate(100_000n))
    await send(deposit)
    const voiding = await plan({ action: "void", voids: deposit }, new Set(deposit.resources))
    expect(voiding).toMatchObject({ resources: [`${coin}:0`], spends: [], attempt: 0 })
    const tx = await send(voiding)
    expect(tx.outs).toEqual([
      {
        script: scriptOf(chain.account, networkOf("regtest")),
        value: 500_000n - voiding.maxFeeUnits,
      },
    ])
    fake.ledger.mine(2)
    expect(await chain.observeTransaction(await chain.signTransaction(deposit))).toEqual({
      status: "excluded",
      by: tx.getId(),
      final: true,
      isVoid: true,
    })
  })

  it("is refused when the coins are too small to return", async () => {
    fake.ledger.fund(chain.account, 700n)
    expect(await refusal({ action: "void", voids: await plan(initiate(380n)) })).toMatchObject({
      code: "funds.insufficient",
      haveUnits: "700",
    })
  })
})

describe("a refund", () => {
  const refundOf = (request: TransactionRequest): TransactionRequest => {
    if (request.action !== "initiate") throw new Error("not an initiate")
    return { action: "refund", asset: btc, deposit: request.deposit, swapId: request.deposit.htlc }
  }

  it("waits for the timelock, then spends our deposit by the refund leaf to our wallet", async () => {
    fake.ledger.fund(chain.account, 500_000n)
    const request = initiate(100_000n)
    const deposit = await send(await plan(request))
    expect(await refusal(refundOf(request))).toMatchObject({ code: "bitcoin.refund_nothing" })
    fake.ledger.mine(143)
    expect(await refusal(refundOf(request))).toMatchObject({
      code: "bitcoin.refund_too_early",
      height: "244",
    })
    fake.ledger.mine()
    const transaction = await plan(refundOf(request))
    expect(transaction.resources).toEqual([`${deposit.getId()}:0`])
    const tx = await send(transaction)
    expect(tx.ins[0]?.sequence).toBe(144)
    expect(tx.outs.map(({ value }) => value)).toEqual([100_000n - transaction.maxFeeUnits])
    expect(transaction.maxFeeUnits).toBeLessThanOrEqual((await chain.estimateFees(btc)).refundUnits)
    expect((await chain.planBump(transaction))?.resources).toEqual(transaction.resources)
  })

  it("spends the output with the exact amount when strangers paid the address too", async () => {
    fake.ledger.fund(chain.account, 500_000n)
    const request = initiate(100_000n)
    const deposit = await send(await plan(request))
    if (request.action === "initiate") fake.ledger.fund(request.deposit.htlc, 400_000n)
    fake.ledger.mine(200)
    expect((await plan(refundOf(request))).resources).toEqual([`${deposit.getId()}:0`])
  })

  it("is refused when the refund leaf is not ours", async () => {
    expect(await refusal(refundOf(initiate(100_000n, xOnlyOf(9))))).toMatchObject({
      code: "bitcoin.refund_not_ours",
    })
  })
})

it("reports an approval on Bitcoin as a bug", async () => {
  const approve = { action: "approve", asset: btc, spender: "x", units: 1n } as const
  await expect(chain.planTransaction(approve, none)).rejects.toMatchObject({ disposition: "bug" })
})

it("stores the PSBT in a form that other tools can read", async () => {
  fake.ledger.fund(chain.account, 500_000n)
  expect(psbtOf(await plan(initiate(100_000n))).inputCount).toBe(1)
})
