import { createHash } from "node:crypto"
import { Keypair, type PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { Payout } from "#domain/payout.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { Secret } from "#lib/secret.ts"
import {
  buildRedeem,
  buildRefund,
  deriveSwapAccount,
  SWAP_ACCOUNT_BYTES,
  SWAP_ACCOUNT_DISCRIMINATOR,
} from "../htlc.ts"
import { openSolanaKey } from "../keys/open-key.ts"
import { buildSplRedeem, deriveSwapData, SPL_SWAP_BYTES } from "../spl-htlc.ts"
import { buildCreateTokenAccount, deriveTokenAccount } from "../tokens.ts"
import type { Wallet } from "../wallet.ts"
import { assembleMessage, digestOf, feeOf, unitLimitOf } from "./assemble.ts"
import { checkPlan } from "./check-plan.ts"
import { findOpenPayout } from "./redeem.ts"

const chain = toChainId("solana_testnet")
const pair = Keypair.generate()
const us = pair.publicKey
const key = (): PublicKey => Keypair.generate().publicKey
const [stranger, solver, sponsor, mint, otherMint] = [key(), key(), key(), key(), key()] as const
const [native, spl] = [key(), key()] as const
const secret = Buffer.alloc(32, 9)
const secretHash = createHash("sha256").update(secret).digest()
const blockhash = key().toBase58()
const assetOf = (name: string, token: PublicKey | null): Asset => ({
  id: parseAssetId(`solana_testnet:${name}`),
  chain,
  decimals: 6,
  token: token?.toBase58() ?? null,
  htlc: [`${token === null ? native : spl}`],
})
const sol = assetOf("sol", null)
const usdc = assetOf("usdc", mint)
const cbbtc = assetOf("cbbtc", otherMint)
const wallet: Wallet = {
  chain,
  account: `${us}`,
  assets: [sol, cbbtc, usdc],
  maxPriorityFeeMicroLamports: 10n,
}
const swapData = deriveSwapData(spl, solver, secretHash)
const redeemSol = buildRedeem(native, { initiator: solver, redeemer: us }, secret)
const redeemUsdc = buildSplRedeem(spl, { redeemer: us, mint }, { swapData, sponsor }, secret)

function planOf(
  token: string | null,
  ...instructions: readonly TransactionInstruction[]
): TransactionPlan {
  const parts = {
    account: `${us}`,
    blockhash,
    unitLimit: unitLimitOf(token),
    unitPriceMicroLamports: 1n,
  }
  const message = Buffer.from(assembleMessage({ ...parts, instructions }))
  return {
    chain,
    account: `${us}`,
    action: "redeem",
    attempt: 0,
    unsigned: message.toString("base64"),
    digest: digestOf(message),
    resources: [],
    spends: [],
    maxFeeUnits: feeOf(unitLimitOf(token), 1n),
    fromHeight: 1n,
    expiresAtHeight: 150n,
  }
}

const ofSol = (...instructions: readonly TransactionInstruction[]) => planOf(null, ...instructions)
const ofUsdc = (...instructions: readonly TransactionInstruction[]) =>
  planOf(usdc.token, ...instructions)

function changeKey(
  instruction: TransactionInstruction,
  at: number,
  pubkey: PublicKey,
): TransactionInstruction {
  const keys = instruction.keys.map((one, index) => (index === at ? { ...one, pubkey } : one))
  return new TransactionInstruction({ ...instruction, keys })
}

function codeOf(action: () => unknown): string {
  try {
    action()
    return "signed"
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error)
  }
}

