import {
  BaseError,
  encodeEventTopics,
  formatLog,
  type Hex,
  type Log,
  numberToHex,
  parseEventLogs,
  RpcRequestError,
} from "viem"
import { AppError } from "#lib/app-error.ts"
import { htlcAbi } from "./htlc.ts"
import type { Search } from "./leg-search.ts"
import { nullWhenMissing } from "./rpc.ts"
import { readAddress, readBytes32 } from "./wallet.ts"

/** Every `Initiated` and `Redeemed` with the query's secret hash, from its height to `head`. */
export function findByHash(search: Search, head: bigint): Promise<readonly HtlcEvent[]> {
  return findEvents(search, [[INITIATED, REDEEMED], null, search.secretHash], search.query.fromHeight, head)
}

/** `Refunded` names only the order. */
export async function findRefunds(
  search: Search,
  orders: readonly { readonly orderId: Hex }[],
  head: bigint,
): Promise<readonly HtlcEvent[]> {
  const ids = [...new Set(orders.map(({ orderId }) => orderId))]
  return ids.length === 0 ? [] : findEvents(search, [[REFUNDED], ids], search.query.fromHeight, head)
}

/** The events in the receipts of the transactions that the service names: a claim of where to look, read from our own node. */
export async function findHinted(search: Search): Promise<readonly HtlcEvent[]> {
  const { initiateTx, redeemTx, refundTx } = search.query.hints
  const hashes = [initiateTx, redeemTx, refundTx].map(readBytes32).filter((hash) => hash !== null)
  const read = async (hash: Hex): Promise<readonly HtlcEvent[]> => {
    const receipt = await nullWhenMissing(search.client.getTransactionReceipt({ hash }))
    return receipt === null ? [] : readEvents(search, receipt.logs)
  }
  return (await Promise.all([...new Set(hashes)].map(read))).flat()
}

export type HtlcEvent = Initiated | Redeemed | Refunded
export type Initiated = Place & { readonly kind: "initiated"; readonly units: bigint }
export type Redeemed = Place & { readonly kind: "redeemed"; readonly secret: Hex }
export type Refunded = Place & { readonly kind: "refunded" }
type Place = { readonly htlc: Hex; readonly orderId: Hex; readonly txid: Hex; readonly height: bigint }

/** What hosted nodes commonly allow in one search. */
const CHUNK = 5_000n
const SMALLEST_CHUNK = 500n
/** A search that needs more is answered with an error, not with a part. */
const MOST_BLOCKS = 5_000_000n

const [INITIATED] = encodeEventTopics({ abi: htlcAbi, eventName: "Initiated" })
const [REDEEMED] = encodeEventTopics({ abi: htlcAbi, eventName: "Redeemed" })
const [REFUNDED] = encodeEventTopics({ abi: htlcAbi, eventName: "Refunded" })

type Topics = (Hex | Hex[] | null)[]

async function findEvents(search: Search, topics: Topics, from: bigint, head: bigint): Promise<readonly HtlcEvent[]> {
  if (search.htlcs.length === 0) return []
  if (head - from > MOST_BLOCKS) throw tooLong(from, head)
  const found: HtlcEvent[] = []
  let size = CHUNK
  for (let start = from; start <= head; ) {
    const end = start + size - 1n < head ? start + size - 1n : head
    const logs = await tryLogs(search, topics, start, end, size > SMALLEST_CHUNK)
    if (logs === null) {
      size /= 2n
      continue
    }
    found.push(...readEvents(search, logs))
    start = end + 1n
  }
  return found
}

/** `null` when the node refuses the range and a smaller one may do: hosted nodes set limits of their own, in words of their own. */
async function tryLogs(
  { client, htlcs }: Search,
  topics: Topics,
  start: bigint,
  end: bigint,
  mayShrink: boolean,
): Promise<readonly Log[] | null> {
  const filter = { address: [...htlcs], topics, fromBlock: numberToHex(start), toBlock: numberToHex(end) }
  try {
    return (await client.request({ method: "eth_getLogs", params: [filter] })).map((log) => formatLog(log))
  } catch (error) {
    if (mayShrink && error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError)) return null
    throw error
  }
}

/** Only logs of the searched contracts in mined blocks, and of those only our secret hash where the event carries one. */
function readEvents({ htlcs, secretHash }: Search, logs: readonly Log[]): readonly HtlcEvent[] {
  const parsed = parseEventLogs({ abi: htlcAbi, logs: [...logs], strict: true })
  return parsed.flatMap((log): readonly HtlcEvent[] => {
    const htlc = readAddress(log.address)
    const { transactionHash: txid, blockNumber: height } = log
    if (htlc === null || !htlcs.includes(htlc) || txid === null || height === null || log.removed) return []
    const place = { htlc, orderId: log.args.orderID, txid, height }
    if (log.eventName === "Refunded") return [{ kind: "refunded", ...place }]
    if (log.args.secretHash !== secretHash) return []
    if (log.eventName === "Redeemed") return [{ kind: "redeemed", ...place, secret: log.args.secret }]
    return [{ kind: "initiated", ...place, units: log.args.amount }]
  })
}

function tooLong(fromHeight: bigint, head: bigint): AppError {
  return new AppError({
    code: "evm.search_too_long",
    disposition: "hold",
    message: "The order began too many blocks ago to search for its events; look at this order by hand",
    details: { fromHeight, head, limit: MOST_BLOCKS },
  })
}
