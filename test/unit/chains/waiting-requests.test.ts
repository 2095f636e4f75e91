import { pad } from "viem"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { formatUnsigned } from "#chains/evm/spend/unsigned.ts"
import { observeTransaction } from "#chains/solana/legs/observe-transaction.ts"
import { createEndpoints } from "#chains/solana/nodes/endpoints.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { observeStarknetTransaction } from "#chains/starknet/legs/observe-transaction.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { systemClock } from "#lib/clock.ts"
import { htlcAddress, sampleOptions } from "../../chains/evm/sample-order.ts"
import { type NodeProxy, type ProxyAnswer, startProxy } from "../../chains/evm/start-proxy.ts"
import { samplePlan } from "../../support/order-sample.ts"

/*
 * How often an observation of a sent transaction asks its node. Until a block has it, most of them
 * find it waiting: the question is part of the request for the newest block, and nothing else is
 * asked.
 */

type Shown = "waiting" | "mined" | "replaced"
let shown: Shown
let height: number
let node: NodeProxy

beforeEach(async () => {
  shown = "waiting"
  height = 100
  node = await startProxy(null, (method, params) => ANSWERS[method]?.(params) ?? null)
})
afterEach(() => node.stop())

const word = (value: number): string => pad(`0x${value.toString(16)}`, { size: 32 })
const TXID = word(0x7e)
const result = (value: unknown): ProxyAnswer => ({ result: value })
const ifMined = (value: unknown): ProxyAnswer => result(shown === "mined" ? value : null)
const blockAt = (at: number) => ({
  number: `0x${at.toString(16)}`,
  hash: word(at),
  transactions: at === 100 ? [TXID] : [],
  baseFeePerGas: "0x1",
  timestamp: "0x1",
})
const inContext = (value: unknown) => ({ context: { slot: height }, value })

const ANSWERS: Readonly<Record<string, (params: readonly unknown[]) => ProxyAnswer>> = {
  eth_chainId: () => result("0x14a34"),
  eth_getBlockByNumber: ([name]) =>
    result(String(name).startsWith("0x") ? blockAt(Number(name)) : blockAt(height)),
  eth_getTransactionByHash: () =>
    result({ hash: TXID, nonce: "0x5", blockHash: shown === "mined" ? word(100) : null }),
  eth_getTransactionCount: () => result(shown === "waiting" ? "0x5" : "0x6"),
  eth_getTransactionReceipt: () =>
    ifMined({
      transactionHash: TXID,
      blockNumber: "0x64",
      blockHash: word(100),
      status: "0x1",
      gasUsed: "0x1",
      effectiveGasPrice: "0x5",
      logs: [],
    }),
  // The block that no hash names.
  eth_getBalance: () => ({ error: { code: -32_000, message: "header not found" } }),
  starknet_chainId: () => result("0x534e5f5345504f4c4941"),
  starknet_blockHashAndNumber: () => result({ block_number: height, block_hash: `0x${height}` }),
  starknet_getTransactionStatus: () =>
    result({ finality_status: shown === "mined" ? "ACCEPTED_ON_L2" : "RECEIVED" }),
  starknet_getTransactionReceipt: () =>
    shown === "waiting"
      ? { error: { code: 29, message: "not found" } }
      : result({
          execution_status: "SUCCEEDED",
          actual_fee: { amount: "0x5" },
          block_hash: "0x100",
          block_number: 100,
          events: [],
        }),
  getGenesisHash: () => result("abc"),
  getSlot: () => result(height),
  getSignatureStatuses: () =>
    result(
      inContext([
        { slot: 100, err: null, confirmationStatus: shown === "mined" ? "finalized" : "processed" },
      ]),
    ),
  getTransaction: () => result(null),
}

const SHARED = { timeoutMs: 5_000, clock: systemClock }
const bytes = (change: object = {}): SignedTransaction => ({
  plan: { ...samplePlan("deposit", 0), ...change },
  txid: TXID,
  raw: '{"nonce":"0x5"}',
})

/** An observation of our transaction by a chain that has observed it before. */
const CHAINS = {
  evm: () => {
    const chain = createEvmChain(sampleOptions([node.url]))
    const call = { chainId: 84_532, nonce: 5, to: htlcAddress, value: 0n, data: "0x" } as const
    const fees = { gas: 21_000n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
    const sent = bytes(formatUnsigned({ ...call, ...fees }))
    return () => chain.observeTransaction(sent)
  },
  starknet: () => {
    const rpc = createStarknetRpc({ ...SHARED, urls: [node.url], chainId: "SN_SEPOLIA" })
    const finality = { seen: 1, reveal: 2, ending: 3, smallEnding: 3 }
    // CAST: the fields that an observation reads.
    const wallet = { rpc, finality, accountFelt: 1n, chainId: "SN_SEPOLIA" } as never
    return () => observeStarknetTransaction(wallet, bytes(), null)
  },
  solana: () => {
    const rpc = createSolanaRpc({ ...SHARED, urls: [node.url], genesisHash: "abc" })
    const endpoints = createEndpoints(rpc, 1, systemClock)
    // CAST: the fields that an observation of a waiting transaction reads.
    const options = { endpoints, wallet: {}, finality: {} } as never
    return () => observeTransaction(bytes(), options)
  },
} satisfies Record<string, () => () => Promise<TransactionObservation>>

async function count(observe: () => Promise<TransactionObservation>) {
  height++
  const before = node.requests()
  const { status } = await observe()
  return { status, requests: node.requests() - before }
}

describe("an observation of a transaction that waits", () => {
  test.each([
    ["evm", 1],
    ["starknet", 1],
    // The network is asked for once more afterwards: no read of Solana names its chain.
    ["solana", 2],
  ] as const)("on %s is %i request to its node", async (family, requests) => {
    const observe = CHAINS[family]()
    await observe()
    expect(await count(observe)).toEqual({ status: "pending", requests })
    expect(await count(observe)).toEqual({ status: "pending", requests })
  })

  test.each([
    ["evm", 2],
    ["starknet", 1],
  ] as const)("once a block on %s has it, %i", async (family, requests) => {
    const observe = CHAINS[family]()
    await observe()
    shown = "mined"
    await observe()
    expect(await count(observe)).toEqual({ status: "mined", requests })
  })

  test("on evm is over once its nonce is used, whatever its mempool still shows", async () => {
    const observe = CHAINS.evm()
    shown = "replaced"
    await expect(observe()).rejects.toMatchObject({ code: "evm.rival_unnamed" })
  })
})
