import { createHash, randomBytes } from "node:crypto"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import {
  publishedCore,
  publishedOrderbook,
  publishedUtils,
} from "../../../support/published-wire.ts"
import { BITCOIN_TO_EVM, type Harness, type Json, startHarness, until } from "./service-harness.ts"

const { AssetManager, ChainAsset, Orderbook } = publishedOrderbook
const { ApiKey, Fetcher, Url } = publishedUtils
const ID = "f0".repeat(32)
const EVM_TO_BITCOIN = {
  source: { asset: "base_sepolia:wbtc", owner: "base_sepolia user", amount: "1000000" },
  destination: { asset: "bitcoin_testnet:btc", owner: "bitcoin_testnet user", amount: "996833" },
}

let harness: Harness
let orderbook: InstanceType<typeof Orderbook>
beforeEach(async () => {
  harness = await startHarness({ dialect: "2026" })
  orderbook = new Orderbook(new Url(harness.service.url), new ApiKey(ID))
})
afterEach(() => harness.service.stop())

/**
 * The body that the published client sends: a number for the nonce, and `null` for a delegate that
 * it does not use.
 */
function bodyOf(order: typeof BITCOIN_TO_EVM, change: object = {}): object {
  return {
    source: { ...order.source, delegate: null },
    destination: { ...order.destination, delegate: null },
    nonce: Date.now() + Math.floor(Math.random() * 1e9),
    solver_id: undefined,
    affiliate_fees: undefined,
    slippage: 0,
    ...change,
  }
}

async function create(order: typeof BITCOIN_TO_EVM, change: object = {}): Promise<Json> {
  const created = await orderbook.createOrder(bodyOf(order, change))
  expect(created.error).toBeUndefined()
  return created.val
}

/** A request of the client's relay classes: `initiate`, `redeem`. */
async function patch(orderId: string, action: string, body: object): Promise<Json> {
  const url = `${harness.service.url}/v2/orders/${orderId}?action=${action}`
  const headers = { "garden-app-id": ID, "Content-Type": "application/json" }
  return Fetcher.patch(url, { body: JSON.stringify(body), headers, retryCount: 0 })
}

