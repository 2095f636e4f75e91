import { sign } from "node:crypto"
import { inspect } from "node:util"
import { base58 } from "@scure/base"
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { Secret } from "#lib/secret.ts"
import { buildInitiate, buildRefund, deriveSwapAccount } from "./htlc.ts"
import { createSigner } from "./signer.ts"
import { assembleMessage, digestOf, feeOf, unitLimitOf } from "./spend/assemble.ts"
import type { Wallet } from "./wallet.ts"

const UNIT_LIMIT = unitLimitOf(null)
const pair = Keypair.fromSeed(Buffer.alloc(32, 1))
const us = pair.publicKey
const stranger = Keypair.fromSeed(Buffer.alloc(32, 2)).publicKey
const program = Keypair.fromSeed(Buffer.alloc(32, 3)).publicKey
const blockhash = Keypair.fromSeed(Buffer.alloc(32, 4)).publicKey.toBase58()
const asset: Asset = {
  id: parseAssetId("solana_testnet:sol"),
  chain: toChainId("solana_testnet"),
  decimals: 9,
  token: null,
  htlc: [program.toBase58()],
}
const wallet: Wallet = {
  chain: asset.chain,
  account: us.toBase58(),
  assets: [asset],
  maxPriorityFeeMicroLamports: 1_000_000n,
}
const secretHash = Buffer.alloc(32, 7)
const initiate = buildInitiate(program, us, {
  units: 5n,
  slots: 10n,
  redeemer: stranger,
  secretHash,
})
const signer = createSigner(new Secret(base58.encode(pair.secretKey), "env:KEY"))

describe("the key", () => {
  it("is accepted in base 58 and as a JSON array", () => {
    const json = createSigner(new Secret(JSON.stringify([...pair.secretKey]), "file:key.json"))
    expect(json.account).toBe(us.toBase58())
    expect(signer.account).toBe(us.toBase58())
  })

  it("is refused in any other form, and the error does not repeat it", () => {
    const half = base58.encode(pair.secretKey.subarray(0, 32))
    const mixed = base58.encode(Buffer.concat([pair.secretKey.subarray(0, 32), stranger.toBytes()]))
    for (const text of [
      "",
      half,
      mixed,
      "[1,2,3]",
      "[1,2",
      `[${[...pair.secretKey].slice(0, 63)},256]`,
      "0xdeadbeef",
    ]) {
      const failure = attempt(() => createSigner(new Secret(text, "env:KEY")))
      expect(failure).toMatchObject({ code: "config.solana_key", disposition: "fatal" })
      if (text !== "") expect(inspect(failure, { depth: 9 })).not.toContain(text)
    }
  })
})

