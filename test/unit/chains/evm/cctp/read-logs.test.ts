import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
  type Log,
  parseAbiParameters,
} from "viem"
import { describe, expect, test } from "vitest"
import { messengerAbi, transmitterAbi } from "#chains/evm/cctp/abi.ts"
import { readBurns, readMints } from "#chains/evm/cctp/read-logs.ts"
import { decodeBurnMessage, encodeBurnMessage, ZERO_WORD } from "#routes/cctp/message.ts"
import { LIVE_FIELDS, LIVE_MESSAGE } from "../../../routes/cctp/live-mint.ts"

const PINNED = {
  messenger: getAddress("0x8FE6B999Dc680CcFDD5Bf7EB0974218be2542DAA"),
  transmitter: getAddress("0xE737e5cEBEEBa77EFE34D4aa090756590b1CE275"),
}
const STRANGER = getAddress(`0x${"99".repeat(20)}`)
const TXID: Hex = `0x${"aa".repeat(32)}`
const EMITTED = {
  ...LIVE_FIELDS,
  nonce: ZERO_WORD,
  finalityThresholdExecuted: 0,
  feeExecutedUnits: 0n,
  expirationBlock: 0n,
}
const addressIn = (word: Hex): Address => getAddress(`0x${word.slice(-40)}`)

function logOf(
  address: Address,
  topics: readonly (Hex | Hex[] | null)[],
  data: Hex,
  index: number,
): Log {
  return {
    address,
    // CAST: every value of these events has one topic.
    topics: topics as [Hex, ...Hex[]],
    data,
    logIndex: index,
    transactionHash: TXID,
    blockNumber: 7n,
    blockHash: TXID,
    transactionIndex: 0,
    removed: false,
  }
}

function sent(
  index: number,
  bytes: Hex = encodeBurnMessage(EMITTED),
  from = PINNED.transmitter,
): Log {
  const topics = encodeEventTopics({ abi: transmitterAbi, eventName: "MessageSent" })
  return logOf(from, topics, encodeAbiParameters(parseAbiParameters("bytes"), [bytes]), index)
}

function burnt(index: number, change: Partial<typeof EMITTED> = {}, from = PINNED.messenger): Log {
  const message = { ...EMITTED, ...change }
  const topics = encodeEventTopics({
    abi: messengerAbi,
    eventName: "DepositForBurn",
    args: {
      burnToken: addressIn(message.burnToken),
      depositor: addressIn(message.messageSender),
      minFinalityThreshold: message.minFinalityThreshold,
    },
  })
  const layout = parseAbiParameters("uint256, bytes32, uint32, bytes32, bytes32, uint256, bytes")
  const data = encodeAbiParameters(layout, [
    message.amountUnits,
    message.mintRecipient,
    message.destinationDomain,
    message.recipient,
    message.destinationCaller,
    message.maxFeeUnits,
    message.hookData,
  ])
  return logOf(from, topics, data, index)
}

function minted(index: number, from = PINNED.messenger): Log {
  const topics = encodeEventTopics({
    abi: messengerAbi,
    eventName: "MintAndWithdraw",
    args: { mintRecipient: addressIn(LIVE_FIELDS.mintRecipient), mintToken: STRANGER },
  })
  const data = encodeAbiParameters(parseAbiParameters("uint256, uint256"), [499_950n, 50n])
  return logOf(from, topics, data, index)
}

function received(index: number, from = PINNED.transmitter): Log {
  const topics = encodeEventTopics({
    abi: transmitterAbi,
    eventName: "MessageReceived",
    args: { caller: STRANGER, nonce: LIVE_FIELDS.nonce, finalityThresholdExecuted: 1_000 },
  })
  const layout = parseAbiParameters("uint32, bytes32, bytes")
  const body: Hex = `0x${LIVE_MESSAGE.slice(2 + 148 * 2)}`
  return logOf(from, topics, encodeAbiParameters(layout, [3, LIVE_FIELDS.sender, body]), index)
}

describe("the burns of a receipt", () => {
  test("have the emitted message and its place", () => {
    const burns = readBurns([sent(4), burnt(5)], PINNED)
    expect(burns).toEqual([
      { txid: TXID, height: 7n, index: 4, bytes: encodeBurnMessage(EMITTED), message: EMITTED },
    ])
    expect(decodeBurnMessage(burns[0]?.bytes ?? "")).toEqual(EMITTED)
  })

  test("are several in one transaction", () => {
    const logs = [sent(1), burnt(2), sent(3), burnt(4)]
    expect(readBurns(logs, PINNED).map(({ index }) => index)).toEqual([1, 3])
  })

  test.each([
    ["without the messenger's event", [sent(1)]],
    ["of another transmitter", [sent(1, undefined, STRANGER), burnt(2)]],
    ["of another messenger", [sent(1), burnt(2, {}, STRANGER)]],
    ["with the messenger's event before it", [burnt(1), sent(2)]],
    ["of another amount", [sent(1), burnt(2, { amountUnits: 1n })]],
    ["to another recipient", [sent(1), burnt(2, { mintRecipient: ZERO_WORD })]],
    ["with a hook in one event only", [sent(1), burnt(2, { hookData: "0x01" })]],
    ["of a message that is none", [sent(1, "0x1234"), burnt(2)]],
    ["of a removed log", [{ ...sent(1), removed: true }, burnt(2)]],
  ])("are none %s", (_name, logs) => {
    expect(readBurns(logs, PINNED)).toEqual([])
  })
})

describe("the mints of a receipt", () => {
  test("have both events, whoever sent them", () => {
    expect(readMints([minted(1), received(2)], PINNED)).toEqual([
      {
        txid: TXID,
        height: 7n,
        index: 2,
        caller: STRANGER,
        nonce: LIVE_FIELDS.nonce,
        sourceDomain: 3,
        sender: LIVE_FIELDS.sender,
        finalityThresholdExecuted: 1_000,
        body: `0x${LIVE_MESSAGE.slice(2 + 148 * 2)}`,
        mintRecipient: addressIn(LIVE_FIELDS.mintRecipient),
        mintToken: STRANGER,
        amountUnits: 499_950n,
        feeUnits: 50n,
      },
    ])
  })

  test.each([
    ["the received message alone", [received(1)]],
    ["the mint alone", [minted(1)]],
    ["the events in the wrong order", [received(1), minted(2)]],
    ["a mint of another messenger", [minted(1, STRANGER), received(2)]],
    ["a message of another transmitter", [minted(1), received(2, STRANGER)]],
    ["removed logs", [minted(1), { ...received(2), removed: true }]],
  ])("are not %s", (_name, logs) => {
    expect(readMints(logs, PINNED)).toEqual([])
  })

  test("count one mint for one message", () => {
    expect(readMints([minted(1), received(2), received(3)], PINNED)).toHaveLength(1)
  })
})
