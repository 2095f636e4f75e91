import { createHash, randomBytes } from "node:crypto"
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  MessageV0,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  VersionedTransaction,
} from "@solana/web3.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createSolanaChain } from "#chains/solana/create-chain.ts"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
} from "#domain/transaction.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { LocalChain, LocalSwap } from "#sandbox/local-chain.ts"
import { legQueryOf } from "../../support/leg-query.ts"
import { openSolana } from "../local-chains.ts"

const CHAIN = toChainId("solana_testnet")
const SOL = parseAssetId("solana_testnet:sol")
const FEE = 5_000n
const RENT = 1_726_080n
const UNITS = 1_000_000_000n
const START = 5_000_000_000n
const NONE: ReadonlySet<string> = new Set()

let local: LocalChain

beforeAll(async () => {
  local = await openSolana()
})

afterAll(async () => local.stop())

describe("a deposit from Solana", () => {
  it("is decoded, planned, signed, sent and observed by both sides, at the planned cost", async () => {
    const { port, swap, secret, deposit } = await openSource(local)
    expect(deposit.findings).toEqual([])
    expect(deposit).toMatchObject({
      units: UNITS,
      redeemer: swap.redeemer,
      timelock: 216_000n,
      secretHash: swap.secretHash,
    })
    const plan = await planInitiate(port, deposit)
    expect(plan.spends).toEqual([{ asset: SOL, units: UNITS }])
    expect(plan.resources).toEqual([`order-pda:${swap.extra["address"]}`])
    expect(plan.maxFeeUnits).toBe(FEE + RENT)

    const transaction = await port.signTransaction(plan)
    expect(await port.signTransaction(plan)).toEqual(transaction)
    expect(await port.observeTransaction(transaction)).toEqual({ status: "unseen" })
    await port.broadcastTransaction(transaction)
    await port.broadcastTransaction(transaction)
    const mined = await waitUntilMined(port, transaction)
    expect(mined).toMatchObject({ ok: true, final: true, feeUnits: FEE })
    expect((await port.fetchBalance(SOL, NONE)).units).toBe(START - UNITS - RENT - FEE)
    expect((await local.observeSwap(swap)).initiated).toMatchObject({
      txHash: transaction.txid,
      filledUnits: UNITS,
    })

    const query = sourceQuery(swap, deposit)
    const locked = await port.observeLeg(query)
    expect(locked).toMatchObject({
      initiated: { txid: transaction.txid, units: UNITS, final: true },
      redeemed: null,
      refunded: null,
    })
    expect(locked.refundableAt).toBe((locked.initiated?.height ?? 0n) + 216_001n)

    const redeemTx = await local.redeem(swap, secret)
    const redeemed = await port.observeLeg(query)
    expect(redeemed.redeemed).toMatchObject({ txid: redeemTx, secret, paidUnits: null })
    expect(redeemed.initiated?.units).toBe(UNITS)
  })

  it("is refused a second time, both while the first is planned and after it is on chain", async () => {
    const { port, deposit } = await openSource(local)
    const plan = await planInitiate(port, deposit)
    expect(await refusalCodes(port, deposit, new Set(plan.resources))).toEqual(["claims.taken"])
    await sendAndWait(port, plan)
    expect(await refusalCodes(port, deposit)).toEqual(["solana.already_initiated"])
  })

  it("is refused if the account cannot pay amount, rent, fee and its own rent minimum", async () => {
    const { port, deposit } = await openSource(local, { fund: UNITS + RENT + FEE })
    expect(await refusalCodes(port, deposit)).toEqual(["funds.insufficient"])
    const answer = await port.planTransaction({ action: "initiate", asset: SOL, deposit }, NONE)
    expect(answer).toMatchObject({
      refused: [{ haveUnits: `${UNITS + RENT + FEE}`, keepUnits: "890880" }],
    })
  })

  it("is refused if the dry run fails, with the program's message", async () => {
    const { port, deposit } = await openSource(local)
    const answer = await port.planTransaction(
      { action: "initiate", asset: SOL, deposit: verified({ ...deposit, timelock: 0n }) },
      NONE,
    )
    expect(answer).toMatchObject({ refused: [{ code: "solana.simulation" }] })
    expect(JSON.stringify(answer)).toContain("bad amount or slots")
  })

  it("is refused for a foreign program and for another owner", async () => {
    const { port, deposit } = await openSource(local)
    const stranger = Keypair.generate().publicKey.toBase58()
    expect(await refusalCodes(port, verified({ ...deposit, htlc: stranger }))).toEqual([
      "solana.foreign_deposit",
    ])
    expect(await refusalCodes(port, verified({ ...deposit, refundTo: stranger }))).toEqual([
      "solana.foreign_deposit",
    ])
  })

  it("resolves lookup tables, and is refused if one holds another account", async () => {
    const { port, user, swap, deposit, order } = await openSource(local)
    const stranger = Keypair.generate().publicKey
    const table = await createLookupTable(user, [
      new PublicKey(swap.extra["address"] ?? ""),
      stranger,
    ])
    const codesByIndex = [0, 1, 2].map(async (index) => {
      const request = {
        family: "solana",
        transaction: useLookupTable(order.transaction, table, index),
      } as const
      const decoded = port.decodeDeposit(request, NO_ORDER, SOL)
      expect(decoded).toMatchObject({ findings: [], units: deposit.units })
      return refusalCodes(port, verified(decoded))
    })
    expect(await Promise.all(codesByIndex)).toEqual([
      [],
      ["solana.lookup_table"],
      ["solana.lookup_table"],
    ])
  })
})

