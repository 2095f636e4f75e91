import { base58 } from "@scure/base"
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { createSolanaChain } from "#chains/solana/create-chain.ts"
import { DISCRIMINATORS } from "#chains/solana/htlc.ts"
import { type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import type { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery, UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { LocalChain, LocalSwap } from "#sandbox/local-chain.ts"
import { htlcProgram } from "#sandbox/solana/htlc-program.ts"
import { legQueryOf } from "../../support/leg-query.ts"
import {
  type Backend,
  type SolanaAddress,
  startSolanaBackends,
} from "../../support/start-solana-backend.ts"
import { drawSecret } from "../contract/scene.ts"
import { openSolana } from "../local-chains.ts"

/**
 * Several addresses in front of one real local node, at the shipped depths: an order goes on at
 * `confirmed` and ends at `finalized`. The README of the sandbox's Solana names how the local node
 * differs from a validator.
 */
const CHAIN = toChainId("solana_testnet")
const SOL = parseAssetId("solana_testnet:sol")
const USDC = parseAssetId("solana_testnet:usdc")
const NONE: ReadonlySet<string> = new Set()
/** A finalized slot is 31 slots behind the newest one; the clock of the validator may be late. */
const FINAL_SLOTS = 40
/** The life of a blockhash, the margin of the proof, and the way to finalized. */
const EXPIRY_SLOTS = 260

let local: LocalChain
const addresses: SolanaAddress[] = []

beforeAll(async () => {
  local = await openSolana(10)
})
afterEach(async () => {
  for (const address of addresses.splice(0)) await address.stop()
})
afterAll(() => local.stop())

describe.each([
  ["native SOL", SOL, 1_000_000_000n],
  ["an SPL token", USDC, 1_000_000n],
] as const)("a deposit of %s", (_name, asset, units) => {
  it("that landed is not excluded, and not proven empty, after its history is pruned", async () => {
    const backends: Backend[] = [{}, {}]
    const { port, unfunded, signed, swap, secret } = await openDeposit(backends, { asset, units })
    await send(port, signed)
    await local.advance(FINAL_SLOTS)
    expect(await port.observeTransaction(signed)).toMatchObject({
      status: "mined",
      ok: true,
      final: true,
    })
    expect(await port.proveUnfunded(unfunded)).toEqual({ status: "funded" })
    await local.redeem(swap, secret)
    await local.advance(EXPIRY_SLOTS)
    expect(await port.proveUnfunded(unfunded)).toEqual({ status: "funded" })
    const newest = Number(await port.fetchHeight())
    for (const backend of backends) backend.prunedBelow = newest
    expect(await port.observeTransaction(signed)).toMatchObject({
      status: "unseen",
      doubts: [{ code: "solana.history_pruned" }, { code: "solana.history_pruned" }],
    })
    const proof = await port.proveUnfunded(unfunded)
    expect(proof).toMatchObject({ status: "unsure" })
    // One endpoint with full history is not enough either.
    backends[0] = Object.assign(backends[0] ?? {}, { prunedBelow: 0 })
    expect(await port.observeTransaction(signed)).toMatchObject({ status: "mined", final: false })
    expect((await port.proveUnfunded(unfunded)).status).not.toBe("unfunded")
  })

  it("that was never sent is excluded and proven empty by enough endpoints, while one is dead", async () => {
    const backends: Backend[] = [{}, {}, {}]
    const { port, unfunded, signed } = await openDeposit(backends, { asset, units })
    expect(await port.observeTransaction(signed)).toEqual({ status: "unseen" })
    expect(await port.proveUnfunded(unfunded)).toMatchObject({ status: "unsure" })
    await local.advance(EXPIRY_SLOTS)
    expect(await port.observeTransaction(signed)).toEqual({
      status: "excluded",
      by: "expired",
      final: true,
    })
    expect(await port.proveUnfunded(unfunded)).toMatchObject({ status: "unfunded", rivals: [] })
    Object.assign(backends[1] ?? {}, { page: { status: 403, text: "<html>Forbidden</html>" } })
    expect(await port.observeTransaction(signed)).toEqual({
      status: "excluded",
      by: "expired",
      final: true,
    })
    expect(await port.proveUnfunded(unfunded)).toMatchObject({ status: "unfunded" })
    Object.assign(backends[2] ?? {}, { page: { status: 502, text: "" } })
    expect(await port.observeTransaction(signed)).toMatchObject({
      status: "unseen",
      doubts: [{ code: "chain.agreement_short" }, { code: "chain.agreement_short" }],
    })
    expect(await port.proveUnfunded(unfunded)).toMatchObject({ status: "unsure" })
  })
})

describe("one address with two nodes behind it", () => {
  it("never excludes a deposit that landed, wherever each request goes", async () => {
    const behind: Backend = {}
    const { port, unfunded, signed, swap } = await openDeposit([[{}, behind]], {
      asset: SOL,
      units: 1_000_000_000n,
    })
    behind.frozenAt = Number(await local.height())
    await send(port, signed)
    await local.advance(EXPIRY_SLOTS)
    // The second node follows 40 slots behind, so that it knows neither the deposit nor the expiry
    // for a while.
    const seen = new Set<string>()
    for (let read = 0; read < 30; read++) {
      behind.frozenAt = Number(await local.height()) - 40 - read * 10
      const observation = await port.observeTransaction(signed).catch(() => null)
      if (observation !== null) seen.add(observation.status)
      const proof = await port.proveUnfunded(unfunded).catch(() => null)
      expect(proof?.status).not.toBe("unfunded")
    }
    expect([...seen]).toEqual(["mined"])
    expect((await local.observeSwap(swap)).initiated).not.toBeNull()
  })

  it("never excludes a deposit that one of the nodes has pruned", async () => {
    const pruned: Backend = {}
    const { port, unfunded, signed, swap, secret } = await openDeposit([[{}, pruned]], {
      asset: SOL,
      units: 1_000_000_000n,
    })
    await send(port, signed)
    await local.redeem(swap, secret)
    await local.advance(EXPIRY_SLOTS)
    pruned.prunedBelow = Number(await port.fetchHeight())
    for (let read = 0; read < 25; read++) {
      const observation = await port.observeTransaction(signed).catch(() => null)
      expect(observation?.status).not.toBe("excluded")
      const proof = await port.proveUnfunded(unfunded).catch(() => null)
      expect(proof?.status).not.toBe("unfunded")
    }
  })
})

describe("one of three endpoints that lies", () => {
  it("about a missing deposit neither excludes it nor stops its end", async () => {
    const liar: Backend = {}
    const { port, unfunded, signed } = await openDeposit([{}, {}, liar], {
      asset: SOL,
      units: 1_000_000_000n,
    })
    liar.lie = (method, _params, honest) => {
      if (method === "getBlockHeight") return 10 ** 9
      if (method === "isBlockhashValid") return { ...context(honest), value: false }
      if (method === "getSignatureStatuses" || method === "getAccountInfo")
        return { ...context(honest), value: null }
      return method === "getSignaturesForAddress" ? [] : undefined
    }
    await send(port, signed)
    await local.advance(FINAL_SLOTS)
    expect(await port.observeTransaction(signed)).toMatchObject({ status: "mined", final: true })
    expect(await port.proveUnfunded(unfunded)).toEqual({ status: "funded" })
    const leg = await port.observeLeg(unfunded)
    expect(leg).toMatchObject({ initiated: { txid: signed.txid, final: true }, redeemed: null })
    expect(leg.doubts).toMatchObject([{ code: "chain.disagreement" }])
  })

  it("about a payout does not make one", async () => {
    const liar: Backend = {}
    const { port } = await openPort([liar, {}, {}])
    const { swap, secret, query } = await openDestination(port)
    await local.advance(FINAL_SLOTS)
    liar.lie = await forgeRedemption(port, swap, secret)
    const leg = await port.observeLeg(query)
    expect(leg).toMatchObject({ initiated: { units: 1_000_000n, final: true }, redeemed: null })
    expect(leg.doubts).toMatchObject([{ code: "chain.disagreement" }])
    const alone = await openPort([[liar]])
    // One endpoint alone is believed, as `describeTrust` says.
    expect((await alone.port.observeLeg(query)).redeemed).toMatchObject({
      paidUnits: 1_000_000n,
      final: true,
    })
    liar.lie = await forgeRedemption(port, swap, "07".repeat(32))
    await expect(alone.port.observeLeg(query)).resolves.toMatchObject({ redeemed: null })
    await local.redeem(swap, secret)
    await local.advance(FINAL_SLOTS)
    delete liar.lie
    expect(await port.observeLeg(query)).toMatchObject({
      redeemed: { paidUnits: 1_000_000n, final: true },
    })
  })

  it("about a balance, a head or a height is outvoted", async () => {
    const liar: Backend = {}
    const { port } = await openPort([liar, {}, {}])
    const units = (await port.fetchBalance(SOL, NONE)).units
    liar.lie = (method, _params, honest) =>
      method === "getSlot"
        ? 10 ** 9
        : method === "getBalance"
          ? { ...context(honest), value: 7 }
          : undefined
    expect((await port.fetchBalance(SOL, NONE)).units).toBe(units)
    expect(await port.native?.fetchNativeBalance()).toBe(units)
    expect(await port.fetchHeight()).toBeLessThan(10n ** 6n)
    const report = await port.fetchAgreement()
    expect(report).toMatchObject({
      endpoints: 3,
      needed: 2,
      agreeing: 2,
      reasons: [{ code: "chain.head_outlier" }],
    })
  })

  it("about the life of a blockhash neither shortens it nor makes it endless", async () => {
    const liar: Backend = { lie: changeLife((honest) => honest - 149) }
    const { port, signed } = await openDeposit([liar, {}, {}], {
      asset: SOL,
      units: 1_000_000_000n,
    })
    // Over by the lie, and far from the true end: the slots go on while the test waits.
    await local.advance(40)
    expect(await port.observeTransaction(signed)).toEqual({ status: "unseen" })
    await send(port, signed)
    liar.lie = changeLife(() => 10 ** 9)
    const { signed: second } = await openDeposit([liar, {}, {}], {
      asset: SOL,
      units: 1_000_000_000n,
    })
    expect(second.plan.expiresAtHeight).toBeLessThan(10n ** 6n)
  })
})

describe("one of two endpoints that is dead, or contradicts the other", () => {
  it("stops new reads and endings, while the order is watched and refunded", async () => {
    const second: Backend = {}
    const { port, unfunded, signed, swap, deposit } = await openDeposit([{}, second], {
      asset: SOL,
      units: 1_000_000_000n,
      timelock: 60,
    })
    await send(port, signed)
    await local.advance(100)
    Object.assign(second, { page: { status: 403, text: "<html>Forbidden</html>" } })
    await expect(port.fetchBalance(SOL, NONE)).rejects.toMatchObject({
      code: "solana.agreement_short",
      disposition: "transient",
    })
    await expect(port.fetchHeight()).rejects.toMatchObject({ code: "solana.agreement_short" })
    expect(await port.fetchAgreement()).toMatchObject({
      needed: 2,
      agreeing: 1,
      reasons: [{ code: "chain.agreement_short" }],
    })
    const leg = await port.observeLeg(unfunded)
    expect(leg).toMatchObject({ agreed: false, initiated: { txid: signed.txid, final: false } })
    expect(leg.doubts).toMatchObject([{ code: "chain.agreement_short" }])
    expect(await port.observeTransaction(signed)).toMatchObject({ status: "mined", final: false })
    const refund = await port.planTransaction(
      { action: "refund", asset: SOL, deposit, swapId: swap.swapId },
      NONE,
    )
    if ("refused" in refund) throw new Error(JSON.stringify(refund.refused))
    const refunded = await port.signTransaction(refund)
    await port.broadcastTransaction(refunded)
    await local.advance(FINAL_SLOTS)
    expect(await port.observeLeg(unfunded)).toMatchObject({
      refunded: { txid: refunded.txid, final: false },
    })
    delete second.page
    expect(await port.observeLeg(unfunded)).toMatchObject({
      refunded: { txid: refunded.txid, final: true },
    })
  })

  it("never shows a contradicted payout, and reports both balances", async () => {
    const liar: Backend = {}
    const { port } = await openPort([liar, {}])
    const { swap, secret, query } = await openDestination(port)
    await local.advance(FINAL_SLOTS)
    liar.lie = await forgeRedemption(port, swap, secret)
    const leg = await port.observeLeg(query)
    expect(leg).toMatchObject({ agreed: false, redeemed: null, initiated: { final: true } })
    expect(leg.doubts?.[0]?.["answers"]).toContain("127.0.0.1")
    liar.lie = (method, _params, honest) =>
      method === "getBalance" ? { ...context(honest), value: 7 } : undefined
    const failure = await port.native?.fetchNativeBalance().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: "solana.disagreement", disposition: "transient" })
    // CAST: an AppError, by the line above.
    const { details } = failure as AppError
    expect(String(details["answers"]).split(" | ")).toHaveLength(2)
  })

  it("lets a refund pass a first endpoint that shows the swap account as closed", async () => {
    const liar: Backend = {}
    const { port, signed, swap, deposit } = await openDeposit([liar, {}], {
      asset: SOL,
      units: 1_000_000_000n,
      timelock: 20,
    })
    await send(port, signed)
    await local.advance(60)
    liar.lie = (method, _params, honest) =>
      method === "getAccountInfo" ? { ...context(honest), value: null } : undefined
    const refund = await port.planTransaction(
      { action: "refund", asset: SOL, deposit, swapId: swap.swapId },
      NONE,
    )
    expect(refund).toMatchObject({ action: "refund" })
  })
})

