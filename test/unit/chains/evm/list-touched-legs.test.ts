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
import { listTouchedLegs } from "#chains/evm/legs/list-touched-legs.ts"
import type { EvmClient } from "#chains/evm/nodes/endpoint.ts"
import type { Wallet } from "#chains/evm/wallet.ts"
import { AppError } from "#lib/app-error.ts"
import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { htlcAddress } from "../../../chains/evm/sample-order.ts"

const OTHER_HTLC = pad("0x0b", { size: 20 })
const FIRST = 200n

test("names the HTLCs of every block after the last answer, the first and the newest block too", async () => {
  const node = nodeWith(logAt(FIRST, "0xa1"), logAt(FIRST + 1n, "0xb2"), logAt(FIRST + 2n, "0xc3"))
  expect(await listTouchedLegs(walletOf([node], FIRST + 2n), FIRST)).toEqual({
    height: FIRST + 2n,
    secretHashes: [hashOf("0xb2"), hashOf("0xc3")],
  })
  expect(node.ranges).toEqual([[FIRST + 1n, FIRST + 2n]])
})

test("names the HTLCs of several blocks that came at once, and of all contracts", async () => {
  const node = nodeWith(logAt(FIRST + 1n, "0xa1"), logAt(FIRST + 40n, "0xb2", OTHER_HTLC))
  const { secretHashes } = await listTouchedLegs(walletOf([node], FIRST + 40n), FIRST)
  expect(secretHashes).toEqual([hashOf("0xa1"), hashOf("0xb2")])
})

test("takes the events of any endpoint, so one endpoint alone hides no HTLC", async () => {
  const full = nodeWith(logAt(FIRST + 1n, "0xa1"))
  const empty = nodeWith()
  const dead = null
  for (const nodes of [
    [full, empty],
    [empty, full],
    [dead, full],
    [full, dead],
  ])
    expect((await listTouchedLegs(walletOf(nodes, FIRST + 1n), FIRST)).secretHashes).toEqual([
      hashOf("0xa1"),
    ])
  await expect(listTouchedLegs(walletOf([dead, dead], FIRST + 1n), FIRST)).rejects.toThrow(
    "no answer",
  )
})

test(
  "asks for no logs at the first answer and without a new block, and for the last 500 blocks " +
    "after a long gap",
  async () => {
    const node = nodeWith(logAt(FIRST, "0xa1"))
    expect(await listTouchedLegs(walletOf([node], FIRST), null)).toEqual({
      height: FIRST,
      secretHashes: [],
    })
    expect(await listTouchedLegs(walletOf([node], FIRST), FIRST)).toEqual({
      height: FIRST,
      secretHashes: [],
    })
    expect(node.ranges).toEqual([])
    await listTouchedLegs(walletOf([node], FIRST + 10_000n), FIRST)
    expect(node.ranges).toEqual([[FIRST + 9_501n, FIRST + 10_000n]])
  },
)

type Node = EvmClient & { readonly ranges: (readonly [bigint, bigint])[] }

/** A node that knows these events, and notes the blocks that it is asked for. */
function nodeWith(...logs: readonly RpcLog[]): Node {
  const ranges: (readonly [bigint, bigint])[] = []
  const request = async ({
    params,
  }: {
    readonly params: readonly [{ fromBlock: Hex; toBlock: Hex; address: readonly string[] }]
  }) => {
    const [{ fromBlock, toBlock, address }] = params
    const from = BigInt(fromBlock)
    const to = BigInt(toBlock)
    ranges.push([from, to])
    return logs.filter(
      (log) =>
        BigInt(log.blockNumber ?? 0) >= from &&
        BigInt(log.blockNumber ?? 0) <= to &&
        address.includes(log.address),
    )
  }
  // CAST: the question calls no other method.
  return { request, ranges } as unknown as Node
}

function walletOf(nodes: readonly (Node | null)[], height: bigint): Wallet {
  const dead = new AppError({
    code: "evm.unreachable",
    disposition: "transient",
    message: "no answer",
  })
  const askEach = <T>(
    ask: (client: EvmClient) => Promise<T>,
  ): Promise<readonly EndpointAnswer<T>[]> =>
    Promise.all(
      nodes.map(async (node, index): Promise<EndpointAnswer<T>> => {
        const endpoint = `node${index}`
        return node === null
          ? { endpoint, ok: false, error: dead }
          : { endpoint, ok: true, value: await ask(node) }
      }),
    )
  const rpc = { readHeads: async () => ({ height }), askEach }
  const assets = [{ htlc: [htlcAddress] }, { htlc: [OTHER_HTLC, htlcAddress] }]
  // CAST: the question reads these parts of the wallet only.
  return { rpc, assets } as unknown as Wallet
}

function hashOf(text: Hex): string {
  return pad(text).slice(2)
}

function logAt(height: bigint, secretHash: Hex, address: string = htlcAddress): RpcLog {
  const args = { orderID: pad("0x01"), secretHash: pad(secretHash) }
  const topics = encodeEventTopics({ abi: htlcAbi, eventName: "Initiated", args })
  const place = {
    blockNumber: numberToHex(height),
    blockHash: pad("0x9"),
    transactionHash: pad(secretHash),
  }
  const data = encodeAbiParameters([{ type: "uint256" }], [50_000n])
  // CAST: the search reads no other field.
  return { address, topics, data, logIndex: "0x0", removed: false, ...place } as unknown as RpcLog
}
