import { base58 } from "@scure/base"
import { Keypair, MessageV0, PublicKey, VersionedTransaction } from "@solana/web3.js"
import { expect, it } from "vitest"
import type { FoundTransaction } from "../node.ts"
import { programOf } from "../program.ts"
import { gainOf, readSwapCalls } from "./read-swap-calls.ts"

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

function serialize(compiledInstructions: MessageV0["compiledInstructions"]): Buffer<ArrayBuffer> {
  const message = new MessageV0({
    header: {
      numRequiredSignatures: 1,
      numReadonlySignedAccounts: 0,
      numReadonlyUnsignedAccounts: 2,
    },
    staticAccountKeys: [payer, relay, program],
    recentBlockhash: PublicKey.default.toBase58(),
    compiledInstructions,
    addressTableLookups: [{ accountKey: relay, writableIndexes: [0], readonlyIndexes: [1] }],
  })
  return Buffer.from(new VersionedTransaction(message).serialize())
}
