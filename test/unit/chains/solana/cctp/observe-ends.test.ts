import { base58 } from "@scure/base"
import { type PublicKey, SystemProgram } from "@solana/web3.js"
import { beforeEach, describe, expect, test } from "vitest"
import { deriveUsedNonce } from "#chains/solana/cctp/accounts.ts"
import { eventKeyOf } from "#chains/solana/cctp/burn-permissions.ts"
import { findBurn, observeMint } from "#chains/solana/cctp/observe-ends.ts"
import { wordOf } from "#chains/solana/cctp/presets.ts"
import { decideFinality } from "#chains/solana/finality.ts"
import type { FoundTransaction } from "#chains/solana/node.ts"
import { mustExist } from "#lib/assert.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { KeptBurn } from "#routes/cctp/kept-burn.ts"
import { type BurnMessage, ZERO_WORD } from "#routes/cctp/message.ts"
import { endpointsOf, type PartialNode } from "../../../../support/solana-endpoints.ts"
import {
  ACCOUNTS,
  ASSET,
  BURN,
  DEAL_KEY,
  EVM_ACCOUNT,
  EVM_MESSENGER,
  KEY,
  MESSAGE,
  STRANGER,
  TOKEN_ACCOUNT,
  WALLET,
} from "./sample-burn.ts"
import {
  DEPOSITED,
  mintedOf,
  OF_MESSENGER,
  OF_TRANSMITTER,
  receivedOf,
  transactionWith,
} from "./sample-events.ts"

/** What the order of the sample message burns on its EVM chain. */
const BURNT: KeptBurn = {
  call: {
    amountUnits: MESSAGE.amountUnits,
    destinationDomain: 5,
    mintRecipient: MESSAGE.mintRecipient,
    burnToken: MESSAGE.burnToken,
    destinationCaller: ZERO_WORD,
    maxFeeUnits: MESSAGE.maxFeeUnits,
    minFinalityThreshold: 1_000,
  },
  data: "0x",
  source: 6,
  sourceMessenger: EVM_MESSENGER,
  depositor: EVM_ACCOUNT,
}

const idOf = ({ transaction }: FoundTransaction): string =>
  base58.encode(transaction.subarray(1, 65))

/** The history of each account, and the accounts that exist. */
let history: readonly FoundTransaction[]
let open: ReadonlyMap<string, PublicKey>
let asked: string[]
let commitment: "confirmed" | "finalized"

beforeEach(() => {
  history = []
  open = new Map()
  asked = []
  commitment = "finalized"
})

const node: PartialNode = {
  fetchSlot: async () => 100n,
  fetchBlockMs: async () => 0,
  fetchFirstSlot: async () => 0n,
  findSignatures: async (address) => {
    asked.push(address)
    return history.map((found) => {
      return { signature: idOf(found), slot: found.slot, err: null, confirmationStatus: commitment }
    })
  },
  fetchTransaction: async (txid) => history.find((found) => idOf(found) === txid) ?? null,
  fetchAccount: async (address) => {
    const owner = open.get(address)
    return owner === undefined
      ? null
      : { lamports: 1n, owner: owner.toBase58(), data: Buffer.alloc(9) }
  },
}

const NO_TERMS = { htlc: null, initiator: null, redeemer: null, timelock: null, units: 0n } as const
const FINALITY = decideFinality({ commitment: "confirmed", confirmations: null, finality: null })

async function seeMint(nonce: string | null = MESSAGE.nonce, burn = BURNT) {
  const query: LegQuery = {
    ...NO_TERMS,
    hints: { initiateTx: null, redeemTx: null, refundTx: null },
    side: "destination",
    asset: ASSET,
    secretHash: DEAL_KEY,
    owner: WALLET.account,
    fromHeight: 1n,
    route: {
      kind: "cctp",
      // CAST: the burn is given beside it.
      deposit: {} as never,
      signed: [],
      voucher: nonce === null ? null : { kind: "cctp", nonce, fields: {} },
    },
  }
  const options = { endpoints: endpointsOf([node, node]), wallet: WALLET, finality: FINALITY }
  return observeMint(ACCOUNTS, burn, query, options)
}

const mintWith = (message: Partial<BurnMessage> = {}, minted = mintedOf()) =>
  transactionWith([
    { ...OF_MESSENGER, hex: minted },
    { ...OF_TRANSMITTER, hex: receivedOf(message) },
  ])

