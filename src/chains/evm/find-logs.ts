import { type Address, formatLog, type Hex, type Log, type LogTopic, numberToHex } from "viem"
import { AppError } from "#lib/app-error.ts"
import { type HtlcLog, readHtlcLogs, TOPICS } from "./read-htlc-logs.ts"
import type { EvmClient } from "./rpc.ts"

/**
 * Finds the events of the given contracts for one secret hash in blocks `from` to `to`. Throws `evm.search_too_long`
 * (hold).
 */
export async function findBySecretHash(
  client: EvmClient,
  search: LogSearch,
  secretHash: Hex,
): Promise<readonly HtlcLog[]> {
  return findLogs(client, search, [
    [TOPICS.Initiated, TOPICS.InitiatedWithDestinationData, TOPICS.Redeemed],
    null,
    secretHash,
  ])
}

/** Finds the refund of one order, or `null`. */
export async function findRefund(client: EvmClient, search: LogSearch, orderId: Hex): Promise<HtlcLog | null> {
  const [first] = await findLogs(client, search, [TOPICS.Refunded, orderId])
  return first ?? null
}

export type LogSearch = { readonly htlcs: readonly Address[]; readonly from: bigint; readonly to: bigint }

type Topics = readonly LogTopic[]

/** Most nodes answer for this many blocks at a time; for other nodes, the search halves the range. */
const CHUNK_BLOCKS = 5_000n
const LEAST_BLOCKS = 10n
/** A search that needs more calls fails with an error instead of a partial answer. */
const MAX_CALLS = 500

async function findLogs(
  client: EvmClient,
  { htlcs, from, to }: LogSearch,
  topics: Topics,
): Promise<readonly HtlcLog[]> {
  const found: HtlcLog[] = []
  let size = CHUNK_BLOCKS
  let start = from
  for (let call = 0; start <= to; call++) {
    if (call >= MAX_CALLS) throw tooLong(from, to)
    const end = start + size - 1n < to ? start + size - 1n : to
    const logs = await getLogs(client, htlcs, topics, start, end).catch((error: unknown) => {
      if (!isRangeRefused(error) || size <= LEAST_BLOCKS) throw error
      return null
    })
    if (logs === null) {
      size = size / 2n > LEAST_BLOCKS ? size / 2n : LEAST_BLOCKS
      continue
    }
    found.push(...readHtlcLogs(logs, htlcs).filter((log) => fits(log, topics)))
    start = end + 1n
  }
  return found
}

async function getLogs(
  client: EvmClient,
  htlcs: readonly Address[],
  topics: Topics,
  from: bigint,
  to: bigint,
): Promise<readonly Log[]> {
  const filter = { address: [...htlcs], topics: [...topics], fromBlock: numberToHex(from), toBlock: numberToHex(to) }
  const logs = await client.request({ method: "eth_getLogs", params: [filter] })
  return logs.map((log) => formatLog(log))
}

/** Applies the filter again: a node that ignores it must not turn a stranger's order into ours. */
function fits(log: HtlcLog, topics: Topics): boolean {
  const [, orderId, secretHash] = topics
  return (orderId == null || log.orderId === orderId) && (secretHash == null || log.secretHash === secretHash)
}

/** Providers limit the range or the number of logs, each with its own error text. */
function isRangeRefused(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof AppError && each.code === "evm.rpc") {
      return /range|limit|too (many|large|big)|exceed|maximum|more than/i.test(String(each.details["found"]))
    }
  }
  return false
}

function tooLong(from: bigint, to: bigint): AppError {
  return new AppError({
    code: "evm.search_too_long",
    disposition: "hold",
    message:
      "Too many blocks to search for the order's events; use an endpoint that answers eth_getLogs for more blocks",
    details: { from, to, calls: MAX_CALLS },
  })
}
