import { encodeEventTopics, type Hex, pad, type RpcLog } from "viem"
import { expect, test } from "vitest"
import { findRefund } from "#chains/evm/find-logs.ts"
import { htlcAbi } from "#chains/evm/htlc.ts"
import type { EvmClient } from "#chains/evm/rpc.ts"
import { htlcAddress, strangerAddress } from "./sample-order.ts"

const search = { htlcs: [htlcAddress], from: 0n, to: 10n }

function refunded(orderID: Hex, change: Partial<RpcLog> = {}): RpcLog {
  const topics = encodeEventTopics({ abi: htlcAbi, eventName: "Refunded", args: { orderID } })
  const place = { transactionHash: pad("0x1"), blockNumber: "0x9", logIndex: "0x0", removed: false }
  return { address: htlcAddress, topics, data: "0x", ...place, ...change } as RpcLog // CAST: the search reads no other field.
}

/** A node that gives the same answer to every request. */
function nodeWith(...logs: readonly RpcLog[]): EvmClient {
  return { request: async () => logs } as unknown as EvmClient // CAST: the search calls no other method.
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
  expect(await findRefund(nodeWith(...noise, mine), search, pad("0xa"))).toMatchObject({ txid: pad("0x2"), height: 9n })
})