describe("a payment to Solana", () => {
  it("is observed from the initiate to the redeem that pays the owner", async () => {
    const { port } = await createWallet(local)
    const secret = randomBytes(32)
    const secretHash = createHash("sha256").update(secret).digest("hex")
    const request = {
      assetId: SOL,
      units: UNITS,
      owner: port.account,
      secretHash,
      timelock: 18_000,
    }
    const swap = await local.describeDestination(request)
    const query = destinationQuery(swap)
    expect(await port.observeLeg(query)).toMatchObject({
      initiated: null,
      redeemed: null,
      refunded: null,
      refundableAt: null,
    })
    const initiateTx = await local.initiate(swap)
    expect((await port.observeLeg(query)).initiated).toMatchObject({
      txid: initiateTx,
      units: UNITS,
      final: true,
    })
    const redeemTx = await local.redeem(swap, secret.toString("hex"))
    const redeemed = await port.observeLeg(query)
    expect(redeemed.redeemed).toMatchObject({
      txid: redeemTx,
      paidUnits: UNITS,
      secret: secret.toString("hex"),
    })

    // A query with another redeemer, another lock or no initiator does not match this HTLC.
    expect((await port.observeLeg({ ...query, owner: swap.initiator })).initiated).toBeNull()
    expect((await port.observeLeg({ ...query, timelock: 17_999n })).initiated).toBeNull()
    expect((await port.observeLeg({ ...query, initiator: null })).initiated).toBeNull()
    expect(
      (await port.observeLeg({ ...query, fromHeight: redeemed.height + 1n })).initiated,
    ).toBeNull()
  })
})

describe("a refund", () => {
  it("is refused up to the expiry slot, then we send it and it returns amount and rent", async () => {
    const { port, swap, deposit } = await openSource(local, { timelock: 15 })
    const refund = { action: "refund", asset: SOL, deposit, swapId: swap.swapId } as const
    expect(await port.planTransaction(refund, NONE)).toMatchObject({
      refused: [{ code: "solana.nothing_to_refund" }],
    })
    await sendAndWait(port, await planInitiate(port, deposit))
    expect(await port.planTransaction(refund, NONE)).toMatchObject({
      refused: [{ code: "solana.refund_early" }],
    })
    const { refundableAt } = await port.observeLeg(sourceQuery(swap, deposit))
    await local.advance(Number((refundableAt ?? 0n) - (await port.fetchHeight())) + 1)
    const plan = planned(await port.planTransaction(refund, NONE))
    expect(plan).toMatchObject({ action: "refund", spends: [], maxFeeUnits: FEE })
    const { txid } = await sendAndWait(port, plan)
    expect((await port.fetchBalance(SOL, NONE)).units).toBe(START - 2n * FEE)
    const leg = await port.observeLeg(sourceQuery(swap, deposit))
    expect(leg.refunded).toMatchObject({ txid, paidUnits: UNITS, final: true })
    expect(await port.uses?.readUse(txid)).toEqual({ txid, action: "refund", feeUnits: FEE })
    // A deposit is no call that another machine makes without the log.
    expect(await port.uses?.readUse(leg.initiated?.txid ?? "")).toBeNull()
  })
})