function context(honest: unknown): object {
  // CAST: an RPC answer with a context.
  return { context: (honest as { context: object }).context }
}

function changeLife(change: (honest: number) => number): NonNullable<Backend["lie"]> {
  return (method, _params, honest) => {
    if (method !== "getLatestBlockhash") return undefined
    // CAST: the answer of getLatestBlockhash.
    const { context: at, value } = honest as {
      context: object
      value: { lastValidBlockHeight: number }
    }
    return {
      context: at,
      value: { ...value, lastValidBlockHeight: change(value.lastValidBlockHeight) },
    }
  }
}

/**
 * Invents a redemption that was never sent. The service knows the secret, and anybody may sign a
 * redemption; so an endpoint that works for the service can show one with valid signatures, and
 * invent its block and the payment.
 */
async function forgeRedemption(
  port: ChainPort,
  swap: LocalSwap,
  secret: string,
): Promise<NonNullable<Backend["lie"]>> {
  const account = swap.extra["address"] ?? ""
  const liar = Keypair.generate()
  const keys = [account, swap.initiator, swap.redeemer].map((name) => {
    return { pubkey: new PublicKey(name), isSigner: false, isWritable: true }
  })
  const data = Buffer.from(DISCRIMINATORS.redeem + secret, "hex")
  const redeem = new TransactionInstruction({ programId: htlcProgram.id, keys, data })
  const parts = { payerKey: liar.publicKey, recentBlockhash: swap.redeemer, instructions: [redeem] }
  const transaction = new VersionedTransaction(
    new TransactionMessage(parts).compileToLegacyMessage(),
  )
  transaction.sign([liar])
  const signature = base58.encode(transaction.signatures[0] ?? Buffer.alloc(64))
  const slot = Number(await port.fetchHeight())
  const payee = transaction.message.staticAccountKeys.findIndex(
    (one) => one.toBase58() === swap.redeemer,
  )
  const preBalances = transaction.message.staticAccountKeys.map(() => 10_000_000_000)
  const postBalances = preBalances.map((balance, index) =>
    index === payee ? balance + Number(swap.units) : balance,
  )
  const bytes = [Buffer.from(transaction.serialize()).toString("base64"), "base64"]
  const found = {
    slot,
    transaction: bytes,
    meta: { err: null, fee: 5_000, preBalances, postBalances },
  }
  const entry = { signature, slot, err: null, confirmationStatus: "finalized" }
  return (method, params, honest) => {
    if (method === "getAccountInfo" && params[0] === account)
      return { ...context(honest), value: null }
    // CAST: the honest list of the account's signatures.
    if (method === "getSignaturesForAddress" && params[0] === account)
      return [entry, ...(honest as unknown[])]
    return method === "getTransaction" && params[0] === signature ? found : undefined
  }
}

