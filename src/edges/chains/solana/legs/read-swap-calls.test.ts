import { base58 } from "@scure/base"
import { Keypair, MessageV0, PublicKey, VersionedTransaction } from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import type { FoundTransaction } from "../node.ts"
import { programOf } from "../program.ts"
import { TOKEN_PROGRAM } from "../tokens.ts"
import { gainOf, readSwapCalls, tokenGainOf, transfersInto } from "./read-swap-calls.ts"

const key = (): PublicKey => Keypair.generate().publicKey
const payer = key()
const relay = key()
const program = key()
const swapAccount = key()
const owner = key()
const redeem = Buffer.concat([Buffer.from("b80c569546c461e1", "hex"), Buffer.alloc(32, 9)])

/**
 * A call of `relay`, which calls the HTLC; the swap account (3) and the owner (4) come from a
 * lookup table.
 */
const found: FoundTransaction = {
  slot: 1n,
  transaction: serialize([
    { programIdIndex: 1, accountKeyIndexes: [2, 3, 4], data: Buffer.from("relay") },
  ]),
  meta: {
    err: null,
    fee: 5_000n,
    preBalances: [100_000n, 1n, 1n, 9_000n, 0n],
    postBalances: [95_100n, 1n, 1n, 0n, 8_000n],
    loadedAddresses: { writable: [swapAccount.toBase58()], readonly: [owner.toBase58()] },
    innerInstructions: [
      { instructions: [{ programIdIndex: 2, accounts: [3, 0, 4], data: base58.encode(redeem) }] },
    ],
  },
}

it("finds a redeem that another program made, with accounts from lookup tables", () => {
  const calls = readSwapCalls(found, program.toBase58(), swapAccount.toBase58(), programOf(null))
  expect(calls.map(({ call }) => call)).toEqual([{ kind: "redeem", secret: "09".repeat(32) }])
})

it("reads the calls in the order in which they ran", () => {
  const refund = {
    programIdIndex: 2,
    accountKeyIndexes: [3, 0, 4],
    data: Buffer.from("0260b7fb3fd02e2e", "hex"),
  }
  const relayed = { programIdIndex: 1, accountKeyIndexes: [2, 3, 4], data: Buffer.from("relay") }
  const inner = { programIdIndex: 2, accounts: [3, 0, 4], data: base58.encode(redeem) }
  const kindsOf = (...groups: { index?: number; instructions: (typeof inner)[] }[]) => {
    const meta = { ...found.meta, innerInstructions: groups }
    const transaction = { ...found, transaction: serialize([relayed, refund]), meta }
    const calls = readSwapCalls(
      transaction,
      program.toBase58(),
      swapAccount.toBase58(),
      programOf(null),
    )
    return calls.map(({ call }) => call.kind)
  }
  expect(kindsOf({ index: 0, instructions: [inner] })).toEqual(["redeem", "refund"])
  expect(kindsOf({ index: 1, instructions: [inner] })).toEqual(["refund", "redeem"])
  expect(kindsOf({ instructions: [inner] })).toEqual(["refund", "redeem"])
})

it("ignores calls of another program or another swap account", () => {
  expect(readSwapCalls(found, relay.toBase58(), swapAccount.toBase58(), programOf(null))).toEqual(
    [],
  )
  expect(readSwapCalls(found, program.toBase58(), owner.toBase58(), programOf(null))).toEqual([])
})

it(
  "reports the gain of an account, adds the fee back for the fee payer, and returns null for " +
    "an unknown account",
  () => {
    expect(gainOf(found, owner.toBase58())).toBe(8_000n)
    expect(gainOf(found, payer.toBase58())).toBe(100n)
    expect(gainOf(found, Keypair.generate().publicKey.toBase58())).toBeNull()
  },
)

const mint = key()
const lists = (before: bigint | null, after: bigint | null): FoundTransaction => {
  const of = (amount: bigint | null) =>
    amount === null ? [] : [{ accountIndex: 4, mint: mint.toBase58(), uiTokenAmount: { amount } }]
  const meta = { ...found.meta, preTokenBalances: of(before), postTokenBalances: of(after) }
  return { ...found, meta }
}

it("reports the gain of a token account, also of a new or a closed one", () => {
  const gain = (before: bigint | null, after: bigint | null, token = mint) =>
    tokenGainOf(lists(before, after), owner.toBase58(), token.toBase58())
  expect(gain(5n, 8n)).toBe(3n)
  expect(gain(8n, 5n)).toBe(-3n)
  expect(gain(null, 8n)).toBe(8n)
  expect(gain(8n, null)).toBe(-8n)
  expect(gain(null, null)).toBeNull()
  expect(gain(5n, 8n, program)).toBeNull()
})

describe("the transfers into a token account", () => {
  const amount = (kind: number, more = 0): Buffer => {
    const data = Buffer.alloc(9 + more)
    data[0] = kind
    data.writeBigUInt64LE(70n, 1)
    return data
  }
  const into = (data: Buffer, accountKeyIndexes: number[], token = TOKEN_PROGRAM): bigint[] => {
    const call = { programIdIndex: 2, accountKeyIndexes, data }
    const moved = { ...found, transaction: serialize([call], token) }
    const meta = { ...found.meta, innerInstructions: [] }
    return transfersInto({ ...moved, meta }, owner.toBase58())
  }

  it("are those of both kinds, with the destination at its place", () => {
    expect(into(amount(3), [3, 4, 0])).toEqual([70n])
    expect(into(amount(12, 1), [3, 0, 4])).toEqual([70n])
    expect(into(amount(3), [4, 3, 0])).toEqual([])
    expect(into(amount(12, 1), [3, 4, 0])).toEqual([])
  })

  it("are no other calls, of no other program, and whole", () => {
    expect(into(amount(4), [3, 4, 0])).toEqual([])
    expect(into(amount(3), [3, 4, 0], program)).toEqual([])
    expect(into(amount(3).subarray(0, 8), [3, 4, 0])).toEqual([])
  })
})

function serialize(
  compiledInstructions: MessageV0["compiledInstructions"],
  called = program,
): Buffer<ArrayBuffer> {
  const message = new MessageV0({
    header: {
      numRequiredSignatures: 1,
      numReadonlySignedAccounts: 0,
      numReadonlyUnsignedAccounts: 2,
    },
    staticAccountKeys: [payer, relay, called],
    recentBlockhash: PublicKey.default.toBase58(),
    compiledInstructions,
    addressTableLookups: [{ accountKey: relay, writableIndexes: [0], readonlyIndexes: [1] }],
  })
  return Buffer.from(new VersionedTransaction(message).serialize())
}