describe("an expired blockhash", () => {
  it(
    "proves that the transaction can never land once the finalized height has passed; then a " +
      "new plan is allowed",
    async () => {
      const fast = await openSolana(8)
      try {
        const { port, deposit } = await openSource(fast)
        const plan = await planInitiate(port, deposit)
        const transaction = await port.signTransaction(plan)
        expect(await port.planBump(plan)).toBeNull()
        const seen = new Set<string>()
        for (
          let observed = await port.observeTransaction(transaction);
          ;
          observed = await port.observeTransaction(transaction)
        ) {
          seen.add(observed.status)
          if (observed.status === "excluded") {
            expect(observed).toEqual({ status: "excluded", by: "expired", final: true })
            break
          }
          expect(observed.status).toBe("unseen")
          await fast.advance(5)
        }
        expect(seen.has("unseen")).toBe(true)
        await expect(port.broadcastTransaction(transaction)).rejects.toMatchObject({
          disposition: "uncertain",
        })
        const again = await planInitiate(port, deposit)
        expect(again.digest).not.toBe(plan.digest)
        await sendAndWait(port, again)
        expect(await port.observeTransaction(transaction)).toMatchObject({ status: "excluded" })
      } finally {
        await fast.stop()
      }
    },
  )

  it("excludes a redemption that was never sent; then a new one redeems the payout", async () => {
    const fast = await openSolana(8)
    try {
      const { port } = await createWallet(fast)
      const secret = randomBytes(32)
      const secretHash = createHash("sha256").update(secret).digest("hex")
      const owner = port.account
      const swap = await fast.describeDestination({
        assetId: SOL,
        units: UNITS,
        owner,
        secretHash,
        timelock: 18_000,
      })
      await fast.initiate(swap)
      const query = destinationQuery(swap)
      const { swapId, initiator, redeemer, timelock } = swap
      const parties = { swapId, initiator, redeemer, delegate: null, timelock: BigInt(timelock) }
      const payout = { asset: SOL, htlc: query.htlc, secretHash, units: UNITS, owner, ...parties }
      const request = {
        action: "redeem",
        asset: SOL,
        payout,
        secret: secret.toString("hex"),
      } as const
      const first = await port.signTransaction(planned(await port.planTransaction(request, NONE)))
      expect(await port.planBump(first.plan)).toBeNull()
      while ((await port.observeTransaction(first)).status === "unseen") await fast.advance(5)
      expect(await port.observeTransaction(first)).toEqual({
        status: "excluded",
        by: "expired",
        final: true,
      })
      const { txid } = await sendAndWait(port, planned(await port.planTransaction(request, NONE)))
      expect((await port.observeLeg(query)).redeemed).toMatchObject({ txid, paidUnits: UNITS })
      expect(await port.uses?.readUse(txid)).toEqual({ txid, action: "redeem", feeUnits: FEE })
    } finally {
      await fast.stop()
    }
  })
})

