import { afterEach, beforeEach, expect, test } from "vitest"
import { createRpc } from "#chains/starknet/rpc.ts"
import { bindStarknetPlan } from "#chains/starknet/spend/build.ts"
import { estimateBounds } from "#chains/starknet/spend/estimate.ts"
import { formatInvoke, hashInvoke } from "#chains/starknet/spend/invoke.ts"
import type { Wallet } from "#chains/starknet/wallet.ts"
import { toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { systemClock } from "#lib/clock.ts"
import { type NodeProxy, type ProxyAnswer, startProxy } from "../../../chains/evm/start-proxy.ts"

/* How often an estimate asks its node. */

let nonce: bigint
let height: number
let estimated: string[]
let node: NodeProxy
let wallet: Wallet

beforeEach(async () => {
  nonce = 5n
  height = 100
  estimated = []
  node = await startProxy(null, answer)
  const options = { chainId: "SN_SEPOLIA", timeoutMs: 5_000, clock: systemClock }
  const few = {
    chain: toChainId("starknet_sepolia"),
    chainId: "SN_SEPOLIA",
    account: "0xacc",
    accountFelt: 0xaccn,
    maxFeeUnits: 10n ** 18n,
    rpc: createRpc({ urls: [node.url], ...options }),
    nonce: { likely: 0n },
  }
  wallet = few as unknown as Wallet // CAST: the fields that these parts read.
})
afterEach(() => node.stop())

test("an estimate with the last known nonce is the request that reads the nonce", async () => {
  await count()
  expect(await count()).toEqual({ requests: 2, nonces: ["0x5"] })
  nonce = 6n
  expect(await count()).toEqual({ requests: 3, nonces: ["0x5", "0x6"] })
  expect(await count()).toEqual({ requests: 2, nonces: ["0x6"] })
})

test("the nonce after our own transaction is the likely one", async () => {
  const bounds = { l1Gas: ONE, l2Gas: ONE, l1DataGas: ONE, tip: "0x0" }
  const invoke = { chainId: "SN_SEPOLIA", sender: "0xacc", nonce: "0x0", calldata: [], bounds }
  const plan: TransactionPlan = {
    chain: wallet.chain,
    account: wallet.account,
    action: "refund",
    attempt: 0,
    unsigned: formatInvoke(invoke),
    digest: hashInvoke(invoke),
    resources: ["nonce:0"],
    spends: [],
    maxFeeUnits: 1n,
    fromHeight: 5n,
    expiresAtHeight: null,
  }
  await bindStarknetPlan(wallet, plan, new Set(["nonce:5"]))
  nonce = 7n
  expect(await count()).toEqual({ requests: 2, nonces: ["0x7"] })
})

const ONE = { amount: "0x1", price: "0x1" }

/** The requests of one estimate at a new block, and the nonces that it names. */
async function count(): Promise<{ readonly requests: number; readonly nonces: string[] }> {
  height++
  estimated = []
  const before = node.requests()
  expect(await estimateBounds(wallet, [])).toMatchObject({ l2Gas: { price: "0x2" } })
  return { requests: node.requests() - before, nonces: estimated }
}

function answer(method: string, params: readonly unknown[]): ProxyAnswer {
  if (method === "starknet_chainId") return { result: "0x534e5f5345504f4c4941" }
  if (method === "starknet_blockHashAndNumber")
    return { result: { block_number: height, block_hash: `0x${height}` } }
  if (method === "starknet_getNonce") return { result: `0x${nonce.toString(16)}` }
  // CAST: the forms of the specification.
  const [[invoke]] = params as readonly [readonly [{ readonly nonce: string }]]
  estimated.push(invoke.nonce)
  if (BigInt(invoke.nonce) !== nonce)
    return { error: { code: 41, message: "failed", data: "Invalid transaction nonce" } }
  const used = { l1_gas_consumed: "0x0", l2_gas_consumed: "0x1", l1_data_gas_consumed: "0x1" }
  const prices = { l1_gas_price: "0x1", l2_gas_price: "0x1", l1_data_gas_price: "0x1" }
  return { result: [{ ...used, ...prices, overall_fee: "0x2", unit: "FRI" }] }
}
