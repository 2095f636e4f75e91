import { describe, expect, test } from "vitest"
import { wordOf } from "#chains/solana/cctp/presets.ts"
import { readBurns, readMints } from "#chains/solana/cctp/read-events.ts"
import { ZERO_WORD } from "#routes/cctp/message.ts"
import {
  ACCOUNTS,
  EVM_ACCOUNT,
  EVM_MESSENGER,
  KEY,
  MESSAGE,
  STRANGER,
  TOKEN_ACCOUNT,
} from "./sample-burn.ts"
import {
  DEPOSITED,
  mintedOf,
  OF_MESSENGER,
  OF_TRANSMITTER,
  receivedOf,
  transactionWith,
} from "./sample-events.ts"

const MINTED = mintedOf()
const RECEIVED = receivedOf()

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
