import { base58 } from "@scure/base"
import {
  Keypair,
  type PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import { decideFinality } from "#chains/solana/finality.ts"
import type { FoundTransaction, SolanaNode } from "#chains/solana/node.ts"
import { observeLeg } from "#chains/solana/observe-leg.ts"
import {
  buildSplInitiate,
  buildSplRefund,
  deriveSwapData,
  deriveVault,
} from "#chains/solana/spl-htlc.ts"
import { deriveTokenAccount, TOKEN_PROGRAM } from "#chains/solana/tokens.ts"
import type { Wallet } from "#chains/solana/wallet.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import { endpointsOf } from "../../../support/solana-endpoints.ts"

const key = (): PublicKey => Keypair.generate().publicKey
const ourKey = Keypair.generate()
const [us, redeemer, program, mint, otherMint, stranger] = [
  ourKey.publicKey,
  key(),
  key(),
  key(),
  key(),
  key(),
] as const
const secretHash = Buffer.alloc(32, 7)
const USDC = parseAssetId("solana_testnet:usdc")
const UNITS = 1_000n
const swapData = deriveSwapData(program, us, secretHash)
const vault = deriveVault(program, mint)
const ours = deriveTokenAccount(us, mint)
const wallet: Wallet = {
  chain: toChainId("solana_testnet"),
  account: us.toBase58(),
  assets: [
    {
      id: USDC,
      chain: toChainId("solana_testnet"),
      decimals: 6,
      token: mint.toBase58(),
      htlc: [`${program}`],
    },
  ],
  maxPriorityFeeMicroLamports: 0n,
}
const initiate = buildSplInitiate(
  program,
  { initiator: us, mint },
  { units: UNITS, slots: 50n, redeemer, secretHash },
)
const refund = buildSplRefund(program, { initiator: us, mint }, swapData)

/** Each case has exactly one wrong part, so that each check must find its own. */
describe("a deposit of a token", () => {
  const paid = { gains: [{ account: vault, mint, units: UNITS }] }

  it("is proven by the gain of the vault, or by one transfer of the amount into it", async () => {
    expect(await observe([{ call: initiate, ...paid }])).toMatchObject({
      initiated: { units: UNITS },
    })
    const batched = {
      gains: [{ account: vault, mint, units: -5n }],
      transfers: [{ to: vault, units: UNITS }],
    }
    expect(await observe([{ call: initiate, ...batched }])).toMatchObject({
      initiated: { units: UNITS },
    })
  })

  it.each([
    ["names another mint", { call: changeKey(initiate, 5, otherMint), ...paid }],
    ["names another vault", { call: changeKey(initiate, 2, stranger), ...paid }],
    ["leaves another token account", { call: changeKey(initiate, 4, stranger), ...paid }],
    ["brings the vault nothing", { call: initiate }],
    [
      "brings the vault less",
      { call: initiate, gains: [{ account: vault, mint, units: UNITS - 1n }] },
    ],
    [
      "brings the vault another mint",
      { call: initiate, gains: [{ account: vault, mint: otherMint, units: UNITS }] },
    ],
    ["pays another account", { call: initiate, transfers: [{ to: stranger, units: UNITS }] }],
    ["transfers another amount", { call: initiate, transfers: [{ to: vault, units: UNITS - 1n }] }],
  ])("is none if it %s", async (_case, transaction) => {
    expect((await observe([transaction])).initiated).toBeNull()
  })

  it("of a destination may leave any account of the solver", async () => {
    const call = changeKey(initiate, 4, stranger)
    const query = { side: "destination", owner: `${redeemer}` } as const
    expect((await observe([{ call, ...paid }], query)).initiated).toMatchObject({ units: UNITS })
  })
})

describe("a refund of a token", () => {
  const deposit = { call: initiate, gains: [{ account: vault, mint, units: UNITS }] }
  const paid = { gains: [{ account: ours, mint, units: UNITS }] }

  it("pays what our token account gained, and at most the deposit", async () => {
    for (const [units, paidUnits] of [
      [UNITS, UNITS],
      [UNITS - 1n, UNITS - 1n],
      [UNITS + 1n, UNITS],
    ] as const) {
      const back = { call: refund, gains: [{ account: ours, mint, units }] }
      expect(await observe([deposit, back], {}, "closed")).toMatchObject({
        refunded: { paidUnits },
      })
    }
  })

  it.each([
    ["comes from another vault", { call: changeKey(refund, 2, stranger), ...paid }],
    ["names another token account", { call: changeKey(refund, 3, stranger), ...paid }],
    [
      "brings another mint",
      { call: refund, gains: [{ account: ours, mint: otherMint, units: UNITS }] },
    ],
    ["pays a stranger", { call: refund, gains: [{ account: stranger, mint, units: UNITS }] }],
  ])("pays nothing if it %s", async (_case, transaction) => {
    expect(await observe([deposit, transaction], {}, "closed")).toMatchObject({
      refunded: { paidUnits: 0n },
    })
  })

  it("with more data is no call of the program", async () => {
    const longer = new TransactionInstruction({
      ...refund,
      data: Buffer.concat([refund.data, Buffer.of(0)]),
    })
    expect((await observe([deposit, { call: longer, ...paid }])).refunded).toBeNull()
  })
})

type Past = {
  readonly call: TransactionInstruction
  readonly gains?: readonly { account: PublicKey; mint: PublicKey; units: bigint }[]
  readonly transfers?: readonly { to: PublicKey; units: bigint }[]
}

/** Observes a chain with these transactions, one per slot from slot 100 on. */
function observe(
  past: readonly Past[],
  over: Partial<LegQuery> = {},
  state: "open" | "closed" = "open",
): Promise<LegObservation> {
  const found = past.map((one, index) => foundAt(index, one))
  // The first signature follows the number of signatures, which is one.
  const ids = found.map(({ transaction }) => base58.encode(transaction.subarray(1, 65)))
  const entries = past.map((_, index) => ({
    signature: ids[index] ?? "",
    slot: BigInt(100 + index),
    err: null,
    confirmationStatus: "finalized" as const,
  }))
  const account = { lamports: 1n, owner: program.toBase58(), data: Buffer.alloc(153) }
  const node: Partial<SolanaNode> = {
    fetchSlot: async () => 500n,
    fetchFirstSlot: async () => 0n,
    findSignatures: async () => entries.toReversed(),
    fetchTransaction: async (txid) => found[ids.indexOf(txid)] ?? null,
    fetchAccountAt: async () => ({ slot: 500n, account: state === "open" ? account : null }),
  }
  const finality = decideFinality({ commitment: "confirmed", confirmations: 1, finality: null })
  return observeLeg({ ...QUERY, ...over }, { endpoints: endpointsOf([node]), wallet, finality })
}

function foundAt(index: number, past: Past): FoundTransaction {
  // The accounts of the inner transfers and of the balances must be part of the message.
  const extras = [vault, ours, stranger, TOKEN_PROGRAM].map((pubkey) => ({
    pubkey,
    isSigner: false,
    isWritable: true,
  }))
  const others = new TransactionInstruction({
    programId: stranger,
    keys: extras,
    data: Buffer.alloc(0),
  })
  const parts = {
    payerKey: us,
    recentBlockhash: program.toBase58(),
    instructions: [past.call, others],
  }
  const message = new TransactionMessage(parts).compileToLegacyMessage()
  const transaction = new VersionedTransaction(message)
  transaction.sign([ourKey])
  const at = (account: PublicKey): number =>
    message.staticAccountKeys.findIndex((one) => one.equals(account))
  const balances = (past.gains ?? []).map(({ account, mint: of, units }) => {
    const entry = { accountIndex: at(account), mint: of.toBase58() }
    const amount = (value: bigint) => ({ ...entry, uiTokenAmount: { amount: value } })
    return { before: amount(10_000n), after: amount(10_000n + units) }
  })
  const instructions = (past.transfers ?? []).map(({ to, units }) => {
    const data = Buffer.alloc(9, 3)
    data.writeBigUInt64LE(units, 1)
    return {
      programIdIndex: at(TOKEN_PROGRAM),
      accounts: [at(ours), at(to), 0],
      data: base58.encode(data),
    }
  })
  return {
    slot: BigInt(100 + index),
    transaction: Buffer.from(transaction.serialize()),
    meta: {
      err: null,
      fee: 5_000n,
      preBalances: [],
      postBalances: [],
      preTokenBalances: balances.map(({ before }) => before),
      postTokenBalances: balances.map(({ after }) => after),
      innerInstructions: [{ instructions }],
    },
  }
}

function changeKey(
  instruction: TransactionInstruction,
  at: number,
  pubkey: PublicKey,
): TransactionInstruction {
  const keys = instruction.keys.map((one, index) => (index === at ? { ...one, pubkey } : one))
  return new TransactionInstruction({ ...instruction, keys })
}

const QUERY: LegQuery = {
  side: "source",
  asset: USDC,
  htlc: program.toBase58(),
  secretHash: secretHash.toString("hex"),
  units: UNITS,
  owner: us.toBase58(),
  initiator: us.toBase58(),
  redeemer: redeemer.toBase58(),
  timelock: 50n,
  hints: { initiateTx: null, redeemTx: null, refundTx: null },
  fromHeight: 0n,
}
