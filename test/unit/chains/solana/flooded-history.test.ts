import { createHash } from "node:crypto"
import { base58 } from "@scure/base"
import {
  Keypair,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { beforeEach, expect, test } from "vitest"
import { decideFinality } from "#chains/solana/finality.ts"
import {
  buildInitiate,
  buildRedeem,
  deriveSwapAccount,
  SWAP_ACCOUNT_BYTES,
  SWAP_ACCOUNT_DISCRIMINATOR,
} from "#chains/solana/htlc.ts"
import { isClosed as askIfClosed } from "#chains/solana/legs/is-closed.ts"
import { createSwapNotes } from "#chains/solana/legs/swap-notes.ts"
import type { FoundTransaction, NodeView, SignatureEntry } from "#chains/solana/node.ts"
import { createSolanaQuorum, type Endpoint } from "#chains/solana/nodes/endpoints.ts"
import { observeLeg } from "#chains/solana/observe-leg.ts"
import type { Wallet } from "#chains/solana/wallet.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { systemClock } from "#lib/clock.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { endpointsOf, type PartialNode } from "../../../support/solana-endpoints.ts"

/*
 * Strangers can name a swap account in as many transactions as they pay for, failed ones and
 * others.
 */

const solverKey = Keypair.generate()
const solver = solverKey.publicKey
const us = Keypair.generate().publicKey
const program = Keypair.generate().publicKey
const secret = Buffer.alloc(32, 7)
const secretHash = createHash("sha256").update(secret).digest()
const SOL = parseAssetId("solana_testnet:sol")
const wallet: Wallet = {
  chain: toChainId("solana_testnet"),
  account: us.toBase58(),
  assets: [
    {
      id: SOL,
      chain: toChainId("solana_testnet"),
      decimals: 9,
      token: null,
      htlc: [program.toBase58()],
    },
  ],
  maxPriorityFeeMicroLamports: 0n,
}
const LOCK = 50_000n
const payout = signed(
  1_000n,
  buildInitiate(program, solver, { units: 1_000n, slots: LOCK, redeemer: us, secretHash }),
)
const redemption = signed(1_500n, buildRedeem(program, { initiator: solver, redeemer: us }, secret))

let history: SignatureEntry[]
let isRecorded: boolean
let isClosed: boolean
let pages: number
let fetched: string[]
/** What was asked for before the last list. */
let listedAfter: string[]

beforeEach(() => {
  isRecorded = true
  isClosed = false
  pages = 0
  fetched = []
})

test.each([1_500, 2_998])(
  "%d failed transactions before and after a payout do not hide it",
  async (count) => {
    history = [
      ...strangers(count, 1_001n, "failed"),
      entryOf(payout),
      ...strangers(count, 999n, "failed"),
    ]
    const found = {
      agreed: true,
      initiated: { units: 1_000n, revealable: true },
      refundableAt: 51_001n,
    }
    expect(await observe()).toMatchObject(found)
    isRecorded = false
    expect(await observe()).toMatchObject(found)
  },
)

test("transactions of strangers that succeed after the payout are not even fetched", async () => {
  history = [
    ...strangers(1_500, 1_001n, "unread"),
    entryOf(payout),
    ...strangers(1_500, 999n, "unread"),
  ]
  expect(await observe()).toMatchObject({ agreed: true, initiated: { units: 1_000n, final: true } })
  expect(new Set(fetched)).toEqual(new Set([idOf(payout)]))
})

test("a redemption counts behind any number of transactions", async () => {
  isClosed = true
  history = [
    ...strangers(3_001, 1_501n, "failed"),
    entryOf(redemption),
    ...strangers(40, 1_200n, "other"),
    entryOf(payout),
  ]
  const endpoints = remembering()
  const redeemed = { agreed: true, redeemed: { secret: secret.toString("hex"), final: true } }
  expect(await observe(endpoints)).toMatchObject(redeemed)
  pages = 0
  fetched = []
  expect(await observe(endpoints)).toMatchObject(redeemed)
  // Two endpoints: the first page, which meets what is known; the two calls are known too.
  expect(pages).toBe(2)
  expect(fetched).toHaveLength(0)
})

test("a history that is longer than one look goes on behind it, so that a flood only delays", async () => {
  isRecorded = false
  history = [...strangers(101_000, 1_001n, "failed"), entryOf(payout)]
  const endpoints = remembering(1)
  await expect(observe(endpoints)).rejects.toMatchObject({
    code: "solana.history_too_long",
    disposition: "transient",
  })
  expect(pages).toBe(100)
  expect(await observe(endpoints)).toMatchObject({ agreed: true, initiated: { units: 1_000n } })
  expect(pages).toBeLessThan(110)
})

test.each([true, false])("whether the account is closed (%s) needs no history", async (closed) => {
  isClosed = closed
  history = [...strangers(101_000, 1_001n, "failed"), entryOf(payout)]
  const observing = { endpoints: endpointsOf([node, node]), wallet }
  expect(await askIfClosed(QUERY, 2_000n, observing)).toBe(closed)
  // A state from before the opening shows no account either.
  expect(await askIfClosed(QUERY, 2_001n, observing)).toBe(false)
  expect(pages).toBe(0)
})

test("transactions that the service names are asked for with the list, and count by it", async () => {
  isClosed = true
  history = [entryOf(redemption), entryOf(payout)]
  const named = { initiateTx: idOf(payout), redeemTx: `${idOf(redemption)},x`, refundTx: "x" }
  const expected = await observe()
  fetched = []
  expect(await observe(endpointsOf([node]), { ...QUERY, hints: named })).toEqual(expected)
  expect(listedAfter).toEqual([idOf(payout), idOf(redemption)])
  expect(fetched).toHaveLength(2)
  // One that the list lacks counts for nothing.
  isClosed = false
  history = [entryOf(payout)]
  expect(await observe(endpointsOf([node]), { ...QUERY, hints: named })).toMatchObject({
    initiated: { units: 1_000n },
    redeemed: null,
  })
})

test("a list without the opening transaction is read again, and proves no absence", async () => {
  history = strangers(10, 1_001n, "failed")
  const endpoints = remembering(1)
  await expect(observe(endpoints)).rejects.toMatchObject({ code: "solana.history_incomplete" })
  history = [...history, entryOf(payout)]
  expect(await observe(endpoints)).toMatchObject({ initiated: { units: 1_000n } })
})

function observe(endpoints = endpointsOf([node, node]), query = QUERY) {
  const finality = decideFinality({ commitment: "confirmed", confirmations: null, finality: null })
  return observeLeg(query, { endpoints, wallet, finality })
}

function remembering(count = 2) {
  const endpoints = endpointsOf(Array.from({ length: count }, () => node))
  return createSolanaQuorum(endpoints.nodes.map(rememberAll), endpoints.needed, systemClock)
}

function rememberAll(endpoint: Endpoint): Endpoint {
  return { ...endpoint, notes: createSwapNotes() }
}

function node({ commitment }: NodeView): PartialNode {
  const slot = commitment === "finalized" ? 2_000n : 2_031n
  return {
    fetchSlot: async () => slot,
    fetchFirstSlot: async () => 0n,
    findSignatures: async (_address, before) => {
      pages++
      listedAfter = [...fetched]
      const start = before === null ? 0 : placeOf(before) + 1
      return history.slice(start, start + 1_000)
    },
    fetchTransaction: async (txid) => {
      fetched.push(txid)
      return [payout, redemption, STRANGE].find((found) => idOf(found) === txid) ?? STRANGE
    },
    fetchAccountAt: async () => {
      const data = isRecorded ? recordOf(1_000n + LOCK) : Buffer.alloc(SWAP_ACCOUNT_BYTES)
      return { slot, account: isClosed ? null : { lamports: 1n, owner: program.toBase58(), data } }
    },
  }
}

const places = new WeakMap<readonly SignatureEntry[], Map<string, number>>()

function placeOf(wanted: string): number {
  const known = places.get(history) ?? new Map(history.map(({ signature }, at) => [signature, at]))
  places.set(history, known)
  return known.get(wanted) ?? -1
}

function recordOf(expirySlot: bigint): Buffer<ArrayBuffer> {
  const numbers = Buffer.alloc(16)
  numbers.writeBigUInt64LE(1_000n, 0)
  numbers.writeBigUInt64LE(expirySlot, 8)
  const parties = [solver.toBytes(), us.toBytes()]
  return Buffer.concat([
    Buffer.from(SWAP_ACCOUNT_DISCRIMINATOR, "hex"),
    numbers,
    ...parties,
    secretHash,
  ])
}

/**
 * `other`: they succeed and call nothing. All of them are the same transaction, so that no test
 * signs thousands.
 */
function strangers(
  count: number,
  slot: bigint,
  kind: "failed" | "unread" | "other",
): SignatureEntry[] {
  const err = kind === "failed" ? { InstructionError: [0, "Custom"] } : null
  return Array.from({ length: count }, (_, at) => ({
    signature: kind === "other" ? idOf(STRANGE) : `${kind}${slot}-${at}`,
    slot,
    err,
    confirmationStatus: "finalized" as const,
  }))
}

function entryOf(found: FoundTransaction): SignatureEntry {
  return { signature: idOf(found), slot: found.slot, err: null, confirmationStatus: "finalized" }
}

function signed(slot: bigint, call: TransactionInstruction): FoundTransaction {
  const parts = { payerKey: solver, recentBlockhash: program.toBase58(), instructions: [call] }
  const transaction = new VersionedTransaction(
    new TransactionMessage(parts).compileToLegacyMessage(),
  )
  transaction.sign([solverKey])
  const meta = { err: null, fee: 5_000n, preBalances: [], postBalances: [] }
  return { slot, transaction: Buffer.from(transaction.serialize()), meta }
}

function idOf({ transaction }: FoundTransaction): string {
  return base58.encode(transaction.subarray(1, 65))
}

const STRANGE = signed(1_200n, {
  programId: us,
  keys: [
    { pubkey: deriveSwapAccount(program, solver, secretHash), isSigner: false, isWritable: false },
  ],
  data: Buffer.alloc(0),
})

const QUERY: LegQuery = {
  side: "destination",
  asset: SOL,
  htlc: null,
  secretHash: secretHash.toString("hex"),
  units: 1_000n,
  owner: us.toBase58(),
  initiator: solver.toBase58(),
  redeemer: us.toBase58(),
  timelock: LOCK,
  hints: { initiateTx: null, redeemTx: null, refundTx: null },
  fromHeight: 900n,
  isExact: true,
}
