import {
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  type Log,
  pad,
  type TransactionReceipt,
} from "viem"
import { expect, test } from "vitest"
import { htlcAbi, tokenAbi } from "#chains/evm/htlc.ts"
import { type HtlcLog, readHtlcLogs } from "#chains/evm/legs/read-htlc-logs.ts"
import { readPaid } from "#chains/evm/legs/read-paid.ts"
import type { EvmClient } from "#chains/evm/nodes/endpoint.ts"
import type { At } from "#chains/evm/rpc.ts"
import { requireAddress, type Wallet } from "#chains/evm/wallet.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import {
  eth,
  htlcAddress,
  nativeHtlc,
  sampleAssets,
  strangerAddress,
  tokenAddress,
  wbtc,
} from "../../../chains/evm/sample-order.ts"

const owner = requireAddress(`0x${"77".repeat(20)}`)
const ID_A = pad("0xa")
const ID_B = pad("0xb")
const HASH = pad("0x5")

/** One receipt with these logs in order. */
function receiptOf(
  ...entries: readonly Pick<Log, "address" | "topics" | "data">[]
): TransactionReceipt {
  const place = {
    transactionHash: pad("0xc"),
    blockNumber: 9n,
    blockHash: pad("0x9"),
    removed: false,
  }
  const logs = entries.map((entry, logIndex) => ({ ...entry, ...place, logIndex }))
  return {
    logs,
    blockHash: pad("0x9"),
    transactionHash: pad("0xc"),
  } as unknown as TransactionReceipt // CAST: readPaid reads no other field.
}

function redeemed(orderID: Hex, htlc = htlcAddress) {
  const topics = encodeEventTopics({
    abi: htlcAbi,
    eventName: "Redeemed",
    args: { orderID, secretHash: HASH },
  })
  // CAST: an event of a block.
  return { address: htlc, topics, data: encodeAbiParameters([{ type: "bytes" }], ["0x01"]) } as Log
}

function transfer(to: Hex, value: bigint, from: Hex = htlcAddress, token: Hex = tokenAddress) {
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: "Transfer", args: { from, to } })
  return {
    address: token,
    topics,
    data: encodeAbiParameters([{ type: "uint256" }], [value]),
  } as Log // CAST: an event of a block.
}

async function paid(receipt: TransactionReceipt, orderId: Hex): Promise<bigint | null> {
  const log = readHtlcLogs(receipt.logs, [htlcAddress]).find((each) => each.orderId === orderId)
  // CAST: readPaid calls no other method.
  const client = { getTransactionReceipt: async () => receipt } as unknown as EvmClient
  return readPaid(payingWith(client, wbtc), log as HtlcLog) // CAST: every test provides the log.
}

function payingWith(client: EvmClient, asset: typeof wbtc) {
  // CAST: readPaid reads no other field.
  const wallet = { assets: sampleAssets, rpc: { nodes: ["node"] } } as unknown as Wallet
  const at = { client } as unknown as At // CAST: as above.
  const hints = { find: () => null }
  const query = { owner, asset } as unknown as LegQuery // CAST: as above.
  return {
    at,
    wallet,
    query,
    order: { units: 50n, initiator: null, redeemer: null },
    hints,
  }
}

test("sums the contract's payments to the owner, and ignores other transfers of the transaction", async () => {
  const noise = [
    transfer(owner, 900n, strangerAddress),
    transfer(owner, 800n, htlcAddress, strangerAddress),
  ]
  expect(
    await paid(
      receiptOf(...noise, redeemed(ID_A), transfer(owner, 50n), transfer(owner, 1n)),
      ID_A,
    ),
  ).toBe(51n)
  expect(
    await paid(receiptOf(...noise, redeemed(ID_A), transfer(strangerAddress, 50n)), ID_A),
  ).toBe(0n)
})

test.each([
  ["after", [redeemed(ID_A), transfer(owner, 50n), redeemed(ID_B), transfer(strangerAddress, 60n)]],
  [
    "before",
    [transfer(owner, 50n), redeemed(ID_A), transfer(strangerAddress, 60n), redeemed(ID_B)],
  ],
])(
  "does not credit an order with another order's payment in the same transaction (paid %s " +
    "the event)",
  async (_when, logs) => {
    expect(await paid(receiptOf(...logs), ID_A)).toBe(50n)
    expect(await paid(receiptOf(...logs), ID_B)).toBe(0n)
  },
)

test("returns null if payments are ambiguous", async () => {
  const logs = [redeemed(ID_A), redeemed(ID_B), transfer(owner, 110n)]
  expect(await paid(receiptOf(...logs), ID_A)).toBeNull()
})

test("reads a native payment to an unknown payee from the owner's balance, or returns null", async () => {
  // CAST: readPaid reads no other field.
  const log = { name: "Redeemed", htlc: nativeHtlc, height: 9n } as unknown as HtlcLog
  const withBalances = (before: bigint | null, after: bigint | null): EvmClient => {
    const getBalance = async ({ blockNumber }: { blockNumber: bigint }): Promise<bigint> => {
      const units = blockNumber === 8n ? before : after
      if (units === null) throw new Error("missing trie node")
      return units
    }
    return { getBalance } as unknown as EvmClient // CAST: readPaid calls no other method.
  }
  expect(await readPaid(payingWith(withBalances(10n, 60n), eth), log)).toBe(50n)
  expect(await readPaid(payingWith(withBalances(null, 60n), eth), log)).toBeNull()
  expect(await readPaid(payingWith(withBalances(60n, 10n), eth), log)).toBeNull()
})
