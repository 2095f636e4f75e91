import { createHash } from "node:crypto"
import { base58 } from "@scure/base"
import {
  Keypair,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import { decideFinality } from "#chains/solana/finality.ts"
import {
  buildInitiate,
  buildRefund,
  DISCRIMINATORS,
  deriveSwapAccount,
} from "#chains/solana/htlc.ts"
import type { FoundTransaction, NodeView, SignatureEntry } from "#chains/solana/node.ts"
import { observeLeg } from "#chains/solana/observe-leg.ts"
import type { Wallet } from "#chains/solana/wallet.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import { endpointsOf, type PartialNode } from "../../../support/solana-endpoints.ts"

const key = () => Keypair.generate().publicKey
const ourKey = Keypair.generate()
const us = ourKey.publicKey
const redeemer = key()
const program = key()
const secret = Buffer.alloc(32, 7)
const secretHash = createHash("sha256").update(secret).digest()
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
  it(
    "is incomplete if the account is open without an initiate, or closed without a redeem or " +
      "refund",
    async () => {
      await expect(observe([], "open")).rejects.toMatchObject({
        code: "solana.history_incomplete",
        disposition: "transient",
      })
      await expect(observe([initiate], "closed")).rejects.toMatchObject({
        code: "solana.history_incomplete",
      })
      await expect(observe([initiate], "closed", { hidden: true })).rejects.toMatchObject({
        code: "solana.history_incomplete",
      })
    },
  )

  it("is complete if it agrees with the account", async () => {
    expect(await observe([], "closed")).toMatchObject({ initiated: null })
    expect(await observe([initiate], "open")).toMatchObject({
      initiated: { units: 1_000n },
      refundableAt: 151n,
    })
    expect(await observe([initiate, refund], "closed")).toMatchObject({
      refunded: { height: 101n },
    })
  })
})

describe("endpoints that read a leg", () => {
  const shown = (faults: Faults = {}) => nodeOf([initiate, refund], "closed", faults)
  const early = (faults: Faults = {}) => nodeOf([initiate], "open", faults)
  const contradicted = { agreed: false, initiated: { final: true }, refunded: null, redeemed: null }

  it("make a fact final where enough agree on it, and seen before it is finalized", async () => {
    const final = {
      initiated: { seen: true, final: true },
      refunded: { seen: true, revealable: true, final: true },
    }
    expect(await observeAll([shown(), shown()])).toMatchObject(final)
    expect(await observeAll([shown()])).toMatchObject(final)
    expect(await observeAll([shown(), shown()])).not.toHaveProperty("doubts")
    const confirmed = { refunded: { seen: true, revealable: false, final: false } }
    expect(await observeAll([shown({ commitment: "confirmed" }), shown()])).toMatchObject(confirmed)
    expect(await observeAll([shown({ head: 100n }), shown({ head: 102n })])).toMatchObject({
      initiated: { final: true },
      ...confirmed,
    })
  })

  it("show a new fact of one endpoint that is ahead, which proves nothing yet", async () => {
    const leg = await observeAll([shown({ head: 102n }), early({ head: 100n })])
    expect(leg).toMatchObject({
      initiated: { final: true },
      refunded: { seen: false, final: false },
    })
    expect(leg.agreed).toBe(true)
    expect(leg).not.toHaveProperty("doubts")
  })

  it("contradict each other about an old fact: nothing is paid back, and the deposit stays", async () => {
    const leg = await observeAll([shown(), early()])
    expect(leg).toMatchObject({
      ...contradicted,
      refundableAt: 151n,
      doubts: [{ code: "chain.disagreement" }],
    })
    const outvoted = await observeAll([shown(), early(), early()])
    expect(outvoted).toMatchObject({ refunded: null, doubts: [{ code: "chain.disagreement" }] })
    expect(outvoted.agreed).toBe(true)
    expect(await observeAll([shown(), early(), shown()])).toMatchObject({
      refunded: { final: true },
    })
    const even = await observeAll([shown(), shown(), early(), early()])
    expect(even).toMatchObject({ agreed: false, refunded: null })
    const redeemed = nodeOf([initiate, redeem(secret)], "closed")
    expect(await observeAll([redeemed, early()])).toMatchObject({ agreed: false, redeemed: null })
    expect(await observeAll([redeemed, redeemed])).toMatchObject({ redeemed: { final: true } })
    expect((await observeAll([nodeOf([], "closed"), early()])).initiated).toMatchObject({
      units: 1_000n,
      final: false,
    })
  })

  it("are too few: what one shows is watched, and is not final", async () => {
    const leg = await observeAll([shown(), shown({ dead: true })])
    expect(leg).toMatchObject({
      agreed: false,
      initiated: { final: false },
      refunded: { seen: false, final: false },
    })
    expect(leg.doubts).toMatchObject([{ code: "chain.agreement_short", endpoint: "node-2" }])
  })

  it("cannot show a call that its signer has not signed, or a redeem without the secret", async () => {
    const nonsense = { code: "solana.nonsense", disposition: "transient" }
    await expect(observe([initiate, refund], "closed", { forged: true })).rejects.toMatchObject(
      nonsense,
    )
    expect((await observe([initiate, redeem(Buffer.alloc(32, 9))], "closed")).redeemed).toBeNull()
    expect((await observe([initiate, redeem(secret)], "closed")).redeemed).toMatchObject({
      final: true,
    })
  })

  it("without the blocks of that time are named where nothing is shown", async () => {
    const pruned: NodeFor = (view) => ({
      ...nodeOf([], "closed")(view),
      fetchFirstSlot: async () => 11n,
    })
    const whole = await observeAll([pruned], { fromHeight: 11n })
    expect(whole).not.toHaveProperty("doubts")
    expect(whole).toMatchObject({ agreed: true })
    const doubts = [{ code: "solana.history_pruned" }]
    const early = { fromHeight: 10n }
    expect(await observeAll([pruned], early)).toMatchObject({ agreed: false, doubts })
    const full = nodeOf([], "closed")
    expect(await observeAll([pruned, full, full], early)).toMatchObject({ agreed: true, doubts })
  })

  it("prove an absence in eight turns, in which each answer counts", async () => {
    const proof = { fromHeight: 10n, provesAbsence: true } as const
    const empty = nodeOf([], "closed")
    const asked: string[] = []
    /** From the turn `at` on another node stands behind the address. */
    const changing = (at: number, next: (view: NodeView) => PartialNode): NodeFor => {
      return (view) => ({
        ...empty(view),
        fetchFirstSlot: async () => {
          asked.push("first")
          return asked.length < at ? 0n : ((await next(view).fetchFirstSlot?.()) ?? 0n)
        },
        findSignatures: async (...parts) =>
          (asked.length < at - 1 ? empty(view) : next(view)).findSignatures?.(...parts) ?? [],
        fetchTransaction: async (txid) => (await next(view).fetchTransaction?.(txid)) ?? null,
      })
    }
    expect(await observeAll([changing(9, empty)], proof)).toMatchObject({ agreed: true })
    expect(asked).toHaveLength(8)
    asked.length = 0
    const pruned: NodeFor = (view) => ({ ...empty(view), fetchFirstSlot: async () => 11n })
    expect(await observeAll([changing(8, pruned)], proof)).toMatchObject({
      agreed: false,
      doubts: [{ code: "solana.history_pruned" }],
    })
    asked.length = 0
    expect(await observeAll([changing(8, shown())], proof)).toMatchObject({
      agreed: true,
      initiated: { units: 1_000n },
    })
  })
})

