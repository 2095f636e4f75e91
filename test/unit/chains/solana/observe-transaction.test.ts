import { Keypair, SystemProgram, TransactionMessage } from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import { decideFinality, type FinalitySettings } from "#chains/solana/finality.ts"
import { observeTransaction } from "#chains/solana/legs/observe-transaction.ts"
import type { SignatureEntry, TransactionStatus } from "#chains/solana/node.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { endpointsOf, type PartialNode } from "../../../support/solana-endpoints.ts"

const FROM = 1_000n
const LAST_VALID = 1_150n
const FINALIZED = 2_000n
const CONFIRMED = 2_031n
const key = () => Keypair.generate().publicKey
const us = key()
const swapAccount = key().toBase58()
const program = key().toBase58()

/** One endpoint; without changes it proves that the transaction has expired. */
type Shown = {
  finalized?: bigint
  confirmed?: bigint
  blockHeight?: bigint
  isValid?: boolean
  bankSlot?: bigint
  /** The status now, and in the repeated search of the proof of expiry. */
  status?: TransactionStatus | null
  laterStatus?: TransactionStatus | null
  /** The slots of the first block, before and after the search. */
  first?: readonly bigint[]
  wallet?: readonly SignatureEntry[]
  owner?: string | null
  swapEntries?: readonly SignatureEntry[]
  fee?: bigint
  balances?: { preBalances: bigint[]; postBalances: bigint[] }
}

const entry = (signature: string, slot: bigint, err: unknown = null): SignatureEntry => ({
  signature,
  slot,
  err,
})
const mined = (
  confirmationStatus: "processed" | "confirmed" | "finalized",
  err: unknown = null,
  slot = 1_100n,
) => ({
  status: { slot, err, confirmationStatus },
})
const EXCLUDED = { status: "excluded", by: "expired", final: true }

describe("a transaction that no endpoint knows", () => {
  it("is excluded when the endpoint proves that it expired", async () => {
    expect(await observe([{}])).toEqual(EXCLUDED)
    expect(await observe([{}, {}])).toEqual(EXCLUDED)
  })

  it.each<[string, Shown]>([
    ["the finalized height is the last valid one", { blockHeight: LAST_VALID }],
    [
      "a finalized bank still takes its blockhash, " +
        "although the planning node named an early height",
      { isValid: true },
    ],
    [
      "the finalized bank may not know the blockhash yet",
      { finalized: FROM + 199n, bankSlot: FROM + 199n },
    ],
    ["the second search finds it", { laterStatus: mined("finalized").status }],
  ])("stays unseen if %s", async (_case, shown) => {
    expect(await observe([shown])).toEqual({ status: "unseen" })
  })

  it.each<[string, Shown, string]>([
    ["the blocks of that time are pruned", { first: [FROM + 1n] }, "solana.history_pruned"],
    [
      "a second node behind the address has pruned them",
      { first: [0n, FROM + 1n] },
      "solana.history_pruned",
    ],
    [
      "the swap account is open without another deposit",
      { owner: program },
      "solana.swap_account_open",
    ],
    [
      "the swap account is open after a failed call",
      { owner: program, swapEntries: [entry("failed", FROM, "no")] },
      "solana.swap_account_open",
    ],
  ])("stays unseen with a reason if %s", async (_case, shown, code) => {
    expect(await observe([shown])).toMatchObject({
      status: "unseen",
      doubts: [{ code, endpoint: "node-1" }],
    })
  })

  it("is searched for in eight turns, each with the first slot of that moment", async () => {
    // The first answer comes before the turns.
    const pruned = (turn: number) => ({ first: [...Array(turn).fill(0n), FROM + 1n] })
    expect(await observe([pruned(8)])).toMatchObject({
      doubts: [{ code: "solana.history_pruned" }],
    })
    expect(await observe([pruned(9)])).toEqual(EXCLUDED)
  })

  it("is excluded without old blocks if the wallet's history reaches back in one answer", async () => {
    const pruned = { first: [FROM + 1n] }
    expect(
      await observe([{ ...pruned, wallet: [entry("b", FROM + 5n), entry("a", FROM - 1n)] }]),
    ).toEqual(EXCLUDED)
    const late = { ...pruned, wallet: [entry("b", FROM + 5n), entry("a", FROM)] }
    expect(await observe([late])).toMatchObject({ doubts: [{ code: "solana.history_pruned" }] })
  })

  it("is excluded if lamports or another deposit lie at the swap account", async () => {
    expect(await observe([{ owner: SystemProgram.programId.toBase58() }])).toEqual(EXCLUDED)
    expect(await observe([{ owner: program, swapEntries: [entry("other", FROM + 300n)] }])).toEqual(
      EXCLUDED,
    )
  })

  it("is an error where the endpoint's own histories list it", async () => {
    const incomplete = { code: "solana.history_incomplete", disposition: "transient" }
    await expect(observe([{ wallet: [entry("id", FROM + 5n)] }])).rejects.toMatchObject(incomplete)
    await expect(observe([{ swapEntries: [entry("id", FROM + 5n)] }])).rejects.toMatchObject(
      incomplete,
    )
  })

  it("needs the proof from as many endpoints as agree, not from all that answer", async () => {
    const missing = {
      status: "unseen",
      doubts: [{ code: "chain.agreement_short", endpoint: "node-2" }],
    }
    expect(await observe([{}, null])).toMatchObject(missing)
    expect(await observe([{}, { blockHeight: LAST_VALID }])).toEqual({ status: "unseen" })
    expect(await observe([{}, {}, null])).toEqual(EXCLUDED)
    const split = await observe([{}, {}, mined("finalized"), mined("finalized")])
    expect(split).toMatchObject({ status: "mined", seen: false, final: false })
    const contradicted = { ...EXCLUDED, doubts: [{ code: "chain.disagreement" }] }
    expect(await observe([{}, {}, mined("finalized")])).toMatchObject(contradicted)
    expect(await observe([{}, null, null])).toMatchObject({ status: "unseen" })
    await expect(observe([null, null])).rejects.toMatchObject({ disposition: "transient" })
  })

  it("is not excluded by an endpoint far ahead of the others", async () => {
    const ahead = { finalized: 10n ** 9n, confirmed: 10n ** 9n, bankSlot: 10n ** 9n }
    const early = { finalized: FROM + 100n, confirmed: FROM + 131n, blockHeight: LAST_VALID - 50n }
    expect(await observe([ahead, early])).toMatchObject({
      status: "unseen",
      doubts: [{ code: "chain.head_outlier", endpoint: "node-1" }],
    })
    expect(await observe([ahead, early, early])).toEqual({ status: "unseen" })
  })
})

