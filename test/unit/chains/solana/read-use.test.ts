import { base58 } from "@scure/base"
import {
  Keypair,
  type PublicKey,
  SystemProgram,
  TransactionInstruction,
  VersionedMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import { buildInitiate, buildRedeem, buildRefund } from "#chains/solana/htlc.ts"
import { readSolanaUse } from "#chains/solana/legs/read-use.ts"
import { assembleMessage, unitLimitOf } from "#chains/solana/spend/assemble.ts"
import { buildSplRedeem, buildSplRefund, deriveSwapData } from "#chains/solana/spl-htlc.ts"
import { buildCreateTokenAccount, deriveTokenAccount } from "#chains/solana/tokens.ts"
import type { Wallet } from "#chains/solana/wallet.ts"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import { endpointsOf, type PartialNode } from "../../../support/solana-endpoints.ts"

const chain = toChainId("solana_testnet")
const key = (): PublicKey => Keypair.generate().publicKey
const US = Keypair.generate()
const us = US.publicKey
const [stranger, native, spl, mint, initiator, sponsor] = [
  key(),
  key(),
  key(),
  key(),
  key(),
  key(),
] as const
const secret = Buffer.alloc(32, 7)
const secretHash = Buffer.alloc(32, 8)
const asset = (name: string, token: PublicKey | null, htlc: PublicKey): Asset => {
  return {
    id: parseAssetId(`${chain}:${name}`),
    chain,
    decimals: 6,
    token: token?.toBase58() ?? null,
    htlc: [`${htlc}`],
  }
}
const sol = asset("sol", null, native)
const usdc = asset("usdc", mint, spl)
const wallet: Wallet = {
  chain,
  account: `${us}`,
  assets: [sol, usdc],
  maxPriorityFeeMicroLamports: 10n,
}
const swapData = deriveSwapData(spl, us, secretHash)

const refund = buildRefund(native, us, secretHash)
const redeem = buildRedeem(native, { initiator, redeemer: us }, secret)
const splRefund = buildSplRefund(spl, { initiator: us, mint }, swapData)
const splRedeem = buildSplRedeem(spl, { redeemer: us, mint }, { swapData: key(), sponsor }, secret)
const transfer = SystemProgram.transfer({ fromPubkey: us, toPubkey: stranger, lamports: 1 })

type Parts = { readonly token?: true; readonly price?: bigint; readonly payer?: Keypair }

function sign(
  instructions: readonly TransactionInstruction[],
  { token, price = 1n, payer = US }: Parts = {},
) {
  const unitLimit = unitLimitOf(token ? usdc.token : null)
  const parts = {
    account: `${payer.publicKey}`,
    blockhash: `${key()}`,
    unitLimit,
    unitPriceMicroLamports: price,
  }
  const transaction = new VersionedTransaction(
    VersionedMessage.deserialize(assembleMessage({ ...parts, instructions })),
  )
  transaction.sign([payer])
  const bytes = Buffer.from(transaction.serialize())
  return { txid: base58.encode(bytes.subarray(1, 65)), bytes }
}

type Signed = ReturnType<typeof sign>

const FEE = 5_100n
const RENT = 2_000n

/** A token account of ours holds nothing before, and its rent afterwards. */
function nodeOf(
  shown: Buffer | null,
  { fee = FEE, err = null as unknown, slot = 7n } = {},
): PartialNode {
  const keys =
    shown === null
      ? []
      : VersionedTransaction.deserialize(shown).message.staticAccountKeys.map(String)
  const ours = `${deriveTokenAccount(us, mint)}`
  const preBalances = keys.map(() => 9n)
  const postBalances = keys.map((one) => (one === ours ? 9n + RENT : 9n))
  const transaction = shown && Buffer.from(shown)
  const found = transaction && {
    slot: 5n,
    transaction,
    meta: { err, fee, preBalances, postBalances },
  }
  return { fetchSlot: async () => slot, fetchTransaction: async () => found }
}

const read = ({ txid, bytes }: Signed, nodes: readonly PartialNode[] = [nodeOf(bytes)]) =>
  readSolanaUse(endpointsOf(nodes), wallet, txid)

describe("a transaction of our key that this journal does not know", () => {
  it.each([
    ["refund", [refund], {}, FEE],
    ["redeem", [redeem], {}, FEE],
    // The rent of an account that stays is part of the costs.
    ["refund", [splRefund], { token: true }, FEE + RENT],
    ["refund", [buildCreateTokenAccount(us, mint), splRefund], { token: true }, FEE + RENT],
    ["redeem", [splRedeem], { token: true }, FEE + RENT],
    ["redeem", [redeem], { price: 40n }, FEE],
    // Near the end of the lock a redemption may cost as much as its payout. The books do not take
    // that for granted.
    ["redeem", [redeem], { price: 1_000_000n }, null],
  ] as const)("is recognised as our %s", async (action, instructions, parts, feeUnits) => {
    const signed = sign(instructions, parts)
    expect(await read(signed)).toEqual({ txid: signed.txid, action, feeUnits })
  })

  it("costs only its fee if it failed on chain", async () => {
    const signed = sign([splRefund], { token: true })
    expect(await read(signed, [nodeOf(signed.bytes, { err: {} })])).toMatchObject({ feeUnits: FEE })
  })

  it("has the costs that enough endpoints show", async () => {
    const signed = sign([refund])
    const honest = nodeOf(signed.bytes)
    const liar = nodeOf(signed.bytes, { fee: 1n })
    expect(await read(signed, [honest, liar, honest])).toMatchObject({ feeUnits: FEE })
    await expect(read(signed, [honest, liar])).rejects.toMatchObject({
      code: "solana.disagreement",
    })
  })

  const changeKey = (
    call: TransactionInstruction,
    at: number,
    pubkey: PublicKey,
  ): TransactionInstruction =>
    new TransactionInstruction({
      ...call,
      keys: call.keys.map((one, index) => (index === at ? { ...one, pubkey } : one)),
    })
  const without = (call: TransactionInstruction): TransactionInstruction =>
    new TransactionInstruction({ ...call, keys: [] })
  const terms = { units: 5n, slots: 10n, redeemer: stranger, secretHash }
  it.each([
    ["deposits", [buildInitiate(native, us, terms)], {}],
    ["pays another account", [transfer], {}],
    ["pays another account beside a refund", [refund, transfer], {}],
    ["pays the refund to another account", [changeKey(refund, 1, stranger)], {}],
    [
      "pays the tokens of a refund to another account",
      [changeKey(splRefund, 3, stranger)],
      { token: true },
    ],
    ["redeems a payout of another account", [changeKey(redeem, 2, stranger)], {}],
    ["redeems tokens of another account", [changeKey(splRedeem, 3, stranger)], { token: true }],
    ["calls a program that is not configured", [buildRefund(stranger, us, secretHash)], {}],
    ["does nothing but create an account", [buildCreateTokenAccount(us, mint)], { token: true }],
    ["names no accounts", [without(refund)], {}],
    ["names no accounts of a redemption", [without(redeem)], {}],
    ["pays more for a refund than we do", [refund], { price: 11n }],
  ] as const)("is none of ours if it %s", async (_case, instructions, parts) => {
    expect(await read(sign(instructions, parts))).toBeNull()
  })

  it("is none of ours if another account pays for it, or signs beside us", async () => {
    const other = Keypair.generate()
    expect(await read(sign([refund], { payer: other }))).toBeNull()
    const { bytes } = sign([refund])
    const message = VersionedTransaction.deserialize(bytes).message.serialize()
    // The first unsigned account becomes a second signer.
    message[0] = 2
    const transaction = new VersionedTransaction(VersionedMessage.deserialize(message), [
      bytes.subarray(1, 65),
      bytes.subarray(1, 65),
    ])
    await expect(
      read({
        txid: base58.encode(bytes.subarray(1, 65)),
        bytes: Buffer.from(transaction.serialize()),
      }),
    ).rejects.toMatchObject({ code: "solana.nonsense" })
  })

  it("is shown by one endpoint of two, and an endpoint cannot show other bytes for its id", async () => {
    const theft = sign([transfer])
    const ours = sign([refund])
    expect(await read(theft, [nodeOf(null), nodeOf(theft.bytes)])).toBeNull()
    // The costs need both.
    await expect(read(ours, [nodeOf(null), nodeOf(ours.bytes)])).rejects.toMatchObject({
      disposition: "transient",
    })
    const forged = { txid: theft.txid, bytes: Buffer.from(ours.bytes) }
    theft.bytes.copy(forged.bytes, 1, 1, 65)
    await expect(read(forged)).rejects.toMatchObject({ code: "solana.nonsense" })
    await expect(read({ ...ours, txid: theft.txid })).rejects.toMatchObject({
      code: "solana.nonsense",
    })
    expect(await read(theft, [nodeOf(forged.bytes), nodeOf(theft.bytes)])).toBeNull()
    await expect(read(ours, [nodeOf(null), nodeOf(null)])).rejects.toMatchObject({
      disposition: "transient",
    })
  })
})
