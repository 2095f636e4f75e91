import { base58 } from "@scure/base"
import {
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { buildBurn } from "#chains/solana/cctp/accounts.ts"
import { encodeBurnCall } from "#chains/solana/cctp/calls.ts"
import { wordOf } from "#chains/solana/cctp/presets.ts"
import type { FoundTransaction } from "#chains/solana/node.ts"
import { type BurnMessage, encodeBurnMessage, ZERO_WORD } from "#routes/cctp/message.ts"
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

export type Event = {
  readonly program: PublicKey
  readonly authority: PublicKey
  readonly hex: string
}

/** A signed transaction of a burn whose programs made these calls of themselves. */
export function transactionWith(
  events: readonly Event[],
  { slot = 7n, blockhash = PublicKey.default.toBase58() } = {},
): FoundTransaction {
  const parts = { owner: KEY.publicKey, eventAccount: EVENT_KEY.publicKey, domain: 6 }
  const burn = buildBurn(ACCOUNTS, parts, encodeBurnCall(BURN))
  const named = events.flatMap(({ program, authority }) => [program, authority])
  const others = new TransactionInstruction({
    programId: STRANGER,
    keys: named.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })),
  })
  const message = new TransactionMessage({
    payerKey: KEY.publicKey,
    recentBlockhash: blockhash,
    instructions: [burn, others],
  }).compileToLegacyMessage()
  const keys = message.accountKeys.map(String)
  const instructions = events.map(({ program, authority, hex }) => ({
    programIdIndex: keys.indexOf(program.toBase58()),
    accounts: [keys.indexOf(authority.toBase58())],
    data: base58.encode(Buffer.from(`e445a52e51cb9a1d${hex}`, "hex")),
  }))
  const transaction = new VersionedTransaction(message)
  transaction.sign([KEY, EVENT_KEY])
  return {
    slot,
    transaction: Buffer.from(transaction.serialize()),
    meta: {
      err: null,
      fee: 5_000n,
      preBalances: [],
      postBalances: [],
      innerInstructions: [{ index: 0, instructions }],
    },
  }
}

export const u64 = (value: bigint): string => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes.toString("hex")
}
export const u32 = (value: number): string => u64(BigInt(value)).slice(0, 8)
export const plain = (word: string): string => word.slice(2)

export const OF_MESSENGER = { program: ACCOUNTS.messenger, authority: ACCOUNTS.messengerEvents }
export const OF_TRANSMITTER = {
  program: ACCOUNTS.transmitter,
  authority: ACCOUNTS.transmitterEvents,
}

export const DEPOSITED = [
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

/** The event of a mint, by default of the sample message. */
export function mintedOf({
  to = TOKEN_ACCOUNT,
  mint = ACCOUNTS.mint,
}: {
  readonly to?: PublicKey
  readonly mint?: PublicKey
} = {}): string {
  return [
    "4b43e546a27e0047",
    plain(wordOf(to)),
    u64(99_987_000n),
    plain(wordOf(mint)),
    u64(13_000n),
  ].join("")
}

/** The event of its message, with some fields changed. */
export function receivedOf(change: Partial<BurnMessage> = {}): string {
  const message = { ...MESSAGE, ...change }
  return [
    "e7442f4dadf19da6",
    plain(wordOf(STRANGER)),
    u32(message.sourceDomain),
    plain(message.nonce),
    plain(message.sender),
    u32(message.finalityThresholdExecuted),
    u32(228),
    encodeBurnMessage(message).slice(2 + 148 * 2),
  ].join("")
}
