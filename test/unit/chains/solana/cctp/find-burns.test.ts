import { base58 } from "@scure/base"
import { Keypair } from "@solana/web3.js"
import { beforeEach, describe, expect, test } from "vitest"
import { findBurnDomain as findEvmDomain } from "#chains/evm/cctp/presets.ts"
import { deriveDenylist } from "#chains/solana/cctp/accounts.ts"
import { decodeBurnDeposit } from "#chains/solana/cctp/burn-deposit.ts"
import { findBurnDomain } from "#chains/solana/cctp/domains.ts"
import { createBurnHistory } from "#chains/solana/cctp/find-burns.ts"
import { findBurn } from "#chains/solana/cctp/observe-ends.ts"
import { planBurn } from "#chains/solana/cctp/plan-ends.ts"
import { wordOf } from "#chains/solana/cctp/presets.ts"
import { readBurnPermissions } from "#chains/solana/cctp/read-rules.ts"
import { createSwapNotes } from "#chains/solana/legs/swap-notes.ts"
import type { FoundTransaction, SignatureEntry } from "#chains/solana/node.ts"
import { createSolanaQuorum } from "#chains/solana/nodes/endpoints.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import type { FoundDeposit } from "#ports/route.ts"
import { burnOf } from "#routes/cctp/kept-burn.ts"
import { decodeBurnMessage } from "#routes/cctp/message.ts"
import { reopenBurn } from "#routes/cctp/reopen-burn.ts"
import { asVerified } from "../../../../chains/evm/sample-order.ts"
import { endpointsOf, type PartialNode } from "../../../../support/solana-endpoints.ts"
import {
  ACCOUNTS,
  ASSET,
  BURN,
  CHAIN,
  DEAL_KEY,
  EVM_ACCOUNT,
  KEY,
  RULES,
  STRANGER,
  TOKEN_ACCOUNT,
  WALLET,
} from "./sample-burn.ts"
import { DEPOSITED, OF_MESSENGER, plain, transactionWith } from "./sample-events.ts"

const BURNS = mustExist(readBurnPermissions(RULES, { chain: CHAIN, preset: "solana" }), "the burns")
const OWN = { ...OF_MESSENGER, hex: DEPOSITED }
const FOREIGN = {
  ...OF_MESSENGER,
  hex: DEPOSITED.replace(plain(wordOf(KEY.publicKey)), plain(wordOf(STRANGER))),
}
const hashOf = (byte: number): string =>
  Keypair.fromSeed(Buffer.alloc(32, byte)).publicKey.toBase58()
const idOf = ({ transaction }: FoundTransaction): string =>
  base58.encode(transaction.subarray(1, 65))

const burn = transactionWith([OWN], { slot: 500n, blockhash: hashOf(1) })
const second = transactionWith([OWN, OWN], { slot: 900n, blockhash: hashOf(2) })
const stranger = transactionWith([FOREIGN], { slot: 700n, blockhash: hashOf(3) })
const failed = transactionWith([OWN], { slot: 800n, blockhash: hashOf(4) })

/** What each endpoint lists, newest first; `err` of those in `failing`. */
let listed: readonly FoundTransaction[]
let asked: string[]
let fetched: string[]
let status: { slot: bigint; err: unknown } | null

beforeEach(() => {
  listed = [second, failed, stranger, burn]
  asked = []
  fetched = []
  status = null
})

const entryOf = (found: FoundTransaction): SignatureEntry => ({
  signature: idOf(found),
  slot: found.slot,
  err: found === failed ? { InstructionError: [0, "Custom"] } : null,
  confirmationStatus: "finalized",
})

const node: PartialNode = {
  fetchSlot: async () => 1_000n,
  fetchBlockMs: async (slot) => Number(slot) * 400,
  findSignatures: async (address) => {
    asked.push(address)
    return listed.map(entryOf)
  },
  fetchTransaction: async (txid) => {
    fetched.push(txid)
    return listed.find((found) => idOf(found) === txid) ?? null
  },
  fetchFirstSlot: async () => 0n,
  fetchStatus: async () => ({ slot: 1_000n, status }),
}

