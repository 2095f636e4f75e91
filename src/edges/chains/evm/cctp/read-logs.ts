import { type Address, decodeEventLog, type Hex, isAddressEqual, type Log } from "viem"
import { type BurnMessage, decodeBurnMessage } from "#routes/cctp/message.ts"
import { messengerAbi, transmitterAbi } from "./abi.ts"

/** Where a log is. */
type Place = { readonly txid: Hex; readonly height: bigint; readonly index: number }

/** One burn of a transaction: the emitted message, whose four attested fields are zero. */
export type BurnLog = Place & { readonly bytes: Hex; readonly message: BurnMessage }

/** One mint of a transaction, proven by two events of it. */
export type MintLog = Place & {
  readonly caller: Address
  readonly nonce: Hex
  readonly sourceDomain: number
  readonly sender: Hex
  readonly finalityThresholdExecuted: number
  readonly body: Hex
  readonly mintRecipient: Address
  readonly mintToken: Address
  /** After the fee. */
  readonly amountUnits: bigint
  readonly feeUnits: bigint
}

type Pinned = { readonly messenger: Address; readonly transmitter: Address }

/**
 * The burns among the logs of one receipt, each with the event of the messenger that follows its
 * message. A message without it is not a burn of this messenger. A transaction may have several.
 */
export function readBurns(logs: readonly Log[], pinned: Pinned): readonly BurnLog[] {
  return logs.flatMap((log) => {
    const place = placeOf(log)
    const sent = readEvent(log, pinned.transmitter, transmitterAbi)
    if (place === null || sent?.eventName !== "MessageSent") return []
    const message = decodeBurnMessage(sent.args.message)
    const isBurn = message !== null && logs.some((other) => isBurnOf(other, message, place, pinned))
    return isBurn ? [{ ...place, bytes: sent.args.message, message }] : []
  })
}

/**
 * The mints among the logs of one receipt. The transmitter logs `MessageReceived` behind the
 * `MintAndWithdraw` of the same message, so the nearest one before it belongs to it.
 */
export function readMints(logs: readonly Log[], pinned: Pinned): readonly MintLog[] {
  const mints: MintLog[] = []
  let minted: ReturnType<typeof readMinted> = null
  for (const log of logs) {
    minted = readMinted(log, pinned) ?? minted
    const place = placeOf(log)
    const event = readEvent(log, pinned.transmitter, transmitterAbi)
    if (place === null || event?.eventName !== "MessageReceived") continue
    const { caller, nonce, sourceDomain, sender, finalityThresholdExecuted, messageBody } =
      event.args
    if (minted !== null)
      mints.push({
        ...place,
        caller,
        nonce,
        sourceDomain,
        sender,
        finalityThresholdExecuted,
        body: messageBody,
        ...minted,
      })
    minted = null
  }
  return mints
}

/** Has the body of this mint such fields? Those of the header are not in it. */
export function isBodyOf({ body }: MintLog, isSuch: (message: BurnMessage) => boolean): boolean {
  const message = decodeBurnMessage(`0x00000001${"0".repeat(288)}${body.slice(2)}`)
  return message !== null && isSuch(message)
}

/** Does this event of the messenger repeat the fields of the message before it? */
function isBurnOf(log: Log, message: BurnMessage, sent: Place, pinned: Pinned): boolean {
  const place = placeOf(log)
  const event = readEvent(log, pinned.messenger, messengerAbi)
  if (place === null || event?.eventName !== "DepositForBurn") return false
  const { args } = event
  return (
    place.txid === sent.txid &&
    place.index > sent.index &&
    args.amount === message.amountUnits &&
    args.mintRecipient === message.mintRecipient &&
    args.destinationDomain === message.destinationDomain &&
    args.destinationTokenMessenger === message.recipient &&
    args.destinationCaller === message.destinationCaller &&
    args.maxFee === message.maxFeeUnits &&
    args.minFinalityThreshold === message.minFinalityThreshold &&
    args.hookData === message.hookData &&
    BigInt(args.burnToken) === BigInt(message.burnToken) &&
    BigInt(args.depositor) === BigInt(message.messageSender)
  )
}

function readMinted(
  log: Log,
  { messenger }: Pinned,
): Pick<MintLog, "mintRecipient" | "mintToken" | "amountUnits" | "feeUnits"> | null {
  const event = readEvent(log, messenger, messengerAbi)
  if (event?.eventName !== "MintAndWithdraw") return null
  const { mintRecipient, mintToken, amount: amountUnits, feeCollected: feeUnits } = event.args
  return { mintRecipient, mintToken, amountUnits, feeUnits }
}

function placeOf(log: Log): Place | null {
  const { transactionHash: txid, blockNumber: height, logIndex: index } = log
  return log.removed || txid === null || height === null || index === null
    ? null
    : { txid, height, index }
}

function readEvent<const abi extends typeof messengerAbi | typeof transmitterAbi>(
  log: Log,
  from: Address,
  abi: abi,
) {
  const [topic, ...indexed] = log.topics
  if (topic === undefined || !isAddressEqual(log.address, from)) return null
  try {
    return decodeEventLog({ abi, topics: [topic, ...indexed], data: log.data, strict: true })
  } catch {
    return null // Another event, or one that does not fit its form.
  }
}