describe("the wallet", () => {
  it("reads addresses, fees and balances, and refuses unsupported requests", async () => {
    const { port } = await createWallet(local)
    expect(port.isAddress(port.account)).toBe(true)
    for (const text of ["", "11", `1${port.account}`, `${port.account} `, "0x00"]) {
      expect(port.isAddress(text)).toBe(false)
    }
    expect(port.sameAddress(port.account, port.account)).toBe(true)
    expect(port.sameAddress(port.account, port.account.toLowerCase())).toBe(false)
    expect(await port.fetchBalance(SOL, NONE)).toEqual({
      units: START,
      spendableUnits: START - 890_880n,
    })
    expect(await port.fetchBalance(TOKEN.id, NONE)).toEqual({ units: 0n, spendableUnits: 0n })
    expect(await port.estimateFees(SOL)).toEqual({
      depositUnits: FEE + 100_000n + RENT,
      refundUnits: FEE + 100_000n,
    })
    expect(await port.findMissingApproval(SOL, "x", 1n)).toBeNull()
    const approve = { action: "approve", asset: SOL, spender: "x", units: 1n } as const
    expect(await port.planTransaction(approve, NONE)).toMatchObject({
      refused: [{ code: "solana.no_approvals" }],
    })
    const { deposit } = await openSource(local)
    await expect(port.signTypedData(deposit)).rejects.toMatchObject({
      code: "signer.gasless_unsupported",
    })
    await expect(
      port.fetchBalance(parseAssetId("solana_testnet:nope"), NONE),
    ).rejects.toMatchObject({
      disposition: "refused",
    })
  })

  it("cannot void a transaction", async () => {
    const { port, deposit } = await openSource(local)
    const voids = await planInitiate(port, deposit)
    await expect(port.planTransaction({ action: "void", voids }, NONE)).rejects.toMatchObject({
      code: "solana.void_unsupported",
    })
  })

  it("treats a broadcast without an answer, or with a node's refusal, as uncertain", async () => {
    const { port, user, deposit } = await openSource(local)
    const transaction = await port.signTransaction(await planInitiate(port, deposit))
    const unreachable = walletOf(user, "http://127.0.0.1:1", local)
    await expect(unreachable.broadcastTransaction(transaction)).rejects.toMatchObject({
      disposition: "uncertain",
    })
    const broken = VersionedTransaction.deserialize(Buffer.from(transaction.raw, "base64"))
    broken.signatures[0]?.fill(7, 0, 4)
    const raw = Buffer.from(broken.serialize()).toString("base64")
    await expect(port.broadcastTransaction({ ...transaction, raw })).rejects.toMatchObject({
      disposition: "uncertain",
    })
    await expect(unreachable.observeTransaction(transaction)).rejects.toMatchObject({
      disposition: "transient",
    })
  })
})

const TOKEN: Asset = {
  id: parseAssetId("solana_testnet:usdc"),
  chain: CHAIN,
  decimals: 6,
  token: Keypair.generate().publicKey.toBase58(),
  htlc: [],
}

// CAST: decoding a Solana deposit does not read the order; verifyDeposit compares the two later.
const NO_ORDER = {} as ServiceOrder

function walletOf(user: Keypair, url: string, chain: LocalChain): ChainPort {
  const htlc = chain.assets.flatMap((asset) => asset.htlc ?? [])
  return createSolanaChain({
    chain: CHAIN,
    rpc: [url],
    key: new Secret(JSON.stringify([...user.secretKey]), "env:SOLANA_KEY"),
    commitment: "confirmed",
    confirmations: 1,
    maxPriorityFeeMicroLamports: 1_000_000n,
    usualPriorityFeeMicroLamports: 0n,
    timeoutMs: 5_000,
    assets: [{ id: SOL, chain: CHAIN, decimals: 9, token: null, htlc }, TOKEN],
    clock: systemClock,
  })
}

async function createWallet(
  chain: LocalChain,
  fund = START,
): Promise<{ port: ChainPort; user: Keypair }> {
  const user = Keypair.generate()
  const port = walletOf(user, chain.url, chain)
  await chain.fund(port.account, SOL, fund)
  return { port, user }
}

async function openSource(chain: LocalChain, options: { timelock?: number; fund?: bigint } = {}) {
  const { port, user } = await createWallet(chain, options.fund)
  const secret = randomBytes(32)
  const { swap, response } = await chain.describeSource({
    assetId: SOL,
    units: UNITS,
    owner: port.account,
    secretHash: createHash("sha256").update(secret).digest("hex"),
    timelock: options.timelock ?? 216_000,
  })
  const transaction = Buffer.from(String(response["versioned_tx"]), "hex").toString("base64")
  const deposit = verified(port.decodeDeposit({ family: "solana", transaction }, NO_ORDER, SOL))
  return { port, user, swap, secret: secret.toString("hex"), deposit, order: { transaction } }
}

function verified(deposit: ReturnType<ChainPort["decodeDeposit"]>): VerifiedDeposit {
  // CAST: verifyDeposit makes this brand in the daemon; the test stands in for it.
  return deposit as VerifiedDeposit
}

