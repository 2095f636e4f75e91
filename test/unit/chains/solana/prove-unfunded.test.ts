import { Keypair, TransactionMessage } from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import { deriveSwapAccount } from "#chains/solana/htlc.ts"
import { proveUnfunded } from "#chains/solana/legs/prove-unfunded.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import type { UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import { endpointsOf, type PartialNode } from "../../../support/solana-endpoints.ts"

const key = () => Keypair.generate().publicKey
const us = key()
const program = key()
const redeemer = key().toBase58()
const SOL = parseAssetId("solana_testnet:sol")
const CHAIN = toChainId("solana_testnet")
const swapAccount = deriveSwapAccount(program, us, Buffer.alloc(32, 7)).toBase58()
const asset = { id: SOL, chain: CHAIN, decimals: 9, token: null, htlc: [program.toBase58()] }
const wallet = {
  chain: CHAIN,
  account: us.toBase58(),
  assets: [asset],
  maxPriorityFeeMicroLamports: 0n,
}
const parts = { payerKey: us, recentBlockhash: key().toBase58(), instructions: [] }
const unsigned = Buffer.from(
  new TransactionMessage(parts).compileToLegacyMessage().serialize(),
).toString("base64")

/**
 * One endpoint; without changes it proves that no deposit is there and that every signed one has
 * expired.
 */
type Shown = {
  open?: boolean
  blockHeight?: bigint
  status?: (
    txid: string,
  ) => { slot: bigint; err: unknown; confirmationStatus: "confirmed" | "finalized" } | null
}

describe("an HTLC without a deposit", () => {
  it("is proven by enough endpoints, also where nothing was signed", async () => {
    const proof = { status: "unfunded", height: 2_000n, rivals: [] }
    expect(await prove([{}], ["a", "b"])).toEqual(proof)
    expect(await prove([{}, {}], ["a"])).toEqual(proof)
    expect(await prove([{}, {}], [])).toEqual(proof)
  })

  it("is not proven while one of the deposits may land", async () => {
    const alive = { blockHeight: 1_150n }
    expect(await prove([alive], ["a"])).toMatchObject({
      status: "unsure",
      reasons: [{ code: "solana.deposit_alive" }],
    })
    const second = (txid: string) =>
      txid === "b"
        ? { slot: 1_990n, err: "failed", confirmationStatus: "confirmed" as const }
        : null
    expect(await prove([{ status: second }], ["a", "b"])).toMatchObject({ status: "unsure" })
    expect(await prove([{}, alive], ["a"])).toMatchObject({ status: "unsure" })
    expect(await prove([{}, {}, alive], ["a"])).toMatchObject({ status: "unfunded" })
  })

  it("is not proven by endpoints of which each excludes another deposit", async () => {
    const landing = (open: string) => (txid: string) => ({
      slot: 1_990n,
      err: "failed",
      confirmationStatus: txid === open ? ("confirmed" as const) : ("finalized" as const),
    })
    const shown = [{ status: landing("a") }, { status: landing("b") }]
    expect(await prove(shown, ["a", "b"])).toMatchObject({ status: "unsure" })
    expect(await prove(shown.toReversed(), ["a", "b"])).toMatchObject({ status: "unsure" })
    expect(
      await prove([{ status: landing("") }, { status: landing("") }], ["a", "b"]),
    ).toMatchObject({
      status: "unfunded",
    })
  })

  it("is proven where a deposit landed and failed for ever, and not where one succeeded", async () => {
    const landed = (err: unknown) => () => ({
      slot: 1_100n,
      err,
      confirmationStatus: "finalized" as const,
    })
    expect(await prove([{ status: landed("failed") }], ["a"])).toMatchObject({ status: "unfunded" })
    expect(await prove([{ status: landed(null) }], ["a"])).toEqual({ status: "funded" })
    // One endpoint that contradicts the other proves nothing.
    const split = { status: "unsure", reasons: [{ code: "chain.disagreement" }] }
    expect(await prove([{ status: landed(null) }, {}], ["a"])).toMatchObject(split)
  })

  it("is an error where the account is open and its history is empty", async () => {
    await expect(prove([{ open: true }], ["a"])).rejects.toMatchObject({
      code: "solana.history_incomplete",
    })
    expect(await prove([{ open: true }, {}], ["a"])).toMatchObject({ status: "unsure" })
  })
})

function prove(shown: readonly Shown[], txids: readonly string[]) {
  return proveUnfunded(
    { ...QUERY, signed: txids.map(signedAs) },
    { endpoints: endpointsOf(shown.map(nodeOf)), wallet },
  )
}

function nodeOf({ open, blockHeight = 1_151n, status = () => null }: Shown): PartialNode {
  const account = open ? { lamports: 1n, owner: program.toBase58(), data: Buffer.alloc(120) } : null
  return {
    fetchSlot: async () => 2_000n,
    fetchAccountAt: async () => ({ slot: 2_000n, account }),
    fetchAccount: async () => account,
    findSignatures: async () => [],
    fetchStatus: async (txid) => ({ slot: 2_031n, status: status(txid) }),
    fetchBlockHeight: async () => blockHeight,
    fetchBlockhashState: async () => ({ slot: 2_000n, isValid: false }),
    fetchFirstSlot: async () => 0n,
  }
}

function signedAs(txid: string): SignedTransaction {
  return {
    plan: {
      chain: CHAIN,
      account: us.toBase58(),
      action: "initiate",
      attempt: 0,
      unsigned,
      digest: "",
      spends: [],
      resources: [`order-pda:${swapAccount}`],
      maxFeeUnits: 0n,
      fromHeight: 1_000n,
      expiresAtHeight: 1_150n,
    },
    raw: "",
    txid,
  }
}

const QUERY: UnfundedQuery = {
  side: "source",
  asset: SOL,
  htlc: program.toBase58(),
  secretHash: "07".repeat(32),
  units: 1_000n,
  owner: us.toBase58(),
  initiator: us.toBase58(),
  redeemer,
  timelock: 50n,
  fromHeight: 1_000n,
  hints: { initiateTx: null, redeemTx: null, refundTx: null },
  signed: [],
}