describe("a transaction that endpoints know", () => {
  const shown = { ok: true, height: 1_100n, feeUnits: 5_000n, confirmations: 932 }

  it("is final at finalized, and seen at confirmed, by default", async () => {
    const usual = { status: "mined", ...shown, seen: true }
    expect(await observe([mined("confirmed")])).toEqual({ ...usual, final: false })
    expect(await observe([mined("finalized")])).toEqual({ ...usual, final: true })
    expect(await observe([mined("finalized"), mined("finalized")])).toEqual({
      ...usual,
      final: true,
    })
  })

  it("is final only if enough endpoints show the same slot, result and fee at that depth", async () => {
    const known = mined("finalized")
    const open = { status: "mined", final: false }
    const lone = await observe([known, null])
    expect(lone).toMatchObject({ ...open, seen: false, isAlone: true })
    const agreed = await observe([known, mined("confirmed")])
    expect(agreed).toMatchObject({ ...open, seen: true })
    expect(agreed).not.toHaveProperty("isAlone")
    const doubts = [{ code: "chain.disagreement" }]
    expect(await observe([known, mined("finalized", null, 1_101n)])).toMatchObject({
      ...open,
      seen: false,
      isAlone: true,
      doubts,
    })
    expect(await observe([known, mined("finalized", "failed")])).toMatchObject({
      ...open,
      seen: false,
      ok: true,
    })
    expect(await observe([mined("finalized", "failed"), known])).toMatchObject({
      ...open,
      ok: true,
    })
    expect(await observe([known, { ...known, fee: 6_000n }])).toMatchObject({
      ...open,
      seen: false,
    })
    expect(await observe([known, mined("finalized", null, 1_101n), known])).toMatchObject({
      ...shown,
      final: true,
    })
  })

  it("is outvoted where enough endpoints do not know it at an agreed finalized slot", async () => {
    const young = { blockHeight: 0n }
    const seen = await observe([mined("finalized"), young, young])
    expect(seen).toMatchObject({ status: "unseen", doubts: [{ code: "chain.disagreement" }] })
    const even = await observe([mined("finalized"), young])
    expect(even).toMatchObject({
      status: "mined",
      final: false,
      doubts: [{ code: "chain.disagreement" }],
    })
    // A slot that the others have not finalized yet may be unknown to them.
    const ahead = mined("confirmed", null, FINALIZED + 1n)
    expect(await observe([ahead, young, young])).toMatchObject({
      status: "mined",
      seen: false,
      final: false,
    })
  })

  it("is not final above the agreed finalized slot", async () => {
    const ahead = {
      ...mined("finalized", null, FINALIZED + 1n),
      finalized: FINALIZED + 5n,
      bankSlot: FINALIZED + 5n,
    }
    expect(await observe([ahead, { ...ahead, finalized: FINALIZED }])).toMatchObject({
      seen: true,
      final: false,
    })
  })

  it("reports the rent that an initiate locks, and none for a failed initiate", async () => {
    const balances = { preBalances: [20_000_000n, 0n], postBalances: [11_268_920n, 8_726_080n] }
    const costs = { feeUnits: 5_000n, heldUnits: 1_726_080n }
    expect(await observe([{ ...mined("confirmed"), balances }])).toMatchObject(costs)
    expect(await observe([{ ...mined("confirmed", "failed"), balances }])).not.toHaveProperty(
      "heldUnits",
    )
  })

  it("is pending while only processed, because its fork may be dropped", async () => {
    expect(await observe([mined("processed")])).toEqual({ status: "pending" })
  })

  it("is reported as failed if the chain reports an error", async () => {
    const failed = mined("finalized", { InstructionError: [2, { Custom: 6003 }] })
    expect(await observe([failed])).toMatchObject({ ok: false, final: true })
    expect(await observe([failed, failed])).toMatchObject({ ok: false, final: true })
  })

  it("follows the configured depths", async () => {
    const at = (rule: Partial<FinalitySettings>, status: "confirmed" | "finalized") =>
      observe([mined(status)], rule)
    expect(await at({ confirmations: 1 }, "confirmed")).toMatchObject({ seen: true, final: true })
    expect(await at({ confirmations: 933 }, "confirmed")).toMatchObject({
      seen: false,
      final: false,
    })
    expect(await at({ commitment: "finalized" }, "confirmed")).toMatchObject({
      seen: false,
      final: false,
    })
    expect(await at({ finality: { ending: 932 } }, "confirmed")).toMatchObject({ final: true })
    expect(await at({ finality: { ending: 933 } }, "finalized")).toMatchObject({ final: false })
    expect(await at({ finality: { seen: "finalized" } }, "confirmed")).toMatchObject({
      seen: false,
    })
  })
})

