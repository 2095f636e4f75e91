import { randomBytes } from "node:crypto"
import { request } from "undici"
import { createPublicClient, createWalletClient, defineChain, type Hex, http, parseAbi } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterEach, expect, it } from "vitest"
import { silentLogger } from "#lib/log.ts"
import { startEvmChain } from "#sandbox/evm/evm-chain.ts"
import { startService } from "#sandbox/service/start-service.ts"
import { startStarknetChain } from "#sandbox/starknet/starknet-chain.ts"
import { type Json, until } from "./service-harness.ts"

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

it("swaps on real local chains: a gasless deposit on EVM, a payout on Starknet", async () => {
  const log = silentLogger
  const evm = await startEvmChain({
    name: "base_sepolia",
    chainId: 84_532,
    port: 0,
    blockTimeSeconds: 0.2,
    assets: [{ symbol: "wbtc", decimals: 8 }],
    log,
  })
  stops.push(() => evm.stop())
  const starknet = await startStarknetChain({
    name: "starknet_sepolia",
    port: 0,
    blockMs: 200,
    log,
  })
  stops.push(() => starknet.stop())
  const prices = { wbtc: "60000" }
  const service = await startService({ chains: [evm, starknet], port: 0, prices, tickMs: 50, log })
  stops.push(() => service.stop())

  const user = privateKeyToAccount(`0x${randomBytes(32).toString("hex")}`)
  const owner = `0x0${randomBytes(31).toString("hex")}`
  await call(service.url, "POST", "/sandbox/fund", {
    address: user.address,
    asset: "base_sepolia:wbtc",
    amount: "1000000",
  })
  await evm.setBalance(user.address, 10n ** 18n)
  const created = await call(service.url, "POST", "/v2/orders", {
    source: { asset: "base_sepolia:wbtc", owner: user.address, amount: "1000000" },
    destination: { asset: "starknet_sepolia:wbtc", owner, amount: "996833" },
  })
  const { order_id, transaction, typed_data } = created.result
  await approve(user, evm.url, { token: evm.assets[0]?.token ?? "0x", spender: transaction.to })
  const signature = await user.signTypedData(typed_data)
  const relayed = await call(service.url, "PATCH", `/v2/orders/${order_id}?action=initiate`, {
    signature,
  })
  expect(relayed).toEqual({ status: "Ok", result: expect.stringMatching(/^(0x)?[0-9a-f]{64}$/) })

  await until(() => service.orders()[0]?.phase === "complete", 15_000)
  const { result } = await call(service.url, "GET", `/v2/orders/${order_id}`)
  expect(result.version).toBe("v3")
  expect(result.source_swap.initiate_tx_hash).toBe(relayed.result)
  expect(result.destination_swap.redeem_tx_hash).not.toBe("")
  expect(await starknet.balance(owner, "starknet_sepolia:wbtc")).toBe(996_833n)
  expect(await evm.balance(evm.solver, "base_sepolia:wbtc")).toBeGreaterThan(0n)
}, 30_000)

async function call(
  url: string,
  method: "GET" | "POST" | "PATCH",
  path: string,
  body?: unknown,
): Promise<Json> {
  const answer = await request(`${url}${path}`, {
    method,
    headers: { "content-type": "application/json", "service-app-id": "ballast-sandbox" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json: Json = await answer.body.json()
  if (answer.statusCode !== 200) throw new Error(JSON.stringify(json))
  return json
}

async function approve(
  user: ReturnType<typeof privateKeyToAccount>,
  url: string,
  allowance: { token: Hex; spender: Hex },
): Promise<void> {
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 }
  const chain = defineChain({
    id: 84_532,
    name: "local",
    nativeCurrency,
    rpcUrls: { default: { http: [url] } },
  })
  const wallet = createWalletClient({ account: user, chain, transport: http(url) })
  const abi = parseAbi(["function approve(address spender, uint256 amount) returns (bool)"])
  await wallet.writeContract({
    address: allowance.token,
    abi,
    functionName: "approve",
    args: [allowance.spender, 1_000_000n],
  })
  const reader = createPublicClient({ chain, transport: http(url) })
  await until(async () => (await reader.getTransactionCount({ address: user.address })) === 1)
}
