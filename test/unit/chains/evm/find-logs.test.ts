import {
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  numberToHex,
  pad,
  type RpcLog,
} from "viem"
import { expect, test } from "vitest"
import { htlcAbi } from "#chains/evm/htlc.ts"
import { findBySecretHash, findRefund } from "#chains/evm/legs/find-logs.ts"
import type { EvmClient } from "#chains/evm/nodes/endpoint.ts"
import { AppError } from "#lib/app-error.ts"
import { AnswerTooLarge } from "#lib/read-body.ts"
import { htlcAddress, strangerAddress } from "../../../chains/evm/sample-order.ts"

const search = { htlcs: [htlcAddress], from: 0n, to: 10n }

function refunded(orderID: Hex, change: Partial<RpcLog> = {}): RpcLog {
  const topics = encodeEventTopics({ abi: htlcAbi, eventName: "Refunded", args: { orderID } })
  const place = {
    transactionHash: pad("0x1"),
    blockNumber: "0x9",
    blockHash: pad("0x9"),
    logIndex: "0x0",
    removed: false,
  }
  // CAST: the search reads no other field.
  return { address: htlcAddress, topics, data: "0x", ...place, ...change } as RpcLog
}

/** A node that gives the same answer to every request. */
function nodeWith(...logs: readonly RpcLog[]): EvmClient {
  // CAST: the search calls no other method.
  return { request: async () => logs } as unknown as EvmClient
}

test("finds the refund of an order, and ignores other logs that a node may return", async () => {
  const noise = [
    refunded(pad("0xb")),
    refunded(pad("0xa"), { address: strangerAddress }),
    refunded(pad("0xa"), { removed: true }),
    refunded(pad("0xa"), { blockNumber: null }),
  ]
  expect(await findRefund(nodeWith(...noise), search, pad("0xa"))).toBeNull()
  const mine = refunded(pad("0xa"), { transactionHash: pad("0x2") })
  expect(await findRefund(nodeWith(...noise, mine), search, pad("0xa"))).toMatchObject({
    txid: pad("0x2"),
    height: 9n,
  })
})

test("takes no initiation for a refund if a node ignores the filter", async () => {
  const opened = {
    ...logOf([INITIATED, pad("0xa"), SECRET_HASH, UNITS], "0x"),
    transactionHash: pad("0x2"),
  }
  // CAST: still a log.
  expect(await findRefund(nodeWith(opened as RpcLog), search, pad("0xa"))).toBeNull()
})

const SECRET_HASH = pad("0x5e")
/**
 * Topic 0 of both forms of `Initiated`, and of `InitiatedWithDestinationData`, as the audited
 * contracts emit them.
 */
const INITIATED = "0x01b41cbd4bbcc3c5b968a04d3fbdd8c1648a39ff6d9a3929b4840cea1142bc65"
const INITIATED_WITH_DATA = "0x380328b26f928a9e51ec19f8e2199a2bce34db266d093d1e0104bce139ed7555"
const UNITS = numberToHex(50_000n, { size: 32 })

function logOf(topics: readonly Hex[], data: Hex, logIndex: Hex = "0x0"): RpcLog {
  // CAST: the search reads no other field.
  return { ...refunded(pad("0xa")), topics, data, logIndex } as RpcLog
}

const bytes = (hex: Hex): Hex => encodeAbiParameters([{ type: "bytes" }], [hex])

test.each([
  ["versions 1 and 2: the amount is data", logOf([INITIATED, pad("0xa"), SECRET_HASH], UNITS)],
  ["version 3: the amount is a topic", logOf([INITIATED, pad("0xa"), SECRET_HASH, UNITS], "0x")],
  [
    "version 3 with data",
    logOf([INITIATED_WITH_DATA, pad("0xa"), SECRET_HASH, UNITS], bytes("0x1234")),
  ],
])("reads the initiation of %s", async (_form, log) => {
  expect(await findBySecretHash(nodeWith(log), search, SECRET_HASH)).toEqual([
    {
      name: "Initiated",
      htlc: htlcAddress,
      orderId: pad("0xa"),
      secretHash: SECRET_HASH,
      units: 50_000n,
      secret: null,
      txid: pad("0x1"),
      height: 9n,
      blockHash: pad("0x9"),
      index: 0,
    },
  ])
})

test.each([
  ["an amount twice", logOf([INITIATED, pad("0xa"), SECRET_HASH, UNITS], UNITS)],
  ["no amount", logOf([INITIATED, pad("0xa"), SECRET_HASH], "0x")],
  ["two words", logOf([INITIATED, pad("0xa"), SECRET_HASH], `${UNITS}${"00".repeat(32)}`)],
  ["half a word", logOf([INITIATED, pad("0xa"), SECRET_HASH], `0x${"00".repeat(16)}`)],
  ["no destination data", logOf([INITIATED_WITH_DATA, pad("0xa"), SECRET_HASH, UNITS], "0x")],
  ["one topic", logOf([INITIATED], "0x")],
  ["no topics", logOf([], "0x")],
])("ignores a log with the topic of an initiation and %s", async (_form, log) => {
  expect(await findBySecretHash(nodeWith(log), search, SECRET_HASH)).toEqual([])
})