function planned(answer: Awaited<ReturnType<ChainPort["planTransaction"]>>): TransactionPlan {
  if ("refused" in answer) throw new Error(JSON.stringify(answer.refused))
  return answer
}

async function planInitiate(port: ChainPort, deposit: VerifiedDeposit): Promise<TransactionPlan> {
  return planned(await port.planTransaction({ action: "initiate", asset: SOL, deposit }, NONE))
}

async function refusalCodes(
  port: ChainPort,
  deposit: VerifiedDeposit,
  reserved = NONE,
): Promise<string[]> {
  const answer = await port.planTransaction({ action: "initiate", asset: SOL, deposit }, reserved)
  return "refused" in answer ? answer.refused.map((reason) => reason.code) : []
}

async function sendAndWait(port: ChainPort, plan: TransactionPlan): Promise<SignedTransaction> {
  const transaction = await port.signTransaction(plan)
  await port.broadcastTransaction(transaction)
  expect(await waitUntilMined(port, transaction)).toMatchObject({ ok: true })
  return transaction
}

async function waitUntilMined(
  port: ChainPort,
  transaction: SignedTransaction,
): Promise<TransactionObservation> {
  for (;;) {
    const observed = await port.observeTransaction(transaction)
    if (observed.status === "mined") return observed
    expect(["unseen", "pending"]).toContain(observed.status)
    await local.advance(1)
  }
}

function sourceQuery(swap: LocalSwap, deposit: VerifiedDeposit): LegQuery {
  return { ...destinationQuery(swap), side: "source", owner: deposit.refundTo, htlc: deposit.htlc }
}

function destinationQuery(swap: LocalSwap): LegQuery {
  return legQueryOf(swap, { side: "destination", asset: SOL })
}

/** Creates a lookup table of this user with these addresses, usable from the next slot on. */
async function createLookupTable(user: Keypair, addresses: PublicKey[]): Promise<PublicKey> {
  const connection = new Connection(local.url, "confirmed")
  const parties = { authority: user.publicKey, payer: user.publicKey }
  const recentSlot = (await connection.getSlot("confirmed")) - 1
  const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
    ...parties,
    recentSlot,
  })
  const extend = AddressLookupTableProgram.extendLookupTable({ ...parties, lookupTable, addresses })
  await submit(connection, user, [create, extend])
  await local.advance(2)
  return lookupTable
}

async function submit(
  connection: Connection,
  user: Keypair,
  instructions: TransactionInstruction[],
): Promise<void> {
  const { blockhash } = await connection.getLatestBlockhash()
  const transaction = new Transaction({ recentBlockhash: blockhash, feePayer: user.publicKey }).add(
    ...instructions,
  )
  transaction.sign(user)
  await connection.sendRawTransaction(transaction.serialize())
}

/** The service's transaction as version 0, with its swap account from `table[index]`. */
function useLookupTable(base64: string, table: PublicKey, index: number): string {
  const { message } = VersionedTransaction.deserialize(Buffer.from(base64, "base64"))
  const [payer] = message.staticAccountKeys
  const data = message.compiledInstructions[0]?.data ?? new Uint8Array()
  const program = new PublicKey(local.assets[0]?.htlc ?? "")
  const budget = ComputeBudgetProgram.setComputeUnitLimit({ units: 99 })
  const built = new MessageV0({
    header: {
      numRequiredSignatures: 1,
      numReadonlySignedAccounts: 0,
      numReadonlyUnsignedAccounts: 3,
    },
    staticAccountKeys: [
      payer ?? PublicKey.default,
      SystemProgram.programId,
      program,
      budget.programId,
    ],
    recentBlockhash: message.recentBlockhash,
    compiledInstructions: [
      { programIdIndex: 3, accountKeyIndexes: [], data: budget.data },
      { programIdIndex: 2, accountKeyIndexes: [4, 0, 1], data },
    ],
    addressTableLookups: [{ accountKey: table, writableIndexes: [index], readonlyIndexes: [] }],
  })
  return Buffer.from(new VersionedTransaction(built).serialize()).toString("base64")
}
