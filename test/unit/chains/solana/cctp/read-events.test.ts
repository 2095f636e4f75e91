import { base58 } from "@scure/base"
import {
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { describe, expect, test } from "vitest"
import { buildBurn } from "#chains/solana/cctp/accounts.ts"
import { encodeBurnCall } from "#chains/solana/cctp/calls.ts"
import { wordOf } from "#chains/solana/cctp/presets.ts"
import { readBurns, readMints } from "#chains/solana/cctp/read-events.ts"
import type { FoundTransaction } from "#chains/solana/node.ts"
import { encodeBurnMessage, ZERO_WORD } from "#routes/cctp/message.ts"
import {
  ACCOUNTS,
  BURN,
  EVENT_KEY,
  EVM_ACCOUNT,
  EVM_MESSENGER,
  KEY,
  MESSAGE,
  STRANGER,
  TOKEN_ACCOUNT,
} from "./sample-burn.ts"

type Event = { readonly program: PublicKey; readonly authority: PublicKey; readonly hex: string }

/** A transaction of a burn whose programs made these calls of themselves. */
function transactionWith(events: readonly Event[]): FoundTransaction {
  const parts = { owner: KEY.publicKey, eventAccount: EVENT_KEY.publicKey, domain: 6 }
  const burn = buildBurn(ACCOUNTS, parts, encodeBurnCall(BURN))
  const named = events.flatMap(({ program, authority }) => [program, authority])
  const others = new TransactionInstruction({
    programId: STRANGER,
    keys: named.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })),
  })
  const message = new TransactionMessage({
    payerKey: KEY.publicKey,
    recentBlockhash: PublicKey.default.toBase58(),
    instructions: [burn, others],
  }).compileToLegacyMessage()
  const keys = message.accountKeys.map(String)
  const instructions = events.map(({ program, authority, hex }) => ({
    programIdIndex: keys.indexOf(program.toBase58()),
    accounts: [keys.indexOf(authority.toBase58())],
    data: base58.encode(Buffer.from(`e445a52e51cb9a1d${hex}`, "hex")),
  }))
  return {
    slot: 7n,
    transaction: Buffer.from(new VersionedTransaction(message).serialize()),
    meta: {
      err: null,
      fee: 5_000n,
      preBalances: [],
      postBalances: [],
      innerInstructions: [{ index: 0, instructions }],
    },
  }
}

const u64 = (value: bigint): string => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes.toString("hex")
}
const u32 = (value: number): string => u64(BigInt(value)).slice(0, 8)
const plain = (word: string): string => word.slice(2)

const OF_MESSENGER = { program: ACCOUNTS.messenger, authority: ACCOUNTS.messengerEvents }
const OF_TRANSMITTER = { program: ACCOUNTS.transmitter, authority: ACCOUNTS.transmitterEvents }

const DEPOSITED = [
  "90fc9192064aa7eb",
  plain(wordOf(ACCOUNTS.mint)),
  u64(BURN.amountUnits),
  plain(wordOf(KEY.publicKey)),
  plain(EVM_ACCOUNT),
  u32(6),
  plain(EVM_MESSENGER),
  plain(ZERO_WORD),
  u64(BURN.maxFeeUnits),
  u32(1_000),
  u32(0),
].join("")

const MINTED = [
  "4b43e546a27e0047",
  plain(wordOf(TOKEN_ACCOUNT)),
  u64(99_987_000n),
  plain(wordOf(ACCOUNTS.mint)),
  u64(13_000n),
].join("")

const BODY = encodeBurnMessage(MESSAGE).slice(2 + 148 * 2)
const RECEIVED = [
  "e7442f4dadf19da6",
  plain(wordOf(STRANGER)),
  u32(6),
  plain(MESSAGE.nonce),
  plain(EVM_MESSENGER),
  u32(1_000),
  u32(228),
  BODY,
].join("")

describe("a burn on Solana", () => {
  test("is read as the message that it emitted", () => {
    const [message, ...more] = readBurns(
      transactionWith([{ ...OF_MESSENGER, hex: DEPOSITED }]),
      ACCOUNTS,
    )
    expect(more).toEqual([])
    expect(message).toEqual({
      ...MESSAGE,
      sourceDomain: 5,
      destinationDomain: 6,
      nonce: ZERO_WORD,
      sender: wordOf(ACCOUNTS.messenger),
      recipient: EVM_MESSENGER,
      finalityThresholdExecuted: 0,
      burnToken: wordOf(ACCOUNTS.mint),
      mintRecipient: EVM_ACCOUNT,
      messageSender: wordOf(KEY.publicKey),
      feeExecutedUnits: 0n,
    })
  })

  test.each([
    ["of another program", { ...OF_MESSENGER, program: STRANGER, hex: DEPOSITED }],
    [
      "without the program's own signature",
      { ...OF_MESSENGER, authority: STRANGER, hex: DEPOSITED },
    ],
    ["of the transmitter", { ...OF_TRANSMITTER, hex: DEPOSITED }],
    ["that is cut", { ...OF_MESSENGER, hex: DEPOSITED.slice(0, -2) }],
  ])("an event %s counts for nothing", (_what, event) => {
    expect(readBurns(transactionWith([event]), ACCOUNTS)).toEqual([])
  })
})

describe("a mint on Solana", () => {
  const minted = { ...OF_MESSENGER, hex: MINTED }
  const received = { ...OF_TRANSMITTER, hex: RECEIVED }

  test("is read from the two events of one message, whichever account sent it", () => {
    const [mint] = readMints(transactionWith([minted, received]), ACCOUNTS)
    expect(mint).toMatchObject({
      nonce: MESSAGE.nonce,
      sourceDomain: 6,
      sender: EVM_MESSENGER,
      mintRecipient: wordOf(TOKEN_ACCOUNT),
      mintToken: wordOf(ACCOUNTS.mint),
      amountUnits: 99_987_000n,
      finalityThresholdExecuted: 1_000,
    })
    expect(mint?.body).toMatchObject({ amountUnits: 100_000_000n, maxFeeUnits: 16_000n })
  })

  test.each([
    ["a message without a mint", [received]],
    ["a mint without a message", [minted]],
    ["a mint after its message", [received, minted]],
    ["a mint of another program", [{ ...minted, program: STRANGER }, received]],
    ["a message of another program", [minted, { ...received, program: STRANGER }]],
    ["a message without its signature", [minted, { ...received, authority: STRANGER }]],
    ["a message of another length", [minted, { ...received, hex: `${RECEIVED}00` }]],
  ])("%s is none", (_what, events) => {
    expect(readMints(transactionWith(events), ACCOUNTS)).toEqual([])
  })

  test("one mint is not counted for two messages", () => {
    expect(readMints(transactionWith([minted, received, received]), ACCOUNTS)).toHaveLength(1)
  })
})