describe("the plan of a redemption", () => {
  const transfer = SystemProgram.transfer({ fromPubkey: us, toPubkey: stranger, lamports: 1 })
  const wrongSecret = Buffer.concat([redeemSol.data.subarray(0, 8), Buffer.alloc(32, 8)])

  it("is allowed for a payout to us alone", () => {
    for (const plan of [ofSol(redeemSol), ofUsdc(redeemUsdc)])
      expect(codeOf(() => checkPlan(plan, wallet))).toBe("signed")
  })

  it.each([
    ["pays another redeemer", ofSol(changeKey(redeemSol, 2, stranger))],
    ["opens another swap account", ofSol(changeKey(redeemSol, 0, stranger))],
    [
      "names an initiator that does not give the swap account",
      ofSol(changeKey(redeemSol, 1, stranger)),
    ],
    ["has another secret", ofSol(new TransactionInstruction({ ...redeemSol, data: wrongSecret }))],
    ["pays into another token account", ofUsdc(changeKey(redeemUsdc, 3, stranger))],
    ["pays from another vault", ofUsdc(changeKey(redeemUsdc, 2, stranger))],
    ["names another identity", ofUsdc(changeKey(redeemUsdc, 0, stranger))],
    ["calls another token program", ofUsdc(changeKey(redeemUsdc, 5, stranger))],
    [
      "pays the account of another mint",
      ofUsdc(changeKey(redeemUsdc, 3, deriveTokenAccount(us, otherMint))),
    ],
    [
      "calls another program",
      ofSol(new TransactionInstruction({ ...redeemSol, programId: stranger })),
    ],
    ["first opens our token account", ofUsdc(buildCreateTokenAccount(us, mint), redeemUsdc)],
    ["first sends lamports", ofSol(transfer, redeemSol)],
    ["also sends lamports", ofSol(redeemSol, transfer)],
    ["redeems twice", ofSol(redeemSol, redeemSol)],
    ["refunds", ofSol(buildRefund(native, us, secretHash))],
    ["is called a refund", { ...ofSol(redeemSol), action: "refund" as const }],
    ["is called a deposit", { ...ofSol(redeemSol), action: "initiate" as const }],
    ["is booked as a payment", { ...ofSol(redeemSol), spends: [{ asset: sol.id, units: 1n }] }],
    ["costs more than planned", { ...ofSol(redeemSol), maxFeeUnits: 5_000n }],
    ["is for another wallet", { ...ofSol(redeemSol), account: `${stranger}` }],
    ["has another digest", { ...ofSol(redeemSol), digest: "00".repeat(32) }],
  ])("is refused if it %s", (_case, plan) => {
    expect(codeOf(() => checkPlan(plan, wallet))).toBe("signer.plan_mismatch")
  })

  it("is for the signer process an action that takes only its fee", () => {
    const text = JSON.stringify([...pair.secretKey])
    // CAST: the fields that a key holder reads.
    const config = { chain, key: new Secret(text, "env:KEY"), maxPriorityFee: 10n } as Parameters<
      typeof openSolanaKey
    >[0]
    const keys = openSolanaKey(config, { assets: wallet.assets, foreignRefundKeys: false })
    const context = { order: "a", deposit: null }
    for (const plan of [ofSol(redeemSol), ofUsdc(redeemUsdc)])
      expect(keys.readTransaction(plan, context)).toMatchObject({
        action: "redeem",
        deposit: null,
        allowance: null,
        spends: [],
        resources: [],
        isExclusive: false,
        feeUnits: plan.maxFeeUnits,
        redeemsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
  })
})

describe("the swap account of a payout", () => {
  const payout: Payout = {
    asset: sol.id,
    htlc: null,
    swapId: "00",
    secretHash: secretHash.toString("hex"),
    units: 5n,
    owner: `${us}`,
    initiator: `${solver}`,
    redeemer: `${us}`,
    delegate: null,
    timelock: 10n,
  }
  const swapAccount = `${deriveSwapAccount(native, solver, secretHash)}`
  type Terms = { units: bigint; initiator: PublicKey; redeemer: PublicKey; hash: Buffer }
  const right: Terms = { units: 5n, initiator: solver, redeemer: us, hash: secretHash }

  function nativeRecord({ units, initiator, redeemer, hash }: Terms): Buffer<ArrayBuffer> {
    const data = Buffer.alloc(SWAP_ACCOUNT_BYTES)
    data.write(SWAP_ACCOUNT_DISCRIMINATOR, "hex")
    data.writeBigUInt64LE(units, 8)
    data.writeBigUInt64LE(99n, 16)
    Buffer.concat([initiator.toBytes(), redeemer.toBytes(), hash]).copy(data, 24)
    return data
  }

  function splRecord({ units, initiator, redeemer, hash }: Terms): Buffer<ArrayBuffer> {
    const data = Buffer.alloc(SPL_SWAP_BYTES)
    data.write(SWAP_ACCOUNT_DISCRIMINATOR, "hex")
    Buffer.concat([initiator.toBytes(), redeemer.toBytes(), hash]).copy(data, 16)
    data.writeBigUInt64LE(units, 112)
    sponsor.toBuffer().copy(data, 121)
    return data
  }

  const find = (
    at: string,
    owner: PublicKey,
    data: Buffer<ArrayBuffer>,
    change: Partial<Payout> = {},
    told = secret,
  ) =>
    findOpenPayout(
      {
        action: "redeem",
        asset: payout.asset,
        payout: { ...payout, ...change },
        secret: told.toString("hex"),
      },
      wallet,
      async (address) =>
        address === at ? { owner: `${owner}`, data, lamports: 1n, executable: false } : null,
    )
  const codes = async (...question: Parameters<typeof find>) => {
    const found = await find(...question)
    return "refused" in found ? found.refused.map(({ code }) => code) : "found"
  }

  it("is found by initiator and secret hash alone, and names the sponsor", async () => {
    expect(await find(swapAccount, native, nativeRecord(right))).toMatchObject({
      units: 5n,
      call: redeemSol,
    })
    const ofToken = await find(`${swapData}`, spl, splRecord(right), { asset: usdc.id })
    expect(ofToken).toMatchObject({ asset: usdc, call: redeemUsdc })
  })

  it.each<[string, Partial<Terms>]>([
    ["amount", { units: 4n }],
    ["initiator", { initiator: stranger }],
    ["redeemer", { redeemer: stranger }],
    ["secret hash", { hash: Buffer.alloc(32) }],
  ])("is none with another %s", async (_field, change) => {
    expect(await codes(swapAccount, native, nativeRecord({ ...right, ...change }))).toEqual([
      "solana.redeem_nothing",
    ])
    const data = splRecord({ ...right, ...change })
    expect(await codes(`${swapData}`, spl, data, { asset: usdc.id })).toEqual([
      "solana.redeem_nothing",
    ])
  })

  it("is none of another program, at another address, or with other data", async () => {
    expect(await codes(swapAccount, stranger, nativeRecord(right))).toEqual([
      "solana.redeem_nothing",
    ])
    expect(await codes(`${stranger}`, native, nativeRecord(right))).toEqual([
      "solana.redeem_nothing",
    ])
    expect(await codes(swapAccount, native, Buffer.alloc(8))).toEqual(["solana.redeem_nothing"])
    const htlc = `${stranger}`
    expect(await codes(swapAccount, native, nativeRecord(right), { htlc })).toEqual([
      "solana.redeem_nothing",
    ])
  })

  it("is refused for a payout to another account, and for another secret", async () => {
    const data = nativeRecord(right)
    const asset = parseAssetId("solana_testnet:other")
    for (const change of [
      { redeemer: `${stranger}` },
      { owner: `${stranger}` },
      { initiator: "" },
      { asset },
    ])
      expect(await codes(swapAccount, native, data, change)).toEqual(["solana.redeem_not_ours"])
    const theirs = { redeemer: `${stranger}`, owner: `${stranger}` }
    const record = nativeRecord({ ...right, redeemer: stranger })
    expect(await codes(swapAccount, native, record, theirs)).toEqual(["solana.redeem_not_ours"])
    for (const told of [Buffer.alloc(32), Buffer.alloc(0)])
      expect(await codes(swapAccount, native, data, {}, told)).toEqual(["solana.redeem_secret"])
  })
})
