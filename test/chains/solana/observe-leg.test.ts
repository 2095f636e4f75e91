import { Keypair, type TransactionInstruction, TransactionMessage, VersionedTransaction } from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import type { LegObservation, LegQuery } from "#chains/port.ts"
import { decideFinality } from "#chains/solana/finality.ts"
import { buildInitiate, buildRefund, deriveSwapAccount } from "#chains/solana/htlc.ts"
import type { FoundTransaction, SignatureEntry, SolanaNode } from "#chains/solana/node.ts"
import { observeLeg } from "#chains/solana/observe-leg.ts"
import type { Wallet } from "#chains/solana/wallet.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { endpointsOf } from "../../support/solana-endpoints.ts"

const key = () => Keypair.generate().publicKey
const [us, redeemer, program] = [key(), key(), key()]
const secretHash = Buffer.alloc(32, 7)
const swapAccount = deriveSwapAccount(program, us, secretHash)
const initiate = buildInitiate(program, us, { units: 1_000n, slots: 50n, redeemer, secretHash })
const refund = buildRefund(program, us, secretHash)
const wallet: Wallet = {
  chain: toChainId("solana_testnet"),
  account: us.toBase58(),
  assets: [
    {
      id: parseAssetId("solana_testnet:sol"),
      chain: toChainId("solana_testnet"),
      decimals: 9,
      token: null,
      htlc: [program.toBase58()],
    },
  ],
  maxPriorityFeeMicroLamports: 0n,
}

describe("a history of the swap account", () => {
  it("is incomplete if the account is open without an initiate, or closed without a redeem or refund", async () => {
    await expect(observe([], "open")).rejects.toMatchObject({
      code: "solana.history_incomplete",
      disposition: "transient",
    })
    await expect(observe([initiate], "closed")).rejects.toMatchObject({ code: "solana.history_incomplete" })
    await expect(observe([initiate], "closed", { hidden: true })).rejects.toMatchObject({
      code: "solana.history_incomplete",
    })
  })

  it("is complete if it agrees with the account", async () => {
    expect(await observe([], "closed")).toMatchObject({ initiated: null })
    expect(await observe([initiate], "open")).toMatchObject({ initiated: { units: 1_000n }, refundableAt: 151n })
    expect(await observe([initiate, refund], "closed")).toMatchObject({ refunded: { height: 101n } })
  })
})

describe("a swap account", () => {
  it("does not show failed calls", async () => {
    const leg = await observe([initiate, refund], "open", { failed: 1 })
    expect(leg).toMatchObject({ initiated: { units: 1_000n }, refunded: null })
  })

  it("is not read to the end if it has thousands of transactions", async () => {
    const flood = Array.from({ length: 3_000 }, () => initiate)
    await expect(observe(flood, "open")).rejects.toMatchObject({ code: "solana.history_too_long", disposition: "hold" })
  })

  it("does not exist for an invalid hash or initiator", async () => {
    expect((await observe([initiate], "open", {}, { secretHash: "xyz" })).initiated).toBeNull()
    expect((await observe([initiate], "open", {}, { initiator: "no address" })).initiated).toBeNull()
  })
})

/** Observes a chain with these calls, one per slot from slot 100 on. */
function observe(
  calls: readonly TransactionInstruction[],
  state: "open" | "closed",
  faults: { failed?: number; hidden?: boolean } = {},
  over: Partial<LegQuery> = {},
): Promise<LegObservation> {
  const entries: SignatureEntry[] = calls.map((_, index) => ({
    signature: String(index),
    slot: BigInt(100 + index),
    err: index === faults.failed ? { InstructionError: [0, "Custom"] } : null,
    confirmationStatus: "finalized",
  }))
  const newestFirst = entries.toReversed()
  const node: Partial<SolanaNode> = {
    fetchSlot: async () => 500n,
    fetchFirstSlot: async () => 0n,
    findSignatures: async (_address, before) => {
      const start = before === null ? 0 : newestFirst.findIndex((entry) => entry.signature === before) + 1
      return newestFirst.slice(start, start + 1_000)
    },
    fetchTransaction: async (txid) => (faults.hidden ? null : foundAt(Number(txid), calls[Number(txid)])),
    fetchAccountAt: async () => {
      const account = { lamports: 1n, owner: program.toBase58(), data: Buffer.alloc(120) }
      return { slot: 500n, account: state === "open" ? account : null }
    },
  }
  const finality = decideFinality({ commitment: "confirmed", confirmations: 1, finality: null })
  return observeLeg({ ...QUERY, ...over }, { endpoints: endpointsOf([node]), wallet, finality })
}

function foundAt(index: number, call: TransactionInstruction | undefined): FoundTransaction {
  const instructions = call === undefined ? [] : [call]
  const message = new TransactionMessage({ payerKey: us, recentBlockhash: program.toBase58(), instructions })
  const transaction = Buffer.from(new VersionedTransaction(message.compileToLegacyMessage()).serialize())
  return { slot: BigInt(100 + index), transaction, meta: { err: null, fee: 5_000n, preBalances: [], postBalances: [] } }
}

const QUERY: LegQuery = {
  side: "source",
  asset: parseAssetId("solana_testnet:sol"),
  htlc: program.toBase58(),
  secretHash: secretHash.toString("hex"),
  units: 1_000n,
  owner: us.toBase58(),
  initiator: us.toBase58(),
  redeemer: redeemer.toBase58(),
  timelock: 50n,
  hints: { initiateTx: null, redeemTx: swapAccount.toBase58(), refundTx: null },
  fromHeight: 0n,
}
