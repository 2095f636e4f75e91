import { encodeAbiParameters, encodeEventTopics, type Hex, numberToHex, pad } from "viem"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { deriveOrderIds, tokenAbi } from "#chains/evm/htlc.ts"
import { TOPICS } from "#chains/evm/legs/read-htlc-logs.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  hashOfSecret,
  htlcAddress,
  sampleOptions,
  sampleTerms,
  strangerAddress,
  tokenAddress,
  wbtc,
} from "../../../chains/evm/sample-order.ts"
import { type NodeProxy, type ProxyAnswer, startProxy } from "../../../chains/evm/start-proxy.ts"

/* How often a look at a leg asks its node, and for what. */

const SECRET = "5e".repeat(32)
const terms = { ...sampleTerms, secretHash: hashOfSecret(SECRET) }
const hash: Hex = `0x${terms.secretHash}`
const STRAY = pad("0xbad", { size: 32 })
const AMOUNT = pad(numberToHex(terms.units), { size: 32 })

type World = {
  head: number
  /** The blocks from `fork` on have other hashes than before. */
  fork: number
  salt: number
  initiatedAt: number | null
  redeemedAt: number | null
  /** So many searches are answered by a backend with other blocks. */
  strays: number
  /** A share of the amount, as some tokens would pay. */
  paid: bigint
}

let world: World
let node: NodeProxy
let chain: ChainPort

beforeEach(async () => {
  const empty = { initiatedAt: null, redeemedAt: null, strays: 0 }
  world = { head: 20, fork: 0, salt: 0, paid: terms.units, ...empty }
  node = await startProxy(null, answer)
  chain = createEvmChain(sampleOptions([node.url]))
  // The network, and whether the node honours the hash of a block, are asked for once.
  await observe("source")
})
afterEach(() => node.stop())

describe("a look at a leg", () => {
  test.each([
    ["that is not there", null, 3],
    ["that it sees first", 18, 3],
    ["that it sees first in the newest block", 20, 2],
  ])("%s: its storage and its events are one request", async (_what, initiatedAt, requests) => {
    world.initiatedAt = initiatedAt
    const seen = await observe("source")
    expect(seen.leg.initiated?.height ?? null).toEqual(initiatedAt && BigInt(initiatedAt))
    // The head and the questions; then the blocks, where no answer names one of those known.
    expect(seen.requests).toBe(requests)
    expect(seen.methods.filter((method) => method === "eth_getLogs")).toHaveLength(1)
  })

  test("that it sees first in the newest block of another chain is no fact", async () => {
    world.initiatedAt = 20
    world.strays = 1
    const seen = await observe("source")
    expect(seen.leg.initiated).toMatchObject({ height: 20n })
    // The event of another block at that height counted for nothing.
    expect(seen.requests).toBeGreaterThan(2)
  })

  test("whose named transaction is in no block yet asks no more for that", async () => {
    const seen = await observe("source", { initiateTx: txidOf("initiate") })
    expect(seen.leg.initiated).toBeNull()
    // The receipt that does not come, too.
    expect(seen.requests).toBe(4)
  })

  test("that it knows asks for the storage and the blocks alone, in one request", async () => {
    world.initiatedAt = 18
    await observe("source")
    world.head = 25
    const seen = await observe("source", { initiateTx: txidOf("initiate") })
    expect(seen.leg.initiated).toMatchObject({ height: 18n, txid: txidOf("initiate") })
    expect(seen.requests).toBe(2)
    expect(new Set(seen.methods)).toEqual(
      new Set(["eth_chainId", "eth_getBlockByNumber", "eth_call"]),
    )
  })

  test("whose block a reorganisation replaced finds the new one", async () => {
    world.initiatedAt = 18
    await observe("source")
    Object.assign(world, { head: 26, fork: 17, salt: 1, initiatedAt: 24 })
    const again = await observe("source")
    expect(again.leg.initiated).toMatchObject({ height: 24n, txid: txidOf("initiate") })
    Object.assign(world, { head: 28, fork: 17, salt: 2, initiatedAt: null })
    expect((await observe("source")).leg.initiated).toBeNull()
  })

  test("takes the paid amount from the receipt that the service named", async () => {
    Object.assign(world, { initiatedAt: 18, redeemedAt: 20, paid: 7n })
    const hints = { initiateTx: txidOf("initiate"), redeemTx: txidOf("redeem") }
    const seen = await observe("destination", hints)
    expect(seen.leg.redeemed).toMatchObject({ paidUnits: 7n, secret: SECRET })
    const named = seen.methods.filter((method) => method === "eth_getTransactionReceipt")
    expect(named).toHaveLength(2)
    // The receipts, the head, and the questions with their blocks.
    expect(seen.requests).toBe(3)
  })
})

