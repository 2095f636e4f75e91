import {
  type Address,
  decodeEventLog,
  type Hex,
  isAddressEqual,
  type Log,
  parseAbi,
  toEventSelector,
} from "viem"

/**
 * An event of an HTLC in a block. `units` and `secret` are `null` if the event lacks them; the
 * secret is hex without `0x`.
 */
export type HtlcLog = {
  readonly name: "Initiated" | "Redeemed" | "Refunded"
  readonly htlc: Address
  readonly orderId: Hex
  readonly secretHash: Hex | null
  readonly units: bigint | null
  readonly secret: string | null
  readonly txid: Hex
  readonly height: bigint
  readonly blockHash: Hex
  readonly index: number
}

/**
 * Reads the HTLC events among raw logs. Ignores every log that is not from these contracts or not
 * in a block.
 *
 * Contracts of all versions share the events, except for the initiation: versions 1 and 2 log its
 * amount as data, version 3 as a topic (field notes). Each log shows its form by its number of
 * topics, so no version is assumed. With destination data, version 3 logs `Initiated` and
 * `InitiatedWithDestinationData` of the same order; the first counts.
 */
export function readHtlcLogs(logs: readonly Log[], htlcs: readonly Address[]): readonly HtlcLog[] {
  const read = logs.flatMap((log) => {
    const htlc = htlcs.find((each) => isAddressEqual(each, log.address))
    return htlc === undefined ? [] : (readLog(log, htlc) ?? [])
  })
  return read.filter(
    (log, at) =>
      log.name !== "Initiated" || read.findIndex((each) => isSameInitiation(each, log)) === at,
  )
}

/**
 * The first topics of the events. Both forms of `Initiated` have the same one, because it does not
 * depend on `indexed`.
 */
export const TOPICS = {
  Initiated: toEventSelector("Initiated(bytes32,bytes32,uint256)"),
  InitiatedWithDestinationData: toEventSelector(
    "InitiatedWithDestinationData(bytes32,bytes32,uint256,bytes)",
  ),
  Redeemed: toEventSelector("Redeemed(bytes32,bytes32,bytes)"),
  Refunded: toEventSelector("Refunded(bytes32)"),
} as const

/** The events in each known form. The number of topics tells the two forms of `Initiated` apart. */
const FORMS = {
  olderInitiated: parseAbi([
    "event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 amount)",
  ]),
  initiated: parseAbi([
    "event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 indexed amount)",
  ]),
  initiatedWithData: parseAbi([
    "event InitiatedWithDestinationData(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 indexed amount, bytes destinationData)",
  ]),
  redeemed: parseAbi([
    "event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret)",
  ]),
  refunded: parseAbi(["event Refunded(bytes32 indexed orderID)"]),
} as const

type Fields = Pick<HtlcLog, "name" | "orderId" | "secretHash" | "units" | "secret">
type Topics = [Hex, ...Hex[]]

function readLog(log: Log, htlc: Address): HtlcLog | null {
  const { transactionHash: txid, blockNumber: height, blockHash, logIndex: index, data } = log
  const [topic, ...indexed] = log.topics
  if (log.removed || txid === null || height === null || blockHash === null) return null
  if (index === null || topic === undefined) return null
  const fields = readFields([topic, ...indexed], data)
  return fields && { ...fields, htlc, txid, height, blockHash, index }
}

function readFields(topics: Topics, data: Hex): Fields | null {
  try {
    return decodeFields(topics, data)
  } catch {
    return null // The topics or the data do not fit the event, so this is not the event of an HTLC.
  }
}

function decodeFields(topics: Topics, data: Hex): Fields | null {
  const words = (data.length - 2) / 64
  switch (topics[0]) {
    case TOPICS.Initiated:
      if (topics.length === 3 && words === 1)
        return initiated(decodeEventLog({ abi: FORMS.olderInitiated, topics, data }))
      if (topics.length === 4 && words === 0)
        return initiated(decodeEventLog({ abi: FORMS.initiated, topics, data }))
      return null
    case TOPICS.InitiatedWithDestinationData:
      return topics.length === 4
        ? initiated(decodeEventLog({ abi: FORMS.initiatedWithData, topics, data }))
        : null
    case TOPICS.Redeemed: {
      const {
        orderID: orderId,
        secretHash,
        secret,
      } = decodeEventLog({ abi: FORMS.redeemed, topics, data }).args
      return { name: "Redeemed", orderId, secretHash, units: null, secret: secret.slice(2) }
    }
    case TOPICS.Refunded: {
      const { orderID: orderId } = decodeEventLog({ abi: FORMS.refunded, topics, data }).args
      return { name: "Refunded", orderId, secretHash: null, units: null, secret: null }
    }
    default:
      return null
  }
}

type InitiatedArgs = {
  readonly args: { readonly orderID: Hex; readonly secretHash: Hex; readonly amount: bigint }
}

function initiated({ args }: InitiatedArgs): Fields {
  return {
    name: "Initiated",
    orderId: args.orderID,
    secretHash: args.secretHash,
    units: args.amount,
    secret: null,
  }
}

function isSameInitiation(a: HtlcLog, b: HtlcLog): boolean {
  return a.name === "Initiated" && a.htlc === b.htlc && a.orderId === b.orderId && a.txid === b.txid
}