describe("a transaction that our key signed without Ballast", () => {
  it("is found when one endpoint of two shows it, and one that an endpoint makes up is not", async () => {
    const user = Keypair.generate()
    const backends: Backend[] = [
      {},
      { lie: (method) => (method === "getSignaturesForAddress" ? [] : undefined) },
    ]
    const { port } = await openPort(backends, user)
    const fetchUses = mustExist(port.uses?.fetchUses, "fetchUses")
    const { mark } = await fetchUses(null)
    const txid = await sendFrom(user)
    await local.advance(FINAL_SLOTS)
    expect(await fetchUses(mark)).toMatchObject({ used: [{ txid }] })
    expect(await fetchUses(mark, (known) => known === txid)).toMatchObject({ used: [] })
    const other = Keypair.generate()
    await local.fund(other.publicKey.toBase58(), SOL, 1_000_000_000n)
    const foreign = await sendFrom(other)
    await local.advance(FINAL_SLOTS)
    const found = await new Connection(local.url, "confirmed").getSignatureStatus(foreign)
    const entry = {
      signature: foreign,
      slot: found.context.slot - FINAL_SLOTS,
      err: null,
      confirmationStatus: "finalized",
    }
    backends[1] = Object.assign(backends[1] ?? {}, {
      lie: (method: string) => (method === "getSignaturesForAddress" ? [entry] : undefined),
    })
    expect((await fetchUses(mark)).used).toMatchObject([{ txid }])
  })
})