describe("signing", () => {
  it("gives the same bytes and id each time, with a correct signature", () => {
    const plan = planOf(initiate)
    const first = signer.signTransaction(plan, wallet)
    const second = signer.signTransaction(structuredClone(plan), wallet)
    expect(second).toEqual(first)
    const transaction = VersionedTransaction.deserialize(Buffer.from(first.raw, "base64"))
    expect(base58.encode(transaction.signatures[0] ?? new Uint8Array())).toBe(first.txid)
    // Compare with Node's own Ed25519 from the same seed: PKCS #8 is a fixed prefix and the seed
    // (RFC 8410).
    const der = Buffer.concat([
      Buffer.from("302e020100300506032b657004220420", "hex"),
      Buffer.alloc(32, 1),
    ])
    const independent = sign(null, Buffer.from(plan.unsigned, "base64"), {
      key: der,
      format: "der",
      type: "pkcs8",
    })
    expect(first.txid).toBe(base58.encode(independent))
  })

  it("signs a refund to our own account", () => {
    const refund = buildRefund(program, us, secretHash)
    expect(
      signer.signTransaction(planOf(refund, { action: "refund", spends: [] }), wallet).txid,
    ).not.toBe("")
  })

  const foreignInitiate = buildInitiate(program, stranger, {
    units: 5n,
    slots: 10n,
    redeemer: stranger,
    secretHash,
  })
  const transfer = SystemProgram.transfer({ fromPubkey: us, toPubkey: stranger, lamports: 5 })
  const refusals: readonly [string, () => TransactionPlan][] = [
    ["is for another chain", () => planOf(initiate, { chain: toChainId("solana") })],
    ["is for another account", () => planOf(initiate, { account: stranger.toBase58() })],
    ["has another digest", () => planOf(initiate, { digest: "00".repeat(32) })],
    [
      "transfers another amount",
      () => planOf(initiate, { spends: [{ asset: asset.id, units: 4n }] }),
    ],
    ["states no spending", () => planOf(initiate, { spends: [] })],
    [
      "has reserved another swap account",
      () => planOf(initiate, { resources: ["order-pda:another"] }),
    ],
    ["is called a refund but initiates", () => planOf(initiate, { action: "refund" })],
    ["is called an initiate but refunds", () => planOf(buildRefund(program, us, secretHash))],
    ["is called an approval", () => planOf(initiate, { action: "approve" })],
    ["initiates for another account", () => planOf(foreignInitiate)],
    [
      "refunds to another account",
      () => planOf(buildRefund(program, stranger, secretHash), { action: "refund", spends: [] }),
    ],
    [
      "calls another program",
      () =>
        planOf(
          buildInitiate(stranger, us, { units: 5n, slots: 10n, redeemer: stranger, secretHash }),
        ),
    ],
    ["makes a plain transfer", () => planOf(transfer)],
    ["has a fee above its own limit", () => planOf(initiate, { maxFeeUnits: 5_000n })],
    [
      "has a price above the configured cap",
      () => planOf(initiate, { maxFeeUnits: 10n ** 9n }, 1_000_001n),
    ],
    ["does more than one HTLC call", () => rawPlan([...budget(), initiate, transfer])],
    ["sets no budget", () => rawPlan([initiate])],
    ["has its parts in another order", () => rawPlan([initiate, ...budget()])],
    ["deposits into another account", () => planOf(redirect(initiate))],
    ["makes another account pay the fee", () => rawPlan([...budget(), initiate], stranger)],
    [
      "holds no message",
      () => ({
        ...planOf(initiate),
        unsigned: "AAAA",
        digest: digestOf(Buffer.from("AAAA", "base64")),
      }),
    ],
  ]
  it.each(refusals)("is refused for a plan that %s", (_case, plan) => {
    expect(attempt(() => signer.signTransaction(plan(), wallet))).toMatchObject({
      code: "signer.plan_mismatch",
      disposition: "refused",
    })
  })
})

function planOf(
  instruction: TransactionInstruction,
  over: Partial<TransactionPlan> = {},
  price = 1_000n,
): TransactionPlan {
  const message = assembleMessage({
    account: us.toBase58(),
    blockhash,
    unitLimit: UNIT_LIMIT,
    unitPriceMicroLamports: price,
    instructions: [instruction],
  })
  return { ...plan(message), ...over }
}

function rawPlan(instructions: TransactionInstruction[], payerKey = us): TransactionPlan {
  return plan(
    new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions })
      .compileToLegacyMessage()
      .serialize(),
  )
}

function budget(): TransactionInstruction[] {
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: Number(UNIT_LIMIT) }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000 }),
  ]
}

function redirect(instruction: TransactionInstruction): TransactionInstruction {
  const keys = instruction.keys.map((key, index) =>
    index === 0 ? { ...key, pubkey: new PublicKey(stranger) } : key,
  )
  return { ...instruction, keys }
}

function plan(message: Uint8Array): TransactionPlan {
  return {
    chain: wallet.chain,
    account: wallet.account,
    action: "initiate",
    attempt: 0,
    unsigned: Buffer.from(message).toString("base64"),
    digest: digestOf(message),
    resources: [`order-pda:${deriveSwapAccount(program, us, secretHash)}`],
    spends: [{ asset: asset.id, units: 5n }],
    maxFeeUnits: feeOf(UNIT_LIMIT, 1_000n),
    fromHeight: 1n,
    expiresAtHeight: 150n,
  }
}

function attempt(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}