function openHistory(nodes: readonly PartialNode[] = [node, node]) {
  const { nodes: plainNodes, needed } = endpointsOf(nodes)
  const noted = plainNodes.map((one) => ({ ...one, notes: createSwapNotes() }))
  const endpoints = createSolanaQuorum(noted, needed, systemClock)
  const history = createBurnHistory({ wallet: WALLET, burns: BURNS, endpoints })
  return { endpoints, history, notes: noted.map(({ notes }) => notes) }
}

describe("the burns of our account on Solana", () => {
  test("are found by the account that each of them names, and those of others are not", async () => {
    const found = await openHistory().history.findDeposits(0n)
    expect(found.map(({ txid }) => txid)).toEqual([burn, second, second].map(idOf))
    expect(new Set(asked)).toEqual(new Set([deriveDenylist(ACCOUNTS, KEY.publicKey).toBase58()]))
    expect(fetched).not.toContain(idOf(failed))
    const message = decodeBurnMessage(found[0]?.evidence?.["message"] ?? "")
    expect(message).toMatchObject({
      sourceDomain: 5,
      amountUnits: BURN.amountUnits,
      maxFeeUnits: BURN.maxFeeUnits,
      messageSender: wordOf(KEY.publicKey),
    })
  })

  test("are those since a slot, up to the one that enough endpoints have", async () => {
    const { history } = openHistory()
    expect((await history.findDeposits(501n)).map(({ txid }) => txid)).toEqual(
      Array(2).fill(idOf(second)),
    )
    const behind = openHistory([{ ...node, fetchSlot: async () => 899n }, node])
    expect((await behind.history.findDeposits(0n)).map(({ txid }) => txid)).toEqual([idOf(burn)])
  })

  test("are read once, and transactions of strangers too", async () => {
    const { history, notes } = openHistory()
    const found = await history.findDeposits(0n)
    fetched = []
    expect(await history.findDeposits(0n)).toEqual(found)
    expect(fetched).toEqual([])
    // Those of strangers leave the list, so that a flood of them is read once.
    const kept = notes.flatMap(({ histories }) =>
      [...histories.values()].map(({ entries }) => entries.map(({ signature }) => signature)),
    )
    expect(kept).toEqual(Array(2).fill([second, burn].map(idOf)))
  })

  test("may be missing where an endpoint has dropped blocks of that time, which is named", async () => {
    const { history } = openHistory([{ ...node, fetchFirstSlot: async () => 450n }, node])
    expect(await history.findGaps?.(450n)).toEqual([])
    expect(await history.findGaps?.(0n)).toEqual([])
    expect(await history.findGaps?.(449n)).toMatchObject([
      { code: "solana.history_pruned", endpoint: "node-1" },
    ])
  })

  test("are not found where too few endpoints show the same ones", async () => {
    const other: PartialNode = { ...node, findSignatures: async () => [] }
    await expect(openHistory([node, other]).history.findDeposits(0n)).rejects.toMatchObject({
      code: "solana.disagreement",
    })
  })

  test("are not found by a node that lists one without its content", async () => {
    const cut: PartialNode = { ...node, fetchTransaction: async () => null }
    await expect(openHistory([cut]).history.findDeposits(0n)).rejects.toMatchObject({
      code: "solana.history_incomplete",
    })
  })

  test("are not found in bytes that our key has not signed", async () => {
    const forged: PartialNode = { ...node, fetchTransaction: async () => second }
    await expect(openHistory([forged]).history.findDeposits(0n)).rejects.toMatchObject({
      code: "solana.nonsense",
    })
  })

  test("began at the latest as many slots ago as a chain can have in that time", async () => {
    const { history } = openHistory()
    expect(await history.heightBefore(1_000 * 400 - 30_000)).toBe(900n)
    expect(await history.heightBefore(0)).toBe(0n)
    expect(await history.heightBefore(1_000 * 400 + 1)).toBe(1_000n)
    const blind = openHistory([{ ...node, fetchBlockMs: async () => null }])
    await expect(blind.history.heightBefore(399_000)).rejects.toMatchObject({
      code: "solana.agreement_short",
    })
  })
})

