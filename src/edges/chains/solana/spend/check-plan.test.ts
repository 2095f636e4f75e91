import { Keypair, type PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { buildSplInitiate, buildSplRefund, deriveSwapData } from "../spl-htlc.ts"
import { buildCreateTokenAccount, TOKEN_PROGRAM } from "../tokens.ts"
import type { Wallet } from "../wallet.ts"
import { assembleMessage, digestOf, unitLimitOf } from "./assemble.ts"
import { checkPlan } from "./check-plan.ts"

const chain = toChainId("solana_testnet")
const key = (): PublicKey => Keypair.generate().publicKey
const [us, stranger, program, mint, otherMint, redeemer] = [
  key(),
  key(),
  key(),
  key(),
  key(),
  key(),
] as const
const secretHash = Buffer.alloc(32, 7)
const blockhash = key().toBase58()
const asset = (name: string, token: PublicKey): Asset => {
  return {
    id: parseAssetId(`solana_testnet:${name}`),
    chain,
    decimals: 6,
    token: token.toBase58(),
    htlc: [`${program}`],
  }
}
const usdc = asset("usdc", mint)
const cbbtc = asset("cbbtc", otherMint)
const wallet: Wallet = {
  chain,
  account: `${us}`,
  assets: [cbbtc, usdc],
  maxPriorityFeeMicroLamports: 10n,
}
const terms = { units: 5n, slots: 10n, redeemer, secretHash }
const initiate = buildSplInitiate(program, { initiator: us, mint }, terms)
const swapData = deriveSwapData(program, us, secretHash)
const refund = buildSplRefund(program, { initiator: us, mint }, swapData)
const create = buildCreateTokenAccount(us, mint)

describe("the plan of a token", () => {
  it("may return the rent to the relay of a gasless deposit, which the program compares", () => {
    expect(() => checkPlan(returned(4, stranger), wallet)).not.toThrow()
  })

  it(
    "is allowed for our own deposit, for our refund, and for a refund that first creates our " +
      "token account",
    () => {
      expect(checkPlan(planOf([initiate]), wallet)).toEqual(messageOf([initiate]))
      for (const instructions of [[refund], [create, refund]]) {
        expect(checkPlan(refundOf(instructions), wallet)).toEqual(messageOf(instructions))
      }
      const withData = buildSplInitiate(
        program,
        { initiator: us, mint },
        { ...terms, destinationData: Buffer.from("x") },
      )
      expect(() => checkPlan(planOf([withData]), wallet)).not.toThrow()
    },
  )

  const tokens = (at: number, pubkey: PublicKey) => planOf([changeKey(initiate, at, pubkey)])
  const returned = (at: number, pubkey: PublicKey) => refundOf([changeKey(refund, at, pubkey)])
  const long = { ...terms, destinationData: Buffer.alloc(257) }
  const transfer = new TransactionInstruction({
    programId: TOKEN_PROGRAM,
    keys: [{ pubkey: us, isSigner: true, isWritable: false }],
    data: Buffer.concat([Buffer.of(3), Buffer.alloc(8, 1)]),
  })
  it.each([
    ["deposits into another vault", tokens(2, stranger)],
    ["takes from another token account", tokens(4, stranger)],
    ["names another mint", tokens(5, stranger)],
    ["names another configured mint with the accounts of this one", tokens(5, otherMint)],
    ["calls another token program", tokens(7, stranger)],
    [
      "deposits another amount",
      planOf([buildSplInitiate(program, { initiator: us, mint }, { ...terms, units: 6n })]),
    ],
    [
      "is booked as another token",
      { ...planOf([initiate]), spends: [{ asset: cbbtc.id, units: 5n }] },
    ],
    ["creates an account before a deposit", planOf([create, initiate])],
    [
      "has too much data for the destination chain",
      planOf([buildSplInitiate(program, { initiator: us, mint }, long)]),
    ],
    ["pays the refund to another account", returned(3, stranger)],
    ["refunds from another vault", returned(2, stranger)],
    [
      "creates another owner's account before a refund",
      refundOf([buildCreateTokenAccount(stranger, mint), refund]),
    ],
    [
      "creates an account of another mint before a refund",
      refundOf([buildCreateTokenAccount(us, otherMint), refund]),
    ],
    ["transfers tokens before a refund", refundOf([transfer, refund])],
    ["transfers tokens after a refund", refundOf([create, refund, transfer])],
    [
      "sends lamports before a refund",
      refundOf([
        SystemProgram.transfer({ fromPubkey: us, toPubkey: stranger, lamports: 1 }),
        refund,
      ]),
    ],
    ["does nothing but create an account", refundOf([create])],
  ])("is refused if it %s", (_case, plan) => {
    expect(codeOf(() => checkPlan(plan, wallet))).toBe("signer.plan_mismatch")
  })

  it("is refused for a sponsor that is not our account, although it cannot sign for us", () => {
    const sponsored = changeKey(initiate, 6, stranger)
    expect(codeOf(() => checkPlan(planOf([sponsored]), wallet))).toBe("signer.plan_mismatch")
  })
})

it(
  "the plan of a token is refused if it calls a program that is not configured, with all " +
    "accounts of that program",
  () => {
    const theirs = deriveSwapData(stranger, us, secretHash)
    const deposit = planOf([buildSplInitiate(stranger, { initiator: us, mint }, terms)])
    const plans = [
      { ...deposit, resources: [`order-pda:${theirs}`] },
      refundOf([buildSplRefund(stranger, { initiator: us, mint }, theirs)]),
    ]
    for (const plan of plans) {
      expect(() => checkPlan(plan, wallet)).toThrow("a program that is not a configured HTLC")
      const trusting = { ...wallet, assets: [{ ...usdc, htlc: [`${program}`, `${stranger}`] }] }
      expect(() => checkPlan(plan, trusting)).not.toThrow()
    }
  },
)

describe("the plan of a token account", () => {
  const opening = (instructions: readonly TransactionInstruction[]): TransactionPlan => {
    return { ...refundOf(instructions), action: "openTokenAccount" }
  }
  it("is allowed for our own account of a configured mint", () => {
    for (const token of [mint, otherMint]) {
      const instructions = [buildCreateTokenAccount(us, token)]
      expect(checkPlan(opening(instructions), wallet)).toEqual(messageOf(instructions))
    }
  })

  const transfer = SystemProgram.transfer({ fromPubkey: us, toPubkey: stranger, lamports: 1 })
  it.each([
    [
      "opens another owner's account",
      opening([changeKey(changeKey(create, 1, stranger), 2, stranger)]),
    ],
    [
      "opens the account of a mint that is not configured",
      opening([buildCreateTokenAccount(us, stranger)]),
    ],
    ["names another account than the derived one", opening([changeKey(create, 1, stranger)])],
    ["calls another token program", opening([changeKey(create, 5, stranger)])],
    [
      "fails if the account exists",
      opening([new TransactionInstruction({ ...create, data: Buffer.of(0) })]),
    ],
    ["opens two accounts", opening([create, buildCreateTokenAccount(us, otherMint)])],
    ["also sends lamports", opening([create, transfer])],
    ["also refunds", opening([create, refund])],
    ["only refunds", opening([refund])],
    ["only deposits", opening([initiate])],
    ["is booked as a payment", { ...opening([create]), spends: [{ asset: usdc.id, units: 1n }] }],
    ["is above its highest fee", { ...opening([create]), maxFeeUnits: 5_000n }],
  ])("is refused if it %s", (_case, plan) => {
    expect(codeOf(() => checkPlan(plan, wallet))).toBe("signer.plan_mismatch")
  })
})

function messageOf(instructions: readonly TransactionInstruction[]): Buffer {
  const parts = {
    account: `${us}`,
    blockhash,
    unitLimit: unitLimitOf(usdc.token),
    unitPriceMicroLamports: 1n,
  }
  return Buffer.from(assembleMessage({ ...parts, instructions }))
}

function planOf(instructions: readonly TransactionInstruction[]): TransactionPlan {
  const message = messageOf(instructions)
  return {
    chain,
    account: `${us}`,
    action: "initiate",
    attempt: 0,
    unsigned: message.toString("base64"),
    digest: digestOf(message),
    resources: [`order-pda:${swapData}`],
    spends: [{ asset: usdc.id, units: 5n }],
    maxFeeUnits: 10n ** 7n,
    fromHeight: 1n,
    expiresAtHeight: 150n,
  }
}

function refundOf(instructions: readonly TransactionInstruction[]): TransactionPlan {
  return { ...planOf(instructions), action: "refund", resources: [], spends: [] }
}

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
