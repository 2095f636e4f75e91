import { type BurnMessage, decodeBurnMessage, type Hex, ZERO_WORD } from "#routes/cctp/message.ts"
import { listCalls } from "../legs/read-swap-calls.ts"
import type { FoundTransaction } from "../node.ts"
import type { CctpAccounts } from "./accounts.ts"
import { wordOf } from "./presets.ts"

/**
 * The events of a transaction that succeeded. A program of Anchor calls itself with an event's
 * bytes, signed by its own event authority; no other program can make that signature.
 */
const EVENT = "e445a52e51cb9a1d"
const DEPOSITED = "90fc9192064aa7eb"
const MINTED = "4b43e546a27e0047"
const RECEIVED = "e7442f4dadf19da6"

/** One mint, proven by an event of each program. */
export type MintEvent = {
  readonly nonce: Hex
  readonly sourceDomain: number
  readonly sender: Hex
  readonly finalityThresholdExecuted: number
  /** The message of the mint; the event has neither its destination nor its caller. */
  readonly body: BurnMessage
  readonly mintRecipient: Hex
  readonly mintToken: Hex
  /** After the fee. */
  readonly amountUnits: bigint
}

/** The burns of a transaction, as the messages that they emitted. */
export function readBurns(found: FoundTransaction, accounts: CctpAccounts): readonly BurnMessage[] {
  const { messenger, messengerEvents } = accounts
  return eventsOf(found, messenger.toBase58(), messengerEvents.toBase58()).flatMap((event) => {
    if (!event.startsWith(DEPOSITED) || event.length < 392) return []
    const data = Buffer.from(event, "hex")
    return {
      version: 1,
      sourceDomain: accounts.domain,
      destinationDomain: data.readUInt32LE(112),
      nonce: ZERO_WORD,
      sender: wordOf(messenger),
      recipient: wordAt(data, 116),
      destinationCaller: wordAt(data, 148),
      minFinalityThreshold: data.readUInt32LE(188),
      finalityThresholdExecuted: 0,
      bodyVersion: 1,
      burnToken: wordAt(data, 8),
      mintRecipient: wordAt(data, 80),
      amountUnits: data.readBigUInt64LE(40),
      messageSender: wordAt(data, 48),
      maxFeeUnits: data.readBigUInt64LE(180),
      feeExecutedUnits: 0n,
      expirationBlock: 0n,
      hookData: `0x${data.toString("hex", 196)}`,
    }
  })
}

/** The messenger logs its mint before the transmitter logs the message of it. */
export function readMints(
  found: FoundTransaction,
  { messenger, messengerEvents, transmitter, transmitterEvents }: CctpAccounts,
): readonly MintEvent[] {
  const mints: MintEvent[] = []
  let minted: Buffer | null = null
  for (const { program, event } of listEvents(found)) {
    const isOf = (owner: string, authority: string): boolean =>
      program.owner === owner && program.authority === authority
    if (isOf(messenger.toBase58(), messengerEvents.toBase58()) && event.startsWith(MINTED))
      minted = event.length === 176 ? Buffer.from(event, "hex") : null
    if (!isOf(transmitter.toBase58(), transmitterEvents.toBase58())) continue
    const received = event.startsWith(RECEIVED) ? readReceived(Buffer.from(event, "hex")) : null
    if (received !== null && minted !== null)
      mints.push({
        ...received,
        mintRecipient: wordAt(minted, 8),
        amountUnits: minted.readBigUInt64LE(40),
        mintToken: wordAt(minted, 48),
      })
    minted = null
  }
  return mints
}

function readReceived(
  data: Buffer,
): Omit<MintEvent, "mintRecipient" | "amountUnits" | "mintToken"> | null {
  if (data.length < 116 || data.readUInt32LE(112) !== data.length - 116) return null
  const body = decodeBurnMessage(`0x00000001${"0".repeat(288)}${data.toString("hex", 116)}`)
  if (body === null) return null
  return {
    sourceDomain: data.readUInt32LE(40),
    nonce: wordAt(data, 44),
    sender: wordAt(data, 76),
    finalityThresholdExecuted: data.readUInt32LE(108),
    body,
  }
}

function eventsOf(found: FoundTransaction, owner: string, authority: string): readonly string[] {
  return listEvents(found)
    .filter(({ program }) => program.owner === owner && program.authority === authority)
    .map(({ event }) => event)
}

/** In the order in which they ran, without the eight bytes that mark an event. */
function listEvents(found: FoundTransaction) {
  return listCalls(found).flatMap(({ program: owner, accounts: [authority = ""], data }) => {
    const hex = Buffer.from(data).toString("hex")
    return hex.startsWith(EVENT) ? [{ program: { owner, authority }, event: hex.slice(16) }] : []
  })
}

function wordAt(data: Buffer, at: number): Hex {
  return `0x${data.toString("hex", at, at + 32)}`
}
