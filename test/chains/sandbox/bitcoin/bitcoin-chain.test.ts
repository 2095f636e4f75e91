import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { networks, payments, Transaction } from "bitcoinjs-lib"
import { xOnlyPointFromScalar } from "tiny-secp256k1"
import { request } from "undici"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { silentLogger } from "#lib/log.ts"
import {
  type LocalBitcoinChain,
  startBitcoinChain,
} from "../../../../src/lab/sandbox/bitcoin/bitcoin-chain.ts"
import { deriveHtlc } from "../../../../src/lab/sandbox/bitcoin/htlc.ts"
import type { LocalSwap } from "../../../../src/lab/sandbox/local-chain.ts"
import { temporaryFolder } from "../../../support/temporary-folder.ts"
import { drawSecret } from "../../contract/scene.ts"

const ASSET = "bitcoin_testnet:btc"
const dir = temporaryFolder("bitcoin-chain")
let chain: LocalBitcoinChain

// A test takes seconds at most, but a real node on a busy machine needs a longer timeout.
vi.setConfig({ testTimeout: 30_000 })

// On a machine without bitcoind, the first start fetches one.
beforeAll(async () => {
  chain = await startBitcoinChain({
    name: "bitcoin_testnet",
    port: 0,
    dir,
    blockMs: 0,
    log: silentLogger,
  })
}, 300_000)

afterAll(async () => {
  await chain?.stop()
  rmSync(dir, { recursive: true, force: true })
}, 30_000)

function someAddress(): string {
  const hash = randomBytes(20)
  return payments.p2wpkh({ hash, network: networks.regtest }).address ?? ""
}

async function openSource(fields: { units: bigint; timelock?: number; delegate?: string }) {
  const { secret, secretHash } = drawSecret()
  const asked = { assetId: ASSET, owner: someAddress(), secretHash, timelock: 144, ...fields }
  return { secret, ...(await chain.describeSource(asked)) }
}

async function openDestination(
  units: bigint,
  timelock = 12,
): Promise<{ secret: string; swap: LocalSwap }> {
  const { secret, secretHash } = drawSecret()
  const swap = await chain.describeDestination({
    assetId: ASSET,
    owner: someAddress(),
    secretHash,
    timelock,
    units,
  })
  return { secret, swap }
}

async function fetchTx(txid: string): Promise<Transaction> {
  const answer = await request(`${chain.url}/tx/${txid}/hex`)
  return Transaction.fromHex(await answer.body.text())
}

function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "no error",
    (error: { code: string }) => error.code,
  )
}

test("observes a source swap in the mempool and in a block, and redeems it for the solver", async () => {
  const { swap, response, secret } = await openSource({ units: 70_000n })
  expect(response).toEqual({ to: swap.swapId, amount: "70000" })
  expect(await chain.observeSwap(swap)).toEqual({ initiated: null, redeemed: null, refunded: null })

  const txid = await chain.fund(swap.swapId, ASSET, 70_000n)
  const height = await chain.height()
  const funded = await chain.observeSwap(swap)
  expect(funded.initiated).toMatchObject({
    txHash: `${txid}:${height}`,
    blockNumber: height,
    confirmations: 1,
    filledUnits: 70_000n,
  })
  expect(await chain.balance(swap.swapId, ASSET)).toBe(70_000n)

  const redeemTx = await chain.redeem(swap, secret)
  expect((await chain.observeSwap(swap)).redeemed).toMatchObject({
    txHash: redeemTx,
    blockNumber: 0n,
    confirmations: 0,
    secret,
  })
  await chain.advance(2)
  const redeemed = await chain.observeSwap(swap)
  expect(redeemed.redeemed).toMatchObject({
    txHash: redeemTx,
    blockNumber: height + 1n,
    confirmations: 2,
    secret,
  })
  expect(redeemed.refunded).toBeNull()
  expect(await chain.balance(swap.swapId, ASSET)).toBe(0n)
})

test("lists and sums several deposits to one address, with the confirmations of the youngest", async () => {
  const { swap } = await openSource({ units: 50_000n })
  const first = await chain.fund(swap.swapId, ASSET, 20_000n)
  const firstHeight = await chain.height()
  await chain.advance(3)
  const second = await chain.fund(swap.swapId, ASSET, 30_001n)
  const secondHeight = await chain.height()
  expect((await chain.observeSwap(swap)).initiated).toMatchObject({
    txHash: `${first}:${firstHeight},${second}:${secondHeight}`,
    filledUnits: 50_001n,
    blockNumber: secondHeight,
    confirmations: 1,
  })
})

test("funds a destination swap once and pays its owner the exact amount", async () => {
  const { swap, secret } = await openDestination(123_457n)
  const txid = await chain.initiate(swap)
  expect((await chain.observeSwap(swap)).initiated).toMatchObject({
    txHash: `${txid}:0`,
    blockNumber: 0n,
    confirmations: 0,
  })
  await chain.advance(1)
  expect(await chain.initiate(swap)).toBe(txid)

  const redeemTx = await fetchTx(await chain.redeem(swap, secret))
  expect(redeemTx.outs[0]?.value).toBe(123_457n)
  await chain.advance(1)
  expect(await chain.balance(swap.owner, ASSET)).toBe(123_457n)
  expect((await chain.observeSwap(swap)).redeemed).toMatchObject({
    txHash: redeemTx.getId(),
    secret,
  })
})

test("refunds a destination swap to the solver after its timelock and not one block earlier", async () => {
  const { swap } = await openDestination(60_000n, 5)
  await chain.initiate(swap)
  await chain.advance(4)
  await expect(chain.refund(swap)).rejects.toThrow("non-BIP68-final")
  await chain.advance(1)
  const refundTx = await chain.refund(swap)
  await chain.advance(1)
  const seen = await chain.observeSwap(swap)
  expect(seen.refunded).toMatchObject({ txHash: refundTx, confirmations: 1 })
  expect(seen.redeemed).toBeNull()
})