/** A node with one initiation in `at`, which answers or fails by the number of blocks asked for. */
function nodeThat(failFor: (blocks: number) => Error | null, at: number) {
  const asked: number[] = []
  const log = {
    ...logOf([INITIATED, pad("0xa"), SECRET_HASH, UNITS], "0x"),
    blockNumber: numberToHex(at),
  }
  const request = async ({
    params: [filter],
  }: {
    params: readonly [{ fromBlock: Hex; toBlock: Hex }]
  }) => {
    const from = Number(filter.fromBlock)
    const to = Number(filter.toBlock)
    asked.push(to - from + 1)
    const failure = failFor(to - from + 1)
    if (failure !== null) throw failure
    return from <= at && at <= to ? [log] : []
  }
  // CAST: the search calls no other method.
  return { client: { request } as unknown as EvmClient, asked }
}

function rpcError(found: string, data: string | null = null): AppError {
  return new AppError({
    code: "evm.rpc",
    disposition: "transient",
    message: found,
    details: { found, data, rpcCode: found === "no" ? -32_005 : -32_000 },
  })
}

/** A day of a chain that makes five blocks a second. */
const day = { htlcs: [htlcAddress], from: 1_000n, to: 432_999n }

test("searches a day of a fast chain with five requests", async () => {
  const { client, asked } = nodeThat(() => null, 400_000)
  expect(await findBySecretHash(client, day, SECRET_HASH)).toMatchObject([{ height: 400_000n }])
  expect(asked).toEqual([100_000, 100_000, 100_000, 100_000, 32_000])
})

test.each([
  ["a limit of 10 000 blocks", 10_000, "eth_getLogs is limited to a 10,000 range", 46],
  ["a limit of 2 000 blocks", 2_000, "block range too large, maximum is 2000", 220],
  ["a limit of 2 048 blocks", 2_048, "requested too many blocks, maximum is set to 2048", 220],
  ["a limit of 10 000 blocks by its owner", 10_000, "ranges over 10000 blocks are paid", 46],
  ["a limit by a width", 10_000, "block interval is too wide", 46],
  ["a limit that only a code tells", 10_000, "no", 46],
  ["a limit of 1 000 blocks", 1_000, "query exceeds max block range 1000", 437],
])("asks for fewer blocks at a node with %s", async (_what, limit, text, mostCalls) => {
  const { client, asked } = nodeThat((blocks) => (blocks > limit ? rpcError(text) : null), 400_000)
  expect(await findBySecretHash(client, day, SECRET_HASH)).toHaveLength(1)
  expect(asked.length).toBeLessThanOrEqual(mostCalls)
})

test(
  "gives up with an error, not with a part of the blocks, if the node answers for too few at a " +
    "time",
  async () => {
    const { client } = nodeThat(
      (blocks) => (blocks > 10 ? rpcError("up to a 10 block range") : null),
      400_000,
    )
    await expect(findBySecretHash(client, day, SECRET_HASH)).rejects.toMatchObject({
      code: "evm.search_too_long",
    })
  },
)

test("reads a limit of blocks in the data of an error, and searches a lock at ten blocks a call", async () => {
  const lock = { ...day, from: 389_800n }
  for (const limit of [2_000, 10]) {
    const { client, asked } = nodeThat(
      (blocks) =>
        blocks > limit ? rpcError("invalid params", `range ${blocks} exceeds the limit`) : null,
      400_000,
    )
    expect(await findBySecretHash(client, lock, SECRET_HASH)).toHaveLength(1)
    expect(asked.length).toBeLessThan(4_400)
  }
})

test("falls back to 5 000 blocks if a node times out for more, and repeats no failure of that size", async () => {
  const slow = new AppError({
    code: "evm.unreachable",
    disposition: "transient",
    message: "timeout",
  })
  const { client, asked } = nodeThat((blocks) => (blocks > 5_000 ? slow : null), 20_000)
  expect(await findBySecretHash(client, { ...day, to: 30_999n }, SECRET_HASH)).toHaveLength(1)
  expect(asked).toEqual([30_000, ...Array<number>(6).fill(5_000)])
  const dead = nodeThat(() => slow, 20_000)
  await expect(findBySecretHash(dead.client, day, SECRET_HASH)).rejects.toMatchObject({
    code: "evm.unreachable",
  })
  expect(dead.asked).toEqual([100_000, 5_000])
})

test("asks for fewer blocks where strangers' events make an answer too large", async () => {
  const tooLarge = new AppError({
    code: "evm.nonsense",
    disposition: "transient",
    message: "too large",
    cause: new AnswerTooLarge(1),
  })
  const { client } = nodeThat((blocks) => (blocks > 1_000 ? tooLarge : null), 400_000)
  expect(await findBySecretHash(client, day, SECRET_HASH)).toHaveLength(1)
})

test("does not take a limit of requests for one of blocks", async () => {
  const { client, asked } = nodeThat(
    () => rpcError("rate limit exceeded, 25 requests per second"),
    20_000,
  )
  await expect(findBySecretHash(client, day, SECRET_HASH)).rejects.toMatchObject({
    code: "evm.rpc",
  })
  expect(asked).toEqual([100_000, 5_000])
})
