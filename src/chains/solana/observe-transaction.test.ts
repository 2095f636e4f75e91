import { describe, expect, it } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import type { Finality, SolanaNode } from "./node.ts"
import { observeTransaction } from "./observe-transaction.ts"

const LAST_VALID = 150n
const unknown = (finalizedBlockHeight: bigint): Finality => ({ finalizedBlockHeight, slot: 400n, status: null })
const known = (confirmationStatus: "processed" | "confirmed" | "finalized", err: unknown = null): Finality => ({
  finalizedBlockHeight: 0n,
  slot: 400n,
  status: { slot: 391n, err, confirmationStatus },
})

describe("a transaction that no endpoint knows", () => {
  it("is excluded only above the last valid height at every endpoint", async () => {
    expect(await observe([unknown(LAST_VALID)])).toEqual({ status: "unseen" })
    expect(await observe([unknown(LAST_VALID + 1n)])).toEqual({ status: "excluded", by: "expired", final: true })
    expect(await observe([unknown(LAST_VALID + 1n), unknown(LAST_VALID)])).toEqual({ status: "unseen" })
  })

  it("stays unseen while one endpoint does not answer, and is an error if none answers", async () => {
    expect(await observe([unknown(LAST_VALID + 1n), null])).toEqual({ status: "unseen" })
    await expect(observe([null, null])).rejects.toMatchObject({ disposition: "transient" })
  })
})

describe("a transaction that one endpoint knows", () => {
  it("is reported, regardless of the other endpoints", async () => {
    const mined = { status: "mined", ok: true, height: 391n, confirmations: 10, final: true, feeUnits: 5_000n }
    expect(await observe([unknown(LAST_VALID + 1n), known("confirmed")])).toEqual(mined)
    expect(await observe([null, known("processed"), known("finalized")])).toEqual(mined)
  })

  it("reports the rent that an initiate locks, and none for a failed initiate", async () => {
    const balances = { preBalances: [20_000_000n, 0n], postBalances: [11_268_920n, 8_726_080n] }
    expect(await observe([known("confirmed")], {}, balances)).toMatchObject({ feeUnits: 5_000n, heldUnits: 1_726_080n })
    expect(await observe([known("confirmed", "failed")], {}, balances)).not.toHaveProperty("heldUnits")
  })

  it("is pending while only processed, because its fork may be dropped", async () => {
    expect(await observe([known("processed")])).toEqual({ status: "pending" })
  })

  it("is reported as failed if the chain reports an error", async () => {
    expect(await observe([known("confirmed", { InstructionError: [2, { Custom: 6003 }] })])).toMatchObject({
      ok: false,
    })
  })

  it("is final only at the configured commitment and depth", async () => {
    expect(await observe([known("confirmed")], { commitment: "finalized" })).toMatchObject({ final: false })
    expect(await observe([known("finalized")], { commitment: "finalized" })).toMatchObject({ final: true })
    expect(await observe([known("finalized")], { confirmations: 11 })).toMatchObject({ final: false })
    expect(await observe([known("finalized")], { confirmations: 10 })).toMatchObject({ final: true })
  })
})

/** The answer `null` is an endpoint that does not answer. */
function observe(
  answers: readonly (Finality | null)[],
  rule: { commitment?: "confirmed" | "finalized"; confirmations?: number } = {},
  balances: { preBalances: bigint[]; postBalances: bigint[] } = { preBalances: [], postBalances: [] },
): Promise<TransactionObservation> {
  const node: Pick<SolanaNode, "fetchFinality" | "fetchTransaction"> = {
    fetchFinality: async (url) => {
      const answer = answers[Number(url)]
      if (answer) return answer
      throw new AppError({ code: "solana.unreachable", disposition: "transient", message: "no answer" })
    },
    fetchTransaction: async () => ({
      slot: 391n,
      transaction: Buffer.alloc(0),
      meta: { err: null, fee: 5_000n, ...balances },
    }),
  }
  const urls = answers.map((_, index) => String(index))
  // CAST: observeTransaction calls no other method of the node.
  return observeTransaction(SIGNED, {
    node: node as SolanaNode,
    wallet: { chain: SIGNED.plan.chain, account: "", assets: [], maxPriorityFeeMicroLamports: 0n },
    urls,
    commitment: "confirmed",
    confirmations: 1,
    ...rule,
  })
}

const SIGNED: SignedTransaction = {
  plan: {
    chain: toChainId("solana_testnet"),
    account: "",
    action: "initiate",
    attempt: 0,
    unsigned: "",
    digest: "",
    resources: [],
    spends: [{ asset: parseAssetId("solana_testnet:sol"), units: 7_000_000n }],
    maxFeeUnits: 0n,
    fromHeight: 0n,
    expiresAtHeight: LAST_VALID,
  },
  raw: "",
  txid: "id",
}