describe("a mint on Solana", () => {
  test("is found in the history of its nonce, or of the account that it pays", async () => {
    history = [mintWith()]
    const [found] = history
    const expected = {
      agreed: true,
      initiated: null,
      redeemed: { txid: idOf(mustExist(found, "the mint")), paidUnits: 99_987_000n, final: true },
    }
    expect(await seeMint()).toMatchObject(expected)
    expect(asked[0]).toBe(deriveUsedNonce(ACCOUNTS, MESSAGE.nonce).toBase58())
    asked = []
    expect(await seeMint(null)).toMatchObject(expected)
    expect(asked[0]).toBe(TOKEN_ACCOUNT.toBase58())
  })

  test("is seen before it is final, and final only then", async () => {
    history = [mintWith()]
    commitment = "confirmed"
    expect((await seeMint()).redeemed).toMatchObject({ seen: true, final: false })
  })

  const other = `0x${"55".repeat(32)}` as const
  test.each([
    ["another nonce", { nonce: other }],
    ["another source", { sourceDomain: 3 }],
    ["another messenger", { sender: other }],
    ["another depositor", { messageSender: other }],
    ["another token that was burnt", { burnToken: other }],
    ["another amount", { amountUnits: MESSAGE.amountUnits + 1n }],
    ["another order's tag", { maxFeeUnits: MESSAGE.maxFeeUnits + 1n }],
    ["another recipient in its message", { mintRecipient: other }],
  ] satisfies [string, Partial<BurnMessage>][])("of %s is not ours", async (_what, message) => {
    history = [mintWith(message)]
    expect(await seeMint()).toMatchObject({ agreed: true, redeemed: null })
  })

  test.each([
    ["pays another account", mintedOf({ to: STRANGER })],
    ["pays another token", mintedOf({ mint: STRANGER })],
  ])("that %s is not ours", async (_what, minted) => {
    history = [mintWith({}, minted)]
    expect(await seeMint()).toMatchObject({ agreed: true, redeemed: null })
  })

  test("of another burn of ours in the same account's history is passed over", async () => {
    const ours = mintWith()
    const another = mintWith({ maxFeeUnits: 16_001n, nonce: other })
    // Newest first, as nodes list them.
    history = [{ ...ours, slot: 9n }, another]
    expect((await seeMint(null)).redeemed).toMatchObject({ txid: idOf(ours) })
  })

  test("is not called absent while the mark of its nonce exists", async () => {
    const mark = deriveUsedNonce(ACCOUNTS, MESSAGE.nonce).toBase58()
    expect(await seeMint()).toMatchObject({ agreed: true, redeemed: null })
    open = new Map([[mark, ACCOUNTS.transmitter]])
    await expect(seeMint()).rejects.toMatchObject({ code: "solana.history_incomplete" })
    // Lamports at the address alone are no mark.
    open = new Map([[mark, SystemProgram.programId]])
    expect(await seeMint()).toMatchObject({ agreed: true, redeemed: null })
  })

  test("with a nonce that is none is not searched", async () => {
    await expect(seeMint("0x12")).rejects.toMatchObject({ code: "cctp.deposit" })
  })
})

describe("a burn on Solana", () => {
  const burn: KeptBurn = {
    call: { ...BURN, burnToken: wordOf(ACCOUNTS.mint) },
    data: "0x",
    source: 5,
    sourceMessenger: wordOf(ACCOUNTS.messenger),
    depositor: wordOf(KEY.publicKey),
  }
  const event = eventKeyOf(DEAL_KEY, burn.depositor).publicKey.toBase58()
  const find = (kept = burn) => {
    const [endpoint] = endpointsOf([node]).nodes
    const query = { secretHash: DEAL_KEY, fromHeight: 0n }
    return findBurn(mustExist(endpoint, "a node"), ACCOUNTS, kept, { query, minSlot: 100n })
  }

  test("is found in the history of its message's account", async () => {
    history = [transactionWith([{ ...OF_MESSENGER, hex: DEPOSITED }])]
    expect(await find()).toMatchObject({ units: BURN.amountUnits, height: 7n })
    expect(asked).toEqual([event])
  })

  test("of other terms is not the order's", async () => {
    history = [transactionWith([{ ...OF_MESSENGER, hex: DEPOSITED }])]
    const call = { ...burn.call, maxFeeUnits: burn.call.maxFeeUnits + 1n }
    expect(await find({ ...burn, call })).toBeNull()
  })

  test("is not called absent while its message's account exists", async () => {
    expect(await find()).toBeNull()
    open = new Map([[event, ACCOUNTS.transmitter]])
    await expect(find()).rejects.toMatchObject({ code: "solana.history_incomplete" })
  })
})