const SIDES = [
  {
    asset: ASSET,
    family: "solana",
    domain: mustExist(findBurnDomain("solana"), "Solana"),
    payee: KEY.publicKey.toBase58(),
    mintRecipient: wordOf(TOKEN_ACCOUNT),
  },
  {
    asset: mustExist(RULES.assets[1], "the other asset"),
    family: "evm",
    domain: mustExist(findEvmDomain(8_453), "Base"),
    payee: `0x${EVM_ACCOUNT.slice(-40)}`,
    mintRecipient: EVM_ACCOUNT,
  },
] as const

/** The order of a burn that no journal knows. */
function reopened(found: FoundDeposit) {
  const order = reopenBurn(SIDES, found)
  if ("refused" in order) throw new Error(order.refused.message)
  return asVerified(decodeBurnDeposit(WALLET, BURNS, order.depositRequest, ASSET))
}

test("a burn to an account that is not ours has a finding", () => {
  const burn = {
    amountUnits: BURN.amountUnits,
    destinationDomain: 6,
    mintRecipient: `0x${"55".repeat(32)}`,
    payee: "a stranger",
    maxFeeUnits: BURN.maxFeeUnits,
    finality: "fast",
    dealKey: DEAL_KEY,
  }
  const codesOf = (recipient: string) =>
    decodeBurnDeposit(
      WALLET,
      BURNS,
      { family: "solana", burn: { ...burn, mintRecipient: recipient } },
      ASSET,
    ).findings.map(({ code }) => code)
  expect(codesOf(burn.mintRecipient)).toEqual(["cctp.burn_differs"])
  expect(codesOf(EVM_ACCOUNT)).toEqual([])
})

describe("the order of a burn that was found", () => {
  const observe = async (deposit: ReturnType<typeof reopened>) => {
    const { endpoints } = openHistory()
    const query = { secretHash: deposit.secretHash, fromHeight: 0n }
    const place = { query, minSlot: 1_000n }
    return findBurn(mustExist(endpoints.nodes[0], "a node"), ACCOUNTS, burnOf(deposit), place)
  }

  test("shows its own burn by its transaction, though its message's account is unknown", async () => {
    const [first, , last] = await openHistory().history.findDeposits(0n)
    for (const [one, slot] of [
      [first, 500n],
      [last, 900n],
    ] as const) {
      const found = mustExist(one, "a burn")
      const deposit = reopened(found)
      expect(deposit.findings).toEqual([])
      fetched = []
      expect(await observe(deposit)).toMatchObject({
        txid: found.txid,
        height: slot,
        units: BURN.amountUnits,
        evidence: found.evidence,
      })
      expect(fetched).toEqual([found.txid])
    }
  })

  test("is not called absent while a node knows the transaction", async () => {
    const [first] = await openHistory().history.findDeposits(0n)
    const deposit = reopened(mustExist(first, "a burn"))
    listed = []
    expect(await observe(deposit)).toBeNull()
    status = { slot: 500n, err: null }
    await expect(observe(deposit)).rejects.toMatchObject({ code: "solana.history_incomplete" })
  })

  test("burns nothing once more", async () => {
    const [first] = await openHistory().history.findDeposits(0n)
    const deposit = reopened(mustExist(first, "a burn"))
    const asset = mustExist(WALLET.assets[0], "the asset")
    // CAST: the refusal comes before any read.
    const plan = await planBurn(
      { wallet: WALLET, burns: BURNS, asset },
      deposit,
      new Set(),
      {} as never,
    )
    expect(plan).toMatchObject({ refused: [{ code: "solana.already_initiated" }] })
  })
})