/** A payment of this key to another account. */
async function sendFrom(user: Keypair): Promise<string> {
  const connection = new Connection(local.url, "confirmed")
  const payee = Keypair.generate().publicKey
  const payment = SystemProgram.transfer({
    fromPubkey: user.publicKey,
    toPubkey: payee,
    lamports: 10_000_000,
  })
  return connection.sendTransaction(new Transaction().add(payment), [user])
}

type Behind = Backend | readonly Backend[]

async function openPort(
  backends: readonly Behind[],
  user = Keypair.generate(),
): Promise<{ port: ChainPort }> {
  const rpc: string[] = []
  for (const behind of backends) {
    // CAST: a readonly array is an array at run time.
    const address = await startSolanaBackends(
      local.url,
      Array.isArray(behind) ? behind : [behind as Backend],
    )
    addresses.push(address)
    rpc.push(address.url)
  }
  const port = createSolanaChain({
    chain: CHAIN,
    rpc,
    key: new Secret(JSON.stringify([...user.secretKey]), "env:SOLANA_KEY"),
    commitment: "confirmed",
    confirmations: null,
    maxPriorityFeeMicroLamports: 1_000_000n,
    timeoutMs: 5_000,
    assets: local.assets.map(({ id, decimals, token, htlc }) => {
      return { id: parseAssetId(id), chain: CHAIN, decimals, token, htlc: [htlc ?? ""] }
    }),
    clock: systemClock,
  })
  await local.fund(port.account, SOL, 5_000_000_000n)
  await local.fund(port.account, USDC, 5_000_000n)
  await local.advance(FINAL_SLOTS)
  return { port }
}