test("refunds a source swap in full to its owner if the user sent no refund key", async () => {
  const { swap } = await openSource({ units: 40_000n, timelock: 2 })
  await chain.fund(swap.swapId, ASSET, 40_000n)
  await chain.advance(1)
  await chain.refund(swap)
  await chain.advance(1)
  expect(await chain.balance(swap.owner, ASSET)).toBe(40_000n)
})

test("puts the user's refund key into the address, so that only the user can refund", async () => {
  const key = randomBytes(32)
  const delegate = Buffer.from(xOnlyPointFromScalar(key)).toString("hex")
  const { swap } = await openSource({ units: 40_000n, timelock: 1, delegate })
  expect(swap.delegate).toBe(delegate)
  await chain.fund(swap.swapId, ASSET, 40_000n)
  expect(await codeOf(chain.refund(swap))).toBe("sandbox.refund_key")
})

test("refuses a wrong secret, a redemption without deposit, and the initiation of a source swap", async () => {
  const { swap, secret } = await openSource({ units: 40_000n })
  expect(await codeOf(chain.redeem(swap, drawSecret().secret))).toBe("sandbox.secret")
  expect(await codeOf(chain.redeem(swap, secret))).toBe("sandbox.nothing_deposited")
  expect(await codeOf(chain.initiate(swap))).toBe("sandbox.side")
  expect(await codeOf(chain.initiateWithSignature(swap, "00"))).toBe("sandbox.no_gasless")
  expect(await codeOf(chain.fund("tb1nonsense", ASSET, 1_000n))).toBe("sandbox.address")
})

test("uses different coins for ten concurrent swaps", async () => {
  const swaps = await Promise.all(
    Array.from({ length: 10 }, (_, at) => openDestination(50_000n + BigInt(at))),
  )
  await Promise.all(swaps.map(({ swap }) => chain.initiate(swap)))
  await chain.advance(1)
  await Promise.all(swaps.map(({ swap, secret }) => chain.redeem(swap, secret)))
  await chain.advance(1)
  const paid = await Promise.all(swaps.map(({ swap }) => chain.balance(swap.owner, ASSET)))
  expect(paid).toEqual(swaps.map((_, at) => 50_000n + BigInt(at)))
})

test(
  "builds an instant refund of the deposit to its owner that the network refuses until both " +
    "parties have signed",
  async () => {
    const { swap } = await openSource({ units: 90_000n })
    expect(await chain.instantRefundTx(swap)).toBe("")
    const deposit = await chain.fund(swap.swapId, ASSET, 90_000n)
    const hex = await chain.instantRefundTx(swap)
    const tx = Transaction.fromHex(hex)
    expect(tx.version).toBe(2)
    expect(
      Buffer.from(tx.ins[0]?.hash ?? [])
        .reverse()
        .toString("hex"),
    ).toBe(deposit)
    expect(tx.outs).toHaveLength(1)
    expect(tx.outs[0]?.value).toBe(90_000n)
    expect(tx.ins[0]?.witness.map((element) => element.length).slice(0, 2)).toEqual([65, 65])
    expect(tx.ins[0]?.witness[1]?.at(-1)).toBe(0x83)
    expect((await request(`${chain.url}/tx`, { method: "POST", body: hex })).statusCode).toBe(400)
  },
)

test("returns a deposit to the mempool in a reorg and mines it again in the next block", async () => {
  const { swap } = await openSource({ units: 50_000n })
  await chain.advance(2)
  const txid = await chain.fund(swap.swapId, ASSET, 50_000n)
  const before = await chain.height()
  await chain.reorg(1)
  expect(await chain.height()).toBe(before + 1n)
  expect((await chain.observeSwap(swap)).initiated).toMatchObject({
    txHash: `${txid}:0`,
    confirmations: 0,
  })
  await chain.advance(1)
  expect((await chain.observeSwap(swap)).initiated).toMatchObject({
    txHash: `${txid}:${before + 2n}`,
    confirmations: 1,
  })
})

test("accepts addresses of regtest only", () => {
  expect(chain.isAddress(someAddress())).toBe(true)
  expect(chain.isAddress("tb1ptt49v22dcst7mquwfsmcu2t56xjg07whtcgufvhjuj5zu89y6q0qn8fvfp")).toBe(
    false,
  )
  expect(chain.isAddress("")).toBe(false)
})

test("does not redeem with a key that the HTLC does not name, even with the secret", async () => {
  const { swap, secret } = await openSource({ units: 50_000n })
  const redeemer = Buffer.from(xOnlyPointFromScalar(randomBytes(32))).toString("hex")
  const terms = { ...swap, redeemKey: redeemer, refundKey: swap.delegate ?? "" }
  await chain.fund(deriveHtlc(terms, networks.regtest).address, ASSET, 50_000n)
  await expect(chain.redeem({ ...swap, redeemer }, secret)).rejects.toThrow(
    "Invalid Schnorr signature",
  )
})

test("keeps the chain and the solver's swaps over a restart on the same data", async () => {
  const { swap, secret } = await openSource({ units: 80_000n })
  await chain.fund(swap.swapId, ASSET, 80_000n)
  const height = await chain.height()
  await chain.stop()
  chain = await startBitcoinChain({
    name: "bitcoin_testnet",
    port: 0,
    dir,
    blockMs: 0,
    log: silentLogger,
  })
  expect(await chain.height()).toBe(height)
  await chain.redeem(swap, secret)
  await chain.advance(1)
  expect((await chain.observeSwap(swap)).redeemed).toMatchObject({ confirmations: 1, secret })
})