describe("a swap account", () => {
  it("does not show failed calls", async () => {
    const leg = await observe([initiate, refund], "open", { failed: 1 })
    expect(leg).toMatchObject({ initiated: { units: 1_000n }, refunded: null })
  })

  it("is not read to the end if a node lists it without an end", async () => {
    const entry = (id: number): SignatureEntry => ({ signature: `${id}`, slot: 100n, err: null })
    const flood: NodeFor = (view) => ({
      ...nodeOf([], "open")(view),
      findSignatures: async (_address, before) =>
        Array.from({ length: 1_000 }, (_, at) => entry(Number(before) + at)),
    })
    await expect(observeAll([flood])).rejects.toMatchObject({
      code: "solana.history_too_long",
      disposition: "transient",
    })
  })

  it("belongs to another leg with other terms, or as a payout to another owner", async () => {
    const initiatedBy = async (over: Partial<LegQuery>) =>
      (await observe([initiate], "open", {}, over)).initiated
    expect(await initiatedBy({})).not.toBeNull()
    expect(await initiatedBy({ redeemer: key().toBase58() })).toBeNull()
    expect(await initiatedBy({ timelock: 51n })).toBeNull()
    const payout = { side: "destination", redeemer: null } as const
    expect(await initiatedBy({ ...payout, owner: redeemer.toBase58() })).not.toBeNull()
    expect(await initiatedBy({ ...payout, owner: key().toBase58() })).toBeNull()
  })

  it("is read beside the heads, and once more only where that is about an earlier slot", async () => {
    const shown = { initiated: { units: 1_000n, final: true } }
    const asked: string[] = []
    expect(await observeAll([noting(asked, 500n)])).toMatchObject(shown)
    expect(asked).toEqual(["account", "account", "slot", "slot"])
    asked.length = 0
    expect(await observeAll([noting(asked, 499n)])).toMatchObject(shown)
    const again = ["account from 500", "account from 500"]
    expect(asked).toEqual(["account", "account", "slot", "slot", ...again])
    asked.length = 0
    await observeAll([noting(asked, 500n)], { provesAbsence: true })
    expect(asked).toEqual(["slot", "slot", ...again])
  })

  it("does not exist for an invalid hash or initiator", async () => {
    expect((await observe([initiate], "open", {}, { secretHash: "xyz" })).initiated).toBeNull()
    expect(
      (await observe([initiate], "open", {}, { initiator: "no address" })).initiated,
    ).toBeNull()
  })
})