type Opened = {
  readonly port: ChainPort
  readonly swap: LocalSwap
  readonly secret: string
  readonly deposit: VerifiedDeposit
  readonly signed: SignedTransaction
  readonly unfunded: UnfundedQuery
}

/** A wallet with a signed deposit that is not sent yet. */
async function openDeposit(
  backends: readonly Behind[],
  { asset, units, timelock = 216_000 }: { asset: AssetId; units: bigint; timelock?: number },
): Promise<Opened> {
  const { port } = await openPort(backends)
  const { secret, secretHash } = drawSecret()
  const fromHeight = await port.fetchHeight()
  const described = await local.describeSource({
    assetId: asset,
    units,
    owner: port.account,
    secretHash,
    timelock,
  })
  const { swap, response } = described
  const hex = String(response["versioned_tx"])
  const transaction = /^[0-9a-f]+$/.test(hex) ? Buffer.from(hex, "hex").toString("base64") : hex
  // CAST: decoding reads no order, and the test stands in for verifyDeposit.
  const deposit = port.decodeDeposit(
    { family: "solana", transaction },
    {} as ServiceOrder,
    asset,
  ) as VerifiedDeposit
  expect(deposit.findings).toEqual([])
  const plan = await port.planTransaction({ action: "initiate", asset, deposit }, NONE)
  if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
  const signed = await port.signTransaction(plan)
  const query = legQueryOf(swap, { asset, htlc: deposit.htlc, owner: port.account, fromHeight })
  return { port, swap, secret, deposit, signed, unfunded: { ...query, signed: [signed] } }
}

async function openDestination(
  port: ChainPort,
): Promise<{ swap: LocalSwap; secret: string; query: LegQuery }> {
  const { secret, secretHash } = drawSecret()
  const owner = port.account
  const fromHeight = await port.fetchHeight()
  const request = { assetId: SOL, units: 1_000_000n, owner, secretHash, timelock: 18_000 }
  const swap = await local.describeDestination(request)
  await local.initiate(swap)
  return { swap, secret, query: legQueryOf(swap, { asset: SOL, htlc: null, owner, fromHeight }) }
}

async function send(port: ChainPort, signed: SignedTransaction): Promise<TransactionObservation> {
  await port.broadcastTransaction(signed)
  for (let tries = 0; tries < 100; tries++) {
    // A balanced address may name a transaction by one node and miss it by the other.
    const observed = await port.observeTransaction(signed).catch(() => null)
    if (observed?.status === "mined") return observed
    await local.advance(1)
  }
  throw new Error("the deposit never landed")
}
