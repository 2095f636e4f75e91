import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import {
  createWalletClient,
  custom,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  hashTypedData as hashEip712,
  keccak256,
  maxUint256,
  parseAbi,
  type TransactionSerializable,
  type TypedDataDefinition,
} from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { baseSepolia } from "viem/chains"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { decodeInitiation, encodeInitiate } from "#chains/evm/htlc.ts"
import { checkTypedData, hashTypedData } from "#chains/evm/typed-data.ts"
import {
  htlcAddress,
  nativeHtlc,
  noOrder,
  sampleOptions,
  sampleRequest,
  sampleTerms,
  tokenAddress,
  wbtc,
} from "../evm/sample-order.ts"
import { APP_ID } from "./open-client.ts"
import { core, type Htlc, unwrap, utils } from "./published-client.ts"

/**
 * The client builds a deposit from an order by its own interface of the contract. Its account, its
 * node and its service are here in the test; the service refuses the signature, so that the client
 * makes both the typed data and the call.
 */
let service: Server
let signed: { typedData: TypedDataDefinition[]; transactions: TransactionSerializable[] }
beforeAll(async () => {
  service = createServer((request, answer) => {
    if (request.method === "GET")
      return answer.end(JSON.stringify({ status: "Ok", result: ASSETS }))
    answer
      .writeHead(400)
      .end(JSON.stringify({ status: "Error", error: "not supported for initiations" }))
  })
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve))
})
afterAll(() => new Promise((resolve) => service.close(resolve)))
beforeEach(() => {
  signed = { typedData: [], transactions: [] }
})

const ASSETS = [
  { id: "base_sepolia:wbtc", htlc: { address: htlcAddress }, token: { address: tokenAddress } },
  { id: "base_sepolia:eth", htlc: { address: nativeHtlc }, token: null },
]

describe("the deposit that the published client builds from an order of a token", () => {
  test("is the call that we build, and our decoders read its terms", async () => {
    await initiate("base_sepolia:wbtc")
    const [transaction] = signed.transactions
    expect(signed.transactions).toHaveLength(1)
    expect(transaction).toMatchObject({ to: htlcAddress, data: encodeInitiate(sampleTerms) })
    expect(transaction?.value ?? 0n).toBe(0n)
    const input = transaction?.data ?? "0x"
    const chain = createEvmChain(sampleOptions([]))
    expect(chain.decodeDeposit(sampleRequest({ data: input }), noOrder, wbtc)).toMatchObject({
      ...sampleTerms,
      findings: [],
    })
    expect(decodeInitiation({ from: account.address, input })).toEqual({
      ...sampleTerms,
      initiator: account.address,
    })
  })

  test("has typed data without a finding of ours, and we hash it as the client does", async () => {
    await initiate("base_sepolia:wbtc")
    const [typedData] = signed.typedData
    if (!typedData) throw new Error("the client signed no typed data")
    // JSON as on the wire, where a bigint is text.
    const wire: unknown = JSON.parse(
      JSON.stringify(typedData, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    )
    const checked = checkTypedData(wire, {
      terms: sampleTerms,
      htlc: htlcAddress,
      chainId: baseSepolia.id,
    })
    expect(checked.findings).toEqual([])
    expect(checked.typedData && hashTypedData(checked.typedData)).toBe(hashEip712(typedData))
  })
})

test("the deposit of a native coin is the same call with the amount as its value", async () => {
  await initiate("base_sepolia:eth")
  expect(signed.typedData).toEqual([])
  expect(signed.transactions).toMatchObject([
    { to: nativeHtlc, data: encodeInitiate(sampleTerms), value: sampleTerms.units },
  ])
})

const key = privateKeyToAccount(generatePrivateKey())
const account: typeof key = {
  ...key,
  signTypedData: (typedData) => {
    // CAST: the generic type of viem's parameter does not survive in a list.
    signed.typedData.push(typedData as TypedDataDefinition)
    return key.signTypedData(typedData)
  },
  signTransaction: (transaction, options) => {
    signed.transactions.push(transaction)
    return key.signTransaction(transaction, options)
  },
}

async function initiate(asset: string): Promise<void> {
  // CAST: a listening TCP server has an AddressInfo.
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const wallet = createWalletClient({
    account,
    chain: baseSepolia,
    transport: custom({ request: answerAsNode }),
  })
  const relay: Htlc = new core.EvmRelay(url, wallet, new utils.ApiKey(APP_ID))
  const { redeemer, timelock, units, secretHash } = sampleTerms
  const source_swap = {
    chain: "base_sepolia",
    asset,
    initiator: account.address,
    redeemer,
    timelock: Number(timelock),
    amount: units.toString(),
    secret_hash: secretHash,
  }
  unwrap(
    await relay.initiate({ order_id: "ab".repeat(32), source_swap, destination_swap: source_swap }),
  )
}

const DOMAIN_ABI = parseAbi([
  "function eip712Domain() view returns (bytes1, string, string, uint256, address, bytes32, uint256[])",
])

/** A node on which the allowance is unlimited and every transaction succeeds. */
async function answerAsNode({
  method,
  params,
}: {
  method: string
  params?: unknown
}): Promise<unknown> {
  switch (method) {
    case "eth_chainId":
      return `0x${baseSepolia.id.toString(16)}`
    case "eth_call":
      return answerCall(JSON.stringify(params))
    case "eth_getTransactionCount":
      return "0x0"
    case "eth_estimateGas":
      return "0x30d40"
    case "eth_maxPriorityFeePerGas":
      return "0x1"
    case "eth_getBlockByNumber":
      return { number: "0x1", baseFeePerGas: "0x1", transactions: [] }
    case "eth_sendRawTransaction":
      // CAST: the only parameter is the transaction in hex.
      return keccak256((params as [Hex])[0])
    case "eth_getTransactionReceipt":
      return { status: "0x1", blockNumber: "0x1", transactionIndex: "0x0", logs: [] }
    default:
      throw new Error(`the test's node has no ${method}`)
  }
}

function answerCall(request: string): Hex {
  // The selector of eip712Domain() (EIP-5267). The client's only other call is `allowance`.
  if (!request.includes("0x84b0196e")) {
    return encodeFunctionResult({ abi: erc20Abi, functionName: "allowance", result: maxUint256 })
  }
  const result = [
    "0x0f",
    "HTLC",
    "3",
    BigInt(baseSepolia.id),
    htlcAddress,
    `0x${"00".repeat(32)}`,
    [],
  ] as const
  return encodeFunctionResult({ abi: DOMAIN_ABI, functionName: "eip712Domain", result })
}