async function observe(side: LegQuery["side"], hints: Partial<LegQuery["hints"]> = {}) {
  const before = { requests: node.requests(), methods: node.asked.length }
  const isOurs = side === "source"
  const leg = await chain.observeLeg({
    side,
    asset: wbtc,
    htlc: null,
    secretHash: terms.secretHash,
    units: terms.units,
    owner: isOurs ? chain.account : terms.redeemer,
    initiator: isOurs ? chain.account : strangerAddress,
    redeemer: terms.redeemer,
    timelock: terms.timelock,
    hints: { initiateTx: null, redeemTx: null, refundTx: null, ...hints },
    fromHeight: 1n,
  })
  const methods = node.asked.slice(before.methods).map(({ method }) => method)
  return { leg, methods, requests: node.requests() - before.requests }
}

function hashAt(height: number): Hex {
  return pad(numberToHex(height * 16 + (height >= world.fork ? world.salt : 0)), { size: 32 })
}

function txidOf(name: "initiate" | "redeem"): Hex {
  return `0x${(name === "initiate" ? "a1" : "b2").repeat(32)}`
}

function blockAt(height: number): object | null {
  if (height > world.head) return null
  const { initiatedAt, redeemedAt } = world
  const transactions = [
    ...(initiatedAt === height ? [txidOf("initiate")] : []),
    ...(redeemedAt === height ? [txidOf("redeem")] : []),
  ]
  return { number: numberToHex(height), hash: hashAt(height), transactions, timestamp: "0x1" }
}

/** Both initiators have the order. */
function idsOf(): readonly Hex[] {
  const scope = { chainId: 84_532, htlc: htlcAddress }
  return [requireAccount(), strangerAddress].map(
    (initiator) => deriveOrderIds({ ...terms, initiator }, scope).v3,
  )
}

function requireAccount(): typeof strangerAddress {
  // CAST: the account of an EVM chain is an address.
  return chain.account as typeof strangerAddress
}

type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

function logsOf(name: "initiate" | "redeem", orderId: Hex): readonly Log[] {
  if (name === "initiate")
    return [{ address: htlcAddress, topics: [TOPICS.Initiated, orderId, hash, AMOUNT], data: "0x" }]
  const args = { from: htlcAddress, to: terms.redeemer }
  // CAST: both indexed addresses are given.
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: "Transfer", args }) as Hex[]
  const data = encodeAbiParameters([{ type: "uint256" }], [world.paid])
  const secret = encodeAbiParameters([{ type: "bytes" }], [`0x${SECRET}`])
  return [
    { address: tokenAddress, topics, data },
    { address: htlcAddress, topics: [TOPICS.Redeemed, orderId, hash], data: secret },
  ]
}

function eventsAt(name: "initiate" | "redeem", orderId: Hex): readonly object[] {
  const height = name === "initiate" ? world.initiatedAt : world.redeemedAt
  if (height === null || height > world.head) return []
  return logsOf(name, orderId).map((log, index) => ({
    ...log,
    transactionHash: txidOf(name),
    blockNumber: numberToHex(height),
    blockHash: hashAt(height),
    logIndex: numberToHex(index),
    transactionIndex: "0x0",
    removed: false,
  }))
}

function receiptOf(name: "initiate" | "redeem"): object | null {
  const logs = eventsAt(name, idsOf()[1] ?? "0x")
  const height = name === "initiate" ? world.initiatedAt : world.redeemedAt
  if (height === null) return null
  const place = { blockNumber: numberToHex(height), blockHash: hashAt(height) }
  return { transactionHash: txidOf(name), ...place, status: "0x1", type: "0x2", logs }
}

function storedOrder(data: Hex, orderIds: readonly Hex[]): Hex {
  const at = orderIds.indexOf(`0x${data.slice(-64)}`)
  const { initiatedAt, redeemedAt } = world
  if (at < 0 || initiatedAt === null) return `0x${"0".repeat(384)}`
  const words = [
    at === 0 ? requireAccount() : strangerAddress,
    terms.redeemer,
    numberToHex(initiatedAt),
    numberToHex(terms.timelock),
    numberToHex(terms.units),
    numberToHex(redeemedAt ?? 0),
  ]
  return `0x${words.map((word) => pad(word, { size: 32 }).slice(2)).join("")}`
}

function answer(method: string, params: readonly unknown[]): ProxyAnswer {
  const [first] = params
  if (method === "eth_chainId") return { result: "0x14a34" }
  if (method === "eth_getBlockByNumber") {
    const isTag = first === "latest" || first === "safe" || first === "finalized"
    return { result: blockAt(isTag ? world.head : Number(first)) }
  }
  // CAST: the forms of the specification.
  if (method === "eth_call") return { result: storedOrder((first as { data: Hex }).data, idsOf()) }
  if (method === "eth_getLogs") {
    const events = eventsAt("initiate", idsOf()[0] ?? "0x")
    const isStray = events.length > 0 && world.strays-- > 0
    return { result: isStray ? events.map((event) => ({ ...event, blockHash: STRAY })) : events }
  }
  if (method === "eth_getTransactionReceipt")
    return { result: receiptOf(first === txidOf("initiate") ? "initiate" : "redeem") }
  return { error: { code: -32_000, message: "header for hash not found" } }
}
