import { type Address, formatLog, type Hex, type Log, type LogTopic, numberToHex } from "viem"
import { AppError } from "#lib/app-error.ts"
import { isRangeRefused } from "#nodes/json-rpc.ts"
import type { EvmClient } from "../nodes/endpoint.ts"
import { type HtlcLog, readHtlcLogs, TOPICS } from "./read-htlc-logs.ts"

/**
 * Finds the events of the given contracts for one secret hash in blocks `from` to `to`. Throws
 * `evm.search_too_long` (hold).
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

/** Finds every event of one order. */
export async function findByOrderId(
  client: EvmClient,
  search: LogSearch,
  orderId: Hex,
): Promise<readonly HtlcLog[]> {
  const { Initiated, InitiatedWithDestinationData, Redeemed, Refunded } = TOPICS
  return findLogs(client, search, [
    [Initiated, InitiatedWithDestinationData, Redeemed, Refunded],
    orderId,
  ])
}

/** Finds the refund of one order, or `null`. */
export async function findRefund(
  client: EvmClient,
  search: LogSearch,
  orderId: Hex,
): Promise<HtlcLog | null> {
  const found = await findLogs(client, search, [TOPICS.Refunded, orderId])
  return found.find(({ name }) => name === "Refunded") ?? null
}

/** Finds every initiation and redemption of these contracts. */
export async function findTouched(
  client: EvmClient,
  search: LogSearch,
): Promise<readonly HtlcLog[]> {
  return findLogs(client, search, [
    [TOPICS.Initiated, TOPICS.InitiatedWithDestinationData, TOPICS.Redeemed],
  ])
}

type LogSearch = { readonly htlcs: readonly Address[]; readonly from: bigint; readonly to: bigint }

async function findLogs(
  client: EvmClient,
  search: LogSearch,
  topics: Topics,
): Promise<readonly HtlcLog[]> {
  const found = await findRawLogs(client, search, topics)
  return readHtlcLogs(found, search.htlcs).filter((log) => fits(log, topics))
}

type Topics = readonly LogTopic[]

/**
 * The numbers of blocks that a search asks for: the first one, and the next smaller one after each
 * refusal. They are the limits of common providers. A day of a chain with five blocks a second
 * takes five requests where the node sets no limit.
 */
const RANGES = [100_000n, 50_000n, 10_000n, 5_000n, 2_000n, 1_000n, 500n, 100n, 50n, 10n] as const
/**
 * A node that fails for more blocks may only need longer than our patience for them. Nearly all
 * nodes answer for this many.
 */
const USUAL_BLOCKS = 5_000n
/** A search that needs more calls fails with an error instead of a partial answer. */
const MAX_CALLS = 5_000
/** Small searches are asked together, because they share requests. */
const SMALL_BLOCKS = 100n
const MOST_TOGETHER = 20

/**
 * Every log of these contracts with these topics, as the node gives them: the caller checks each.
 * Throws `evm.search_too_long` (hold).
 */
export async function findRawLogs(
  client: EvmClient,
  { htlcs, from, to }: LogSearch,
  topics: Topics,
): Promise<readonly Log[]> {
  const found: Log[] = []
  let size: bigint = RANGES[0]
  let start = from
  for (let calls = 0; start <= to; ) {
    const parts = splitRange(start, to, size)
    calls += parts.length
    if (calls > MAX_CALLS) throw tooLong(from, to)
    const first = parts.at(0)
    const last = parts.at(-1)
    if (first === undefined || last === undefined) break
    const answers = await Promise.all(
      parts.map(([low, high]) => getLogs(client, htlcs, topics, low, high)),
    ).catch((error: unknown) => {
      const smaller = smallerRange(error, first[1] - first[0] + 1n)
      if (smaller === null) throw error
      return smaller
    })
    if (typeof answers === "bigint") {
      size = answers
      continue
    }
    found.push(...answers.flat())
    start = last[1] + 1n
  }
  return found
}

type Range = readonly [low: bigint, high: bigint]

/** The next ranges of `size` blocks from `start` on. */
function splitRange(start: bigint, to: bigint, size: bigint): readonly Range[] {
  const together = size <= SMALL_BLOCKS ? MOST_TOGETHER : 1
  return Array.from({ length: together }, (_, index) => start + BigInt(index) * size)
    .filter((low) => low <= to)
    .map((low) => [low, low + size - 1n < to ? low + size - 1n : to])
}

/**
 * The number of blocks to ask for after a failure for `asked` blocks; `null` if the number is not
 * the reason.
 */
function smallerRange(error: unknown, asked: bigint): bigint | null {
  if (isRangeRefused(error)) return RANGES.find((size) => size < asked) ?? null
  return asked > USUAL_BLOCKS ? USUAL_BLOCKS : null
}

async function getLogs(
  client: EvmClient,
  htlcs: readonly Address[],
  topics: Topics,
  from: bigint,
  to: bigint,
): Promise<readonly Log[]> {
  const filter = {
    address: [...htlcs],
    topics: [...topics],
    fromBlock: numberToHex(from),
    toBlock: numberToHex(to),
  }
  const logs = await client.request({ method: "eth_getLogs", params: [filter] })
  return logs.map((log) => formatLog(log))
}

/** Applies the filter again: a node that ignores it must not turn a stranger's order into ours. */
function fits(log: HtlcLog, topics: Topics): boolean {
  const [, orderId, secretHash] = topics
  return (
    (orderId == null || log.orderId === orderId) &&
    (secretHash == null || log.secretHash === secretHash)
  )
}

function tooLong(from: bigint, to: bigint): AppError {
  return new AppError({
    code: "evm.search_too_long",
    disposition: "hold",
    message:
      "Too many blocks to search for the order's events; use an endpoint that answers " +
      "eth_getLogs for more blocks",
    details: { from, to, calls: MAX_CALLS },
  })
}