describe("the published client", () => {
  // The client joins its base address, which ends with a slash, and this path.
  test("finds a path with two slashes", async () => {
    const answer = await Fetcher.get(`${new Url(harness.service.url)}/v2/assets`, {
      headers: { "garden-app-id": ID },
    })
    expect(answer.result.length).toBeGreaterThan(0)
  })

  test("relays a signature that is a list", async () => {
    const { order_id } = await create(EVM_TO_BITCOIN)
    expect((await patch(order_id, "initiate", { signature: ["0xgood"] })).result).toMatch(
      /^[0-9a-f]{64}$/,
    )
    const { order_id: other } = await create(EVM_TO_BITCOIN)
    await expect(patch(other, "initiate", { signature: ["0xgood", "0x1"] })).rejects.toThrow(
      "invalid initiator",
    )
  })

  test("gets quotes for an exact input and for an exact output", async () => {
    const quote = new publishedCore.Quote(harness.service.url, new ApiKey(ID))
    const ask = {
      fromAsset: ChainAsset.from("bitcoin_testnet:btc"),
      toAsset: ChainAsset.from("base_sepolia:wbtc"),
    }
    const exactIn = await quote.getQuote(ask.fromAsset, ask.toAsset, 1_000_000)
    const best = exactIn.val.at(-1)
    expect(best).toMatchObject({
      source: { amount: "1000000" },
      destination: { amount: "996833" },
      slippage: 50,
    })
    const exactOut = await quote.getQuote(ask.fromAsset, ask.toAsset, 996_833, true, {
      affiliateFee: 0,
    })
    for (const { source, destination } of exactOut.val) {
      expect(destination.amount).toBe("996833")
      const back = await quote.getQuote(ask.fromAsset, ask.toAsset, Number(source.amount))
      expect(Number(back.val.at(-1).destination.amount)).toBeGreaterThanOrEqual(996_833)
    }
    expect(Number(exactOut.val.at(-1).source.amount)).toBeLessThanOrEqual(1_000_001)
    const created = await orderbook.createOrder(
      bodyOf(
        { source: exactOut.val[0].source, destination: exactOut.val[0].destination } as never,
        {
          source: {
            ...BITCOIN_TO_EVM.source,
            amount: exactOut.val[0].source.amount,
            delegate: null,
          },
          destination: { ...BITCOIN_TO_EVM.destination, amount: "996833", delegate: null },
        },
      ),
    )
    expect(created.ok).toBe(true)
  })

  test("recognises the create answer of each family", async () => {
    expect((await create(BITCOIN_TO_EVM)).type).toBe("bitcoin")
    expect(await create(EVM_TO_BITCOIN)).toMatchObject({
      type: "evm",
      approval_transaction: { value: "0x0" },
    })
    const starknet = {
      ...EVM_TO_BITCOIN,
      source: { asset: "starknet_sepolia:wbtc", owner: "starknet_sepolia user", amount: "1000000" },
    }
    expect((await create(starknet)).type).toBe("starknet")
    const solana = {
      source: { asset: "solana_testnet:sol", owner: "solana_testnet user", amount: "4000000000" },
      destination: { ...EVM_TO_BITCOIN.destination, amount: "998000" },
    }
    expect(await create(solana)).toMatchObject({ type: "solana", versioned_tx_gasless: null })
  })

  test("gets a transaction hash for a gasless deposit, and follows the order to its end", async () => {
    const { order_id } = await create(EVM_TO_BITCOIN, { nonce: 1_736_152_215_456, slippage: 50 })
    const relayed = await patch(order_id, "initiate", { signature: "0xgood" })
    expect(relayed.result).toMatch(/^(0x)?[0-9a-f]{64}$/)
    const done = await until(async () => {
      const { val } = await orderbook.getOrder(order_id)
      return val.status === "Redeemed" && val
    })
    expect(done).toMatchObject({
      nonce: "1736152215456",
      slippage: 50,
      integrator: expect.any(String),
    })
    expect(done.source_swap).toMatchObject({ deleted_at: null, initiate_tx_hash: relayed.result })
    expect(Date.parse(done.source_swap.updated_at)).toBeGreaterThanOrEqual(
      Date.parse(done.source_swap.created_at),
    )
  })

  test("keeps its own secret, and reveals it when the destination is funded", async () => {
    const secret = randomBytes(32)
    const secret_hash = createHash("sha256").update(secret).digest("hex")
    const { order_id } = await create(EVM_TO_BITCOIN, {
      destination: { ...EVM_TO_BITCOIN.destination, delegate: "ab".repeat(32) },
      secret_hash,
    })
    const path = { secret: secret.toString("hex") }
    await expect(patch(order_id, "redeem", path)).rejects.toThrow("the destination is not funded")
    // The client's Starknet relay sends the parts of a signature as a list.
    await patch(order_id, "initiate", { signature: ["0xgood"] })
    const funded = await until(async () => {
      const { val } = await orderbook.getOrder(order_id)
      return val.status === "Awaiting Redeem" && val
    })
    expect(funded.source_swap).toMatchObject({ secret_hash, secret: "", redeem_tx_hash: "" })
    expect(funded.destination_swap.delegate).toBe("ab".repeat(32))
    await until(
      () => harness.service.orders()[0]?.note === "waits for the client to reveal its secret",
    )
    await expect(patch(order_id, "redeem", { secret: "00".repeat(32) })).rejects.toThrow(
      "does not hash",
    )
    // The client asks twice and waits for the hash of the second answer.
    const first = await patch(order_id, "redeem", path)
    const second = await patch(order_id, "redeem", path)
    expect(second.result).toBe(first.result)
    await until(() => harness.service.orders()[0]?.phase === "complete")
    const { val } = await orderbook.getOrder(order_id)
    expect(val.destination_swap).toMatchObject({
      redeem_tx_hash: first.result,
      secret: path.secret,
    })
    expect(val.source_swap.redeem_tx_hash).not.toBe("")
    const again = await orderbook.createOrder(bodyOf(EVM_TO_BITCOIN, { secret_hash }))
    expect([again.ok, String(again.error)]).toEqual([
      false,
      expect.stringContaining("another order has it"),
    ])
  }, 20_000)

  test("gets a refund relayed after the timelock only, and no instant refund", async () => {
    harness.service.setFaults({ lapse: true })
    const { order_id } = await create(EVM_TO_BITCOIN)
    await expect(patch(order_id, "refund", {})).rejects.toThrow("holds no deposit")
    await patch(order_id, "initiate", { signature: "0xgood" })
    await until(
      async () => (await orderbook.getOrder(order_id)).val.source_swap.initiate_tx_hash !== "",
    )
    await expect(patch(order_id, "refund", {})).rejects.toThrow("order not expired")
    await expect(patch(order_id, "instant-refund", { signatures: [] })).rejects.toThrow(
      "instant-refund is not supported",
    )
    harness.evm.mine(22)
    const { result } = await patch(order_id, "refund", {})
    expect(result).toMatch(/^(0x)?[0-9a-f]{64}$/)
    const refunded = await until(async () => {
      const { val } = await orderbook.getOrder(order_id)
      return val.status === "Refunded" && val
    })
    expect(refunded.source_swap.refund_tx_hash).toBe(result)
  })

  test("lists orders by every filter that it knows", async () => {
    const first = (await create(BITCOIN_TO_EVM)).order_id
    const second = (await create(EVM_TO_BITCOIN)).order_id
    const { result: hash } = await patch(second, "initiate", { signature: "0xgood" })
    await until(async () => (await orderbook.getOrder(second)).val.status === "Redeemed")
    const idsOf = async (query: object): Promise<string[]> => {
      const { val, error } = await orderbook.getOrders(query)
      expect(error).toBeUndefined()
      return val.data.map((order: Json) => order.order_id)
    }
    const both = [second, first]
    expect(await idsOf({})).toEqual(both)
    expect(await idsOf({ from_chain: "bitcoin_testnet" })).toEqual([first])
    expect(await idsOf({ to_chain: "bitcoin_testnet" })).toEqual([second])
    expect(await idsOf({ from_owner: "base_sepolia user" })).toEqual([second])
    expect(await idsOf({ from_owner: "base_sepolia user,bitcoin_testnet user" })).toEqual(both)
    expect(await idsOf({ address: "base_sepolia user" })).toEqual(both)
    expect(await idsOf({ address: "solana_testnet user" })).toEqual([])
    expect(await idsOf({ tx_hash: hash })).toEqual([second])
    expect(await idsOf({ status: "pending", per_page: 500 })).toEqual([first])
    expect(await idsOf({ status: "fulfilled" })).toEqual([second])
    expect(await idsOf({ status: ["completed", "not-initiated"] })).toEqual(both)
    expect(await idsOf({ status: ["refunded", "expired", "in-progress"] })).toEqual([])
    const page = await orderbook.getOrders({ per_page: 1, page: 2 })
    expect(page.val).toMatchObject({ per_page: 1, page: 2, total_pages: 2, total_items: 2 })
  })

  test("reads chains, assets and the policy, and finds the routes that have quotes", async () => {
    const manager = new AssetManager({ baseUrl: harness.service.url }, ID)
    await manager.initialize()
    expect(manager.error).toBeNull()
    expect(Object.keys(manager.chains).sort()).toEqual([
      "base_sepolia",
      "bitcoin_testnet",
      "solana_testnet",
      "starknet_sepolia",
    ])
    const idOf = (asset: Json): string => `${asset.chain}:${asset.id.symbol}`
    const assets: Json[] = Object.values(manager.assets)
    for (const from of assets) {
      const routes = manager.getValidDestinations(from).map(idOf)
      for (const to of assets) {
        const { status, json } = await harness.call(
          "GET",
          `/v2/quote?from=${idOf(from)}&to=${idOf(to)}&from_amount=${from.min_amount}`,
        )
        expect([idOf(from), idOf(to), routes.includes(idOf(to))]).toEqual([
          idOf(from),
          idOf(to),
          status === 200 || json.error !== "No order pair found",
        ])
      }
    }
    const wbtc = assets.find((asset) => idOf(asset) === "base_sepolia:wbtc")
    expect(wbtc).toMatchObject({ decimals: 8, price: 60_000, htlc: { schema: "evm:htlc_erc20" } })
    expect(manager.getChain("base_sepolia")).toMatchObject({
      id: "evm:84532",
      source_timelock: "20",
    })
    expect(manager.getChain("starknet_sepolia")).toMatchObject({
      id: "starknet:393402133025997798000961",
    })
  })

  test("is refused with the text of the service", async () => {
    const quote = new publishedCore.Quote(harness.service.url, new ApiKey(ID))
    const pair = ["bitcoin_testnet:btc", "base_sepolia:none"].map((id) => ChainAsset.from(id))
    const refused = await quote.getQuote(pair[0], pair[1], 1_000_000)
    expect([refused.ok, String(refused.error)]).toEqual([
      false,
      expect.stringContaining("No order pair found"),
    ])
    const stranger = new Orderbook(new Url(harness.service.url), {
      getAuthHeaders: async () => ({
        ok: true,
        val: { "garden-app-id": "short" },
        error: undefined as never,
      }),
    })
    expect(String((await stranger.getOrder("00", { retryCount: 0 })).error)).toContain(
      "unknown app id",
    )
  })

  test("without gasless initiation gets answers for a deposit of its own", async () => {
    harness.service.setFaults({ noGasless: true })
    expect(await create(EVM_TO_BITCOIN)).toMatchObject({ type: "evm", typed_data: null })
    const { order_id } = await create(EVM_TO_BITCOIN)
    await expect(patch(order_id, "initiate", { signature: "0xgood" })).rejects.toThrow("gasless")
  })
})