function redeem(secret: Buffer): TransactionInstruction {
  const data = Buffer.concat([Buffer.from(DISCRIMINATORS.redeem, "hex"), secret])
  return new TransactionInstruction({ ...refund, data })
}

type Faults = {
  failed?: number
  hidden?: boolean
  forged?: boolean
  /** The endpoint lists fewer calls than there are. */
  without?: number
  commitment?: "confirmed" | "finalized"
  head?: bigint
  dead?: boolean
}

/** Observes a chain with these calls, one per slot from slot 100 on. */
function observe(
  calls: readonly TransactionInstruction[],
  state: "open" | "closed",
  faults: Faults = {},
  over: Partial<LegQuery> = {},
): Promise<LegObservation> {
  return observeAll([nodeOf(calls, state, faults)], over, 1)
}

function observeAll(
  nodes: readonly NodeFor[],
  over: Partial<LegQuery> = {},
  confirmations: number | null = null,
) {
  const finality = decideFinality({ commitment: "confirmed", confirmations, finality: null })
  return observeLeg({ ...QUERY, ...over }, { endpoints: endpointsOf(nodes), wallet, finality })
}

type NodeFor = (view: NodeView) => PartialNode

function nodeOf(
  calls: readonly TransactionInstruction[],
  state: "open" | "closed",
  faults: Faults = {},
): NodeFor {
  const transactions = calls.map((call, index) => foundAt(index, call))
  const entries: SignatureEntry[] = transactions
    .slice(0, calls.length - (faults.without ?? 0))
    .map((found, index) => ({
      signature: idOf(found),
      slot: found.slot,
      err: index === faults.failed ? { InstructionError: [0, "Custom"] } : null,
      confirmationStatus: faults.commitment ?? "finalized",
    }))
  const newestFirst = entries.toReversed()
  const head = faults.head ?? 500n
  return ({ commitment }) => ({
    fetchSlot: async () => {
      if (faults.dead) throw new Error("no answer")
      return commitment === "finalized" ? head : head + 31n
    },
    fetchFirstSlot: async () => 0n,
    findSignatures: async (_address, before) => {
      const start =
        before === null ? 0 : newestFirst.findIndex((entry) => entry.signature === before) + 1
      return newestFirst.slice(start, start + 1_000)
    },
    fetchTransaction: async (txid) => {
      const at = transactions.findIndex((found) => idOf(found) === txid)
      return (faults.hidden ? null : transactions[faults.forged ? 0 : at]) ?? null
    },
    fetchAccountAt: async () => {
      const account = { lamports: 1n, owner: program.toBase58(), data: Buffer.alloc(120) }
      const slot = commitment === "finalized" ? head : head + 31n
      // A finalized bank before the last call has the account still open.
      const isOpen = state === "open" || slot < 99n + BigInt(calls.length)
      return { slot, account: isOpen ? account : null }
    },
  })
}

/** An answer about the account without a least slot is about `slot`. */
function noting(asked: string[], slot: bigint): NodeFor {
  return (view) => {
    const node = nodeOf([initiate], "open")(view)
    const { minSlot = null } = view
    return {
      ...node,
      fetchSlot: async () => {
        asked.push("slot")
        return (await node.fetchSlot?.()) ?? 0n
      },
      fetchAccountAt: async (address) => {
        asked.push(minSlot === null ? "account" : `account from ${minSlot}`)
        const found = (await node.fetchAccountAt?.(address)) ?? { slot, account: null }
        return minSlot === null ? { ...found, slot } : found
      },
    }
  }
}

const signed = new Map<string, FoundTransaction>()

/** The same call in the same slot is the same transaction at every endpoint. */
function foundAt(index: number, call: TransactionInstruction): FoundTransaction {
  const name = `${index} ${call.data.toString("hex")}`
  const known = signed.get(name)
  if (known !== undefined) return known
  const parts = { payerKey: us, recentBlockhash: program.toBase58(), instructions: [call] }
  const transaction = new VersionedTransaction(
    new TransactionMessage(parts).compileToLegacyMessage(),
  )
  transaction.sign([ourKey])
  const meta = { err: null, fee: 5_000n, preBalances: [], postBalances: [] }
  const found = {
    slot: BigInt(100 + index),
    transaction: Buffer.from(transaction.serialize()),
    meta,
  }
  signed.set(name, found)
  return found
}

/** The first signature follows the number of signatures, which is one. */
function idOf({ transaction }: FoundTransaction): string {
  return base58.encode(transaction.subarray(1, 65))
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