/** `null` is an endpoint that does not answer. */
function observe(
  shown: readonly (Shown | null)[],
  rule: Partial<FinalitySettings> = {},
): Promise<TransactionObservation> {
  const finality = decideFinality({
    commitment: "confirmed",
    confirmations: null,
    finality: null,
    ...rule,
  })
  const endpoints = endpointsOf(shown.map((one) => (one === null ? SILENT : nodeOf(one))))
  const wallet = {
    chain: SIGNED.plan.chain,
    account: us.toBase58(),
    assets: [],
    maxPriorityFeeMicroLamports: 0n,
  }
  return observeTransaction(SIGNED, { endpoints, wallet, finality })
}

const SILENT: PartialNode = {
  fetchSlot: () =>
    Promise.reject(
      new AppError({ code: "solana.unreachable", disposition: "transient", message: "no answer" }),
    ),
}

function nodeOf(shown: Shown) {
  const { finalized = FINALIZED, confirmed = CONFIRMED, status = null, fee = 5_000n } = shown
  const first = [...(shown.first ?? [0n])]
  const statuses = [status, shown.laterStatus ?? status]
  const owner = shown.owner ?? null
  return ({ commitment }: { commitment: string }): PartialNode => ({
    fetchSlot: async () => (commitment === "finalized" ? finalized : confirmed),
    fetchStatus: async () => ({ slot: confirmed, status: statuses.shift() ?? status }),
    fetchBlockHeight: async () => shown.blockHeight ?? LAST_VALID + 1n,
    fetchBlockhashState: async () => ({
      slot: shown.bankSlot ?? FINALIZED,
      isValid: shown.isValid ?? false,
    }),
    fetchFirstSlot: async () => (first.length > 1 ? first.shift() : first[0]) ?? 0n,
    fetchAccount: async () =>
      owner === null ? null : { lamports: 1n, owner, data: Buffer.alloc(0) },
    findSignatures: async (address) => [
      ...((address === swapAccount ? shown.swapEntries : shown.wallet) ?? []),
    ],
    fetchTransaction: async () => ({
      slot: 1_100n,
      transaction: Buffer.alloc(0),
      meta: { err: null, fee, preBalances: [], postBalances: [], ...shown.balances },
    }),
  })
}

const parts = { payerKey: us, recentBlockhash: key().toBase58(), instructions: [] }
const message = new TransactionMessage(parts).compileToLegacyMessage()

const SIGNED: SignedTransaction = {
  plan: {
    chain: toChainId("solana_testnet"),
    account: us.toBase58(),
    action: "initiate",
    attempt: 0,
    unsigned: Buffer.from(message.serialize()).toString("base64"),
    digest: "",
    resources: [`order-pda:${swapAccount}`],
    spends: [{ asset: parseAssetId("solana_testnet:sol"), units: 7_000_000n }],
    maxFeeUnits: 0n,
    fromHeight: FROM,
    expiresAtHeight: LAST_VALID,
  },
  raw: "",
  txid: "id",
}
