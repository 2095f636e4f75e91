import { request } from "undici"
import { afterEach, describe, expect, it } from "vitest"
import {
  BITCOIN_TO_EVM,
  type Harness,
  type Json,
  slowDown,
  startHarness,
} from "./service-harness.ts"

let harness: Harness | undefined
afterEach(async () => {
  await harness?.service.stop()
  harness = undefined
})
async function open(options: Parameters<typeof startHarness>[0] = {}): Promise<Harness> {
  harness = await startHarness(options)
  return harness
}

// The tables of service-interface.md §2. `?` marks a field that only some objects have.
const TABLES: Record<string, Record<string, string>> = {
  quote: { source: "object", destination: "object", solver_id: "hex" },
  side: {
    asset: "string",
    amount: "integer string",
    display: "decimal string",
    value: "decimal string",
  },
  order: {
    created_at: "time",
    source_swap: "object",
    destination_swap: "object",
    nonce: "integer string",
    order_id: "hex",
    affiliate_fees: "array",
    "integrator?": "string",
    version: "string",
  },
  swap: {
    created_at: "time",
    swap_id: "string",
    chain: "string",
    asset: "string",
    initiator: "string",
    redeemer: "string",
    "delegate?": "hex",
    timelock: "integer",
    filled_amount: "integer string",
    asset_price: "number",
    amount: "integer string",
    secret_hash: "hex",
    secret: "hex or empty",
    "instant_refund_tx?": "hex",
    initiate_tx_hash: "string",
    redeem_tx_hash: "string",
    refund_tx_hash: "string",
    initiate_block_number: "integer string",
    redeem_block_number: "integer string",
    refund_block_number: "integer string",
    required_confirmations: "integer",
    current_confirmations: "integer",
    initiate_timestamp: "time or null",
    redeem_timestamp: "time or null",
    refund_timestamp: "time or null",
  },
}

const KINDS: Record<string, (value: Json) => boolean> = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  hex: (value) => /^[0-9a-f]+$/.test(value),
  "hex or empty": (value) => /^[0-9a-f]*$/.test(value),
  "integer string": (value) => typeof value === "string" && /^\d+$/.test(value),
  "decimal string": (value) => typeof value === "string" && /^\d+(\.\d+)?$/.test(value),
  time: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/.test(value),
  "time or null": (value) => value === null || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/.test(value),
}

function expectTable(value: Json, table: string): void {
  const fields = TABLES[table] ?? {}
  const names = Object.keys(fields).map((name) => name.replace("?", ""))
  expect(names, `${table}: fields that the document does not have`).toEqual(
    expect.arrayContaining(Object.keys(value)),
  )
  for (const [name, kind] of Object.entries(fields)) {
    if (name.endsWith("?") && !(name.slice(0, -1) in value)) continue
    const field = value[name.replace("?", "")]
    expect(
      KINDS[kind]?.(field),
      `${table}.${name} should be ${kind}, is ${JSON.stringify(field)}`,
    ).toBe(true)
  }
}

const QUOTE = "/v2/quote?from=bitcoin_testnet:btc&to=base_sepolia:wbtc&from_amount=1000000"

describe("quotes", () => {
  it("have exactly the fields of the document", async () => {
    const { call } = await open()
    const { status, json } = await call("GET", QUOTE)
    expect(status).toBe(200)
    expect(json.status).toBe("Ok")
    expect(json.result.length).toBeGreaterThanOrEqual(2)
    for (const quote of json.result) {
      expectTable(quote, "quote")
      expectTable(quote.source, "side")
      expectTable(quote.destination, "side")
    }
    expect(json.result[0].source).toEqual({
      asset: "bitcoin_testnet:btc",
      amount: "1000000",
      display: "0.01000000",
      value: "600",
    })
  })

  it("subtract every fee from the source value, and list the best solver last", async () => {
    const { call } = await open()
    const amounts = async (query: string) =>
      (await call("GET", query)).json.result.map((quote: Json) => quote.destination.amount)
    // 600 usd − 0.36 % or 0.30 % − 0.10, over 60000 usd per btc, 8 decimals.
    expect(await amounts(QUOTE)).toEqual(["996233", "996833"])
    // A further 30 bps of the source value: 1.80 usd.
    expect(await amounts(`${QUOTE}&affiliate_fee=30`)).toEqual(["993233", "993833"])
    // 18 digits: 1 eth = 2500.5 usd; 2500.5 − 7.5015 − 0.1 = 2492.8985 usd / 60000.
    const eth =
      "/v2/quote?from=base_sepolia:eth&to=starknet_sepolia:wbtc&from_amount=1000000000000000000"
    expect((await amounts(eth)).at(-1)).toBe("4154830")
  })

  it("ignore the query parameters of newer deployments", async () => {
    const { call } = await open()
    expect((await call("GET", `${QUOTE}&slippage=50&indicative=true&to_amount=5`)).status).toBe(200)
  })

  it.each([
    ["from=bitcoin_testnet:btc&to=bitcoin_testnet:btc&from_amount=100000", "No order pair found"],
    ["from=base_sepolia:wbtc&to=base_sepolia:usdc&from_amount=100000", "No order pair found"],
    ["from=bitcoin_testnet:btc&to=moon:cheese&from_amount=100000", "No order pair found"],
    [
      "from=bitcoin_testnet:btc&to=base_sepolia:wbtc&from_amount=0",
      "expected amount to be within the range of 834 to 1666666666",
    ],
    [
      "from=bitcoin_testnet:btc&to=base_sepolia:wbtc&from_amount=9999999999",
      "expected amount to be within the range of",
    ],
    [
      "from=bitcoin_testnet:btc&to=base_sepolia:wbtc&from_amount=-5",
      "from_amount: expected an integer",
    ],
    ["from=bitcoin_testnet:btc&to=base_sepolia:wbtc", "from_amount: is required"],
    ["to=base_sepolia:wbtc&from_amount=100000", "from: is required"],
    [
      "from=bitcoin_testnet:btc&to=base_sepolia:wbtc&from_amount=100000&affiliate_fee=9999",
      "nothing is left after fees",
    ],
  ])("answer 400 for %s", async (query, text) => {
    const { call } = await open()
    const { status, json } = await call("GET", `/v2/quote?${query}`)
    expect(status).toBe(400)
    expect(json.status).toBe("Error")
    expect(json.error).toContain(text)
  })
})

describe("the app id", () => {
  it("is required by every endpoint except the quote", async () => {
    const { call, createOrder } = await open()
    const id = await createOrder()
    expect((await call("GET", QUOTE, { appId: null })).status).toBe(200)
    expect((await call("GET", QUOTE, { appId: "wrong" })).status).toBe(401)
    for (const appId of [null, "wrong"]) {
      expect((await call("POST", "/v2/orders", { appId, body: BITCOIN_TO_EVM })).status).toBe(401)
      expect((await call("GET", "/v2/orders", { appId })).status).toBe(401)
      expect((await call("GET", `/v2/orders/${id}`, { appId })).json.status).toBe("Error")
      expect(
        (await call("PATCH", `/v2/orders/${id}?action=initiate`, { appId, body: {} })).status,
      ).toBe(401)
    }
    expect(harness?.service.orders()).toHaveLength(1)
  })
})

describe("the app id of the published client", () => {
  const list = async (
    options: Parameters<typeof startHarness>[0],
    headers: Record<string, string>,
  ) => {
    const { service } = await open(options)
    return (await request(`${service.url}/v2/orders`, { headers })).statusCode
  }
  const theirs = { "garden-app-id": "ab".repeat(32) }

  it.each([
    ["dialect 2026 takes any id of its form", { dialect: "2026" as const }, theirs, 200],
    [
      "dialect 2026 still takes its own",
      { dialect: "2026" as const },
      { "service-app-id": "ballast-sandbox" },
      200,
    ],
    [
      "an id of another length is unknown",
      { dialect: "2026" as const },
      { "garden-app-id": "ab" },
      401,
    ],
    ["the interface does not know it", {}, theirs, 401],
    ["a chosen id leaves no other", { dialect: "2026" as const, appId: "mine" }, theirs, 401],
    [
      "a chosen header leaves no other",
      { dialect: "2026" as const, appIdHeader: "x-id" },
      theirs,
      401,
    ],
    [
      "a chosen header may be its own",
      { dialect: "2026" as const, appIdHeader: "garden-app-id", appId: "mine" },
      { "garden-app-id": "mine" },
      200,
    ],
    [
      "one wrong id of two is refused",
      { dialect: "2026" as const },
      { ...theirs, "service-app-id": "wrong" },
      401,
    ],
  ])("%s", async (_name, options, headers, status) => {
    expect(await list(options, headers)).toBe(status)
  })
})

it("a service without gasless deposits has null for its typed data, and refuses signatures", async () => {
  const { call } = await open({ gasless: false })
  const body = {
    source: { asset: "base_sepolia:wbtc", owner: "base_sepolia user", amount: "1000000" },
    destination: { asset: "bitcoin_testnet:btc", owner: "bitcoin_testnet user", amount: "996833" },
  }
  const { result } = (await call("POST", "/v2/orders", { body })).json
  expect(result).toMatchObject({ typed_data: null, transaction: { value: "0x0" } })
  const path = `/v2/orders/${result.order_id}?action=initiate`
  expect((await call("PATCH", path, { body: { signature: "0xgood" } })).json.error).toContain(
    "not supported",
  )
})

it("services with other names have solvers with other ids", async () => {
  const solversOf = async (name: string) => {
    const { call, service } = await open({ name })
    const ids = (await call("GET", QUOTE)).json.result.map((quote: Json) => quote.solver_id)
    await service.stop()
    return ids
  }
  expect(new Set([...(await solversOf("one")), ...(await solversOf("two"))]).size).toBe(4)
})

describe("orders", () => {
  it.each([
    ["bitcoin_testnet:btc", "1000000", "base_sepolia:wbtc", ["amount", "order_id", "to"]],
    [
      "base_sepolia:wbtc",
      "1000000",
      "bitcoin_testnet:btc",
      ["order_id", "transaction", "typed_data"],
    ],
    ["solana_testnet:sol", "4000000000", "bitcoin_testnet:btc", ["order_id", "versioned_tx"]],
    [
      "starknet_sepolia:wbtc",
      "1000000",
      "bitcoin_testnet:btc",
      ["order_id", "transaction", "typed_data"],
    ],
  ])(
    "from %s are answered in the family's shape and read back with every field",
    async (from, amount, to, fields) => {
      const { call, fetchOrder } = await open()
      const quotes = (await call("GET", `/v2/quote?from=${from}&to=${to}&from_amount=${amount}`))
        .json.result
      const body = {
        source: { asset: from, owner: `${from.split(":")[0]} user`, amount },
        destination: {
          asset: to,
          owner: `${to.split(":")[0]} user`,
          amount: quotes.at(-1).destination.amount,
        },
        solver_id: quotes.at(-1).solver_id,
      }
      const created = await call("POST", "/v2/orders", { body })
      expect(created.json.status).toBe("Ok")
      expect(Object.keys(created.json.result).sort()).toEqual(fields)
      expect(created.json.result.order_id).toMatch(/^[0-9a-f]{64}$/)

      const order = await fetchOrder(created.json.result.order_id)
      expectTable(order, "order")
      expectTable(order.source_swap, "swap")
      expectTable(order.destination_swap, "swap")
      expect(order.affiliate_fees).toEqual([])
      expect(order.source_swap).toMatchObject({
        asset: from,
        amount,
        filled_amount: "0",
        secret: "",
        initiate_tx_hash: "",
      })
      expect(order.destination_swap.amount).toBe(body.destination.amount)
      expect(order.destination_swap.secret_hash).toBe(order.source_swap.secret_hash)
      for (const swap of [order.source_swap, order.destination_swap]) {
        const isBitcoin = swap.chain === "bitcoin_testnet"
        expect([swap.chain, "delegate" in swap, "instant_refund_tx" in swap]).toEqual([
          swap.chain,
          isBitcoin,
          isBitcoin,
        ])
      }
      expect(BigInt(order.nonce)).toBeGreaterThan(2n ** 53n)
    },
  )

  it("keep every digit of the client's u64 nonce, as text or number, and refuse a duplicate", async () => {
    const { call, fetchOrder, bitcoin } = await open()
    const send = (nonce: string) =>
      call("POST", "/v2/orders", {
        body: JSON.stringify(BITCOIN_TO_EVM).replace("{", `{"nonce":${nonce},`),
      })
    const asNumber = await send("18446744073709551557")
    expect((await fetchOrder(asNumber.json.result.order_id)).nonce).toBe("18446744073709551557")
    const again = await send('"18446744073709551557"')
    expect([again.status, again.json.status]).toEqual([409, "Error"])
    const asText = await send('"18446744073709551558"')
    expect((await fetchOrder(asText.json.result.order_id)).nonce).toBe("18446744073709551558")
    expect((await send("18446744073709551616")).status).toBe(400)
    slowDown(bitcoin, "describeSource")
    const race = await Promise.all([send("7"), send('"007"'), send("7")])
    expect(race.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
  })

  it("record affiliate fees with their value in the payout asset", async () => {
    const { call, fetchOrder } = await open()
    const affiliate_fees = [
      { asset: "base_sepolia:usdc", address: "base_sepolia partner", fee: 10 },
      { asset: "base_sepolia:cbbtc", address: "base_sepolia other", fee: 20 },
    ]
    const tooMuch = await call("POST", "/v2/orders", {
      body: { ...BITCOIN_TO_EVM, affiliate_fees },
    })
    expect([tooMuch.status, tooMuch.json.error]).toEqual([
      400,
      "destination amount 996833 exceeds the quote of 993833",
    ])
    const destination = { ...BITCOIN_TO_EVM.destination, amount: "993833" }
    const created = await call("POST", "/v2/orders", {
      body: { ...BITCOIN_TO_EVM, destination, affiliate_fees },
    })
    const order = await fetchOrder(created.json.result.order_id)
    // 10 bps and 20 bps of 600 usd: 0.60 usdc and 1.20 usd in cbbtc.
    expect(order.affiliate_fees).toEqual([
      { ...affiliate_fees[0], amount: "600000" },
      { ...affiliate_fees[1], amount: "2000" },
    ])
    expect(order.integrator).toBe("ballast-sandbox")
  })

  it.each([
    ["not json", "{", "the body is not JSON"],
    ["no source", { destination: BITCOIN_TO_EVM.destination }, "source"],
    ["an amount as number", edit("source", { amount: 1000000 }), "source.amount"],
    ["a zero amount", edit("destination", { amount: "0" }), "destination.amount"],
    [
      "one unit more than the quote",
      edit("destination", { amount: "996834" }),
      "exceeds the quote",
    ],
    [
      "far less than the quote",
      edit("destination", { amount: "900000" }),
      "does not match any quote",
    ],
    [
      "a source owner of another chain",
      edit("source", { owner: "base_sepolia user" }),
      "source.owner",
    ],
    ["an invalid destination owner", edit("destination", { owner: "nobody" }), "destination.owner"],
    ["an unknown pair", edit("destination", { asset: "moon:cheese" }), "No order pair found"],
    ["a broken delegate", edit("source", { delegate: "02ab" }), "source.delegate"],
    ["an unknown solver", { ...BITCOIN_TO_EVM, solver_id: "nobody" }, "no quotes available"],
    ["a secret hash", { ...BITCOIN_TO_EVM, secret_hash: "00" }, "secret_hash"],
    ["a payout in wbtc", withFee({ asset: "base_sepolia:wbtc" }), "affiliate fee asset"],
    ["a payout on no chain", withFee({ asset: "moon:usdc" }), "affiliate fee asset"],
    ["a payout to an invalid address", withFee({ address: "nobody" }), "affiliate fee address"],
    ["a fee in fractions", withFee({ fee: 1.5 }), "affiliate_fees.0.fee"],
  ])("with %s are refused with 400", async (_name, body, text) => {
    const { call, service } = await open()
    const { status, json } = await call("POST", "/v2/orders", { body })
    expect([status, json.status]).toEqual([400, "Error"])
    expect(json.error).toContain(text)
    expect(service.orders()).toHaveLength(0)
  })

  it("pass the user's own refund key to the bitcoin chain", async () => {
    const { call, fetchOrder } = await open()
    const body = edit("source", { delegate: "ab".repeat(32) })
    const { json } = await call("POST", "/v2/orders", { body })
    expect((await fetchOrder(json.result.order_id)).source_swap.delegate).toBe("ab".repeat(32))
  })

  it("answer 404 when unknown, as every unknown path does", async () => {
    const { call } = await open()
    expect(await call("GET", "/v2/orders/abcd")).toMatchObject({
      status: 404,
      json: { status: "Error", error: "order not found" },
    })
    expect(
      (await call("PATCH", "/v2/orders/abcd?action=initiate", { body: { signature: "0x" } }))
        .status,
    ).toBe(404)
    expect((await call("GET", "/v2/nothing")).json).toEqual({ status: "Error", error: "not found" })
  })

  it("are listed newest first, filtered by owner and status, in pages", async () => {
    const { call, createOrder } = await open()
    const ids = [await createOrder(), await createOrder(), await createOrder()]
    await createOrder(edit("source", { owner: "bitcoin_testnet somebody" }))
    const list = async (query: string) => (await call("GET", `/v2/orders?${query}`)).json.result
    const page = await list("from_owner=bitcoin_testnet%20user&per_page=2")
    expect(page).toMatchObject({ page: 1, total_pages: 2, total_items: 3 })
    expect(page.data.map((order: Json) => order.order_id)).toEqual([ids[2], ids[1]])
    expectTable(page.data[0], "order")
    expect(
      (await list("from_owner=bitcoin_testnet%20user&per_page=2&page=2")).data[0].order_id,
    ).toBe(ids[0])
    expect(await list("to_owner=nobody")).toEqual({
      data: [],
      page: 1,
      per_page: 10,
      total_pages: 0,
      total_items: 0,
    })
    expect((await list("status=completed")).total_items).toBe(0)
    expect((await list("status=not-initiated")).total_items).toBe(4)
    expect((await call("GET", "/v2/orders?page=0")).status).toBe(400)
  })
})

describe("gasless initiation", () => {
  const evmToBitcoin = {
    source: { asset: "base_sepolia:wbtc", owner: "base_sepolia user", amount: "1000000" },
    destination: { asset: "bitcoin_testnet:btc", owner: "bitcoin_testnet user", amount: "996833" },
  }

  it("relays the signature and answers the transaction; the contract refuses a second one", async () => {
    const { call, createOrder, fetchOrder } = await open({ tickMs: 100_000 })
    const path = `/v2/orders/${await createOrder(evmToBitcoin)}?action=initiate`
    const bad = await call("PATCH", path, { body: { signature: "0xbad" } })
    expect([bad.status, bad.json.error]).toEqual([400, "HTLC: invalid initiator signature"])
    const good = await call("PATCH", path, { body: { signature: "0xgood" } })
    expect(good.status).toBe(200)
    expect(good.json.result).toMatch(/^[0-9a-f]{64}$/)
    expect((await call("PATCH", path, { body: { signature: "0xgood" } })).json.error).toBe(
      "HTLC: duplicate order",
    )
    expect((await fetchOrder(path.split(/[/?]/)[3] ?? "")).order_id).toBeDefined()
  })

  it(
    "is refused without a signature, with another action, and for families without gasless " +
      "initiation",
    async () => {
      const { call, createOrder } = await open()
      const id = await createOrder(evmToBitcoin)
      expect((await call("PATCH", `/v2/orders/${id}?action=initiate`, { body: {} })).status).toBe(
        400,
      )
      expect(
        (await call("PATCH", `/v2/orders/${id}?action=redeem`, { body: { signature: "0xgood" } }))
          .status,
      ).toBe(400)
      expect(
        (await call("PATCH", `/v2/orders/${id}`, { body: { signature: "0xgood" } })).status,
      ).toBe(400)
      const bitcoin = await call("PATCH", `/v2/orders/${await createOrder()}?action=initiate`, {
        body: { signature: "0xgood" },
      })
      expect([bitcoin.status, bitcoin.json.error]).toEqual([
        400,
        "gasless initiation is not supported on bitcoin_testnet",
      ])
    },
  )
})

describe("dialect 2026", () => {
  it("adds the quote fields and the deadline, and renames the create fields", async () => {
    const { call, fetchOrder, createOrder } = await open({ dialect: "2026" })
    const quote = (await call("GET", QUOTE)).json.result[1]
    expect(quote).toMatchObject({ estimated_time: 600, fee: 30, fixed_fee: "0.10", slippage: 50 })
    const evm = {
      source: { asset: "base_sepolia:wbtc", owner: "base_sepolia user", amount: "1000000" },
      destination: {
        asset: "bitcoin_testnet:btc",
        owner: "bitcoin_testnet user",
        amount: "996833",
      },
    }
    const { result } = (await call("POST", "/v2/orders", { body: evm })).json
    expect(Object.keys(result).sort()).toEqual([
      "approval_transaction",
      "initiate_transaction",
      "order_id",
      "typed_data",
    ])
    expect(result.approval_transaction.data).toBe(
      `0x095ea7b3${"4".repeat(40).padStart(64, "0")}${"f".repeat(64)}`,
    )
    const starknet = {
      ...evm,
      source: { asset: "starknet_sepolia:wbtc", owner: "starknet_sepolia user", amount: "1000000" },
    }
    const answer = (await call("POST", "/v2/orders", { body: starknet })).json.result
    expect(answer.approval_transaction.calldata).toHaveLength(3)
    const relayed = await call("PATCH", `/v2/orders/${result.order_id}?action=initiate`, {
      body: { signature: "0xgood" },
    })
    expect(relayed.status).toBe(202)
    const order = await fetchOrder(await createOrder())
    expect(order.deadline - Date.now() / 1000).toBeGreaterThan(6 * 3600 - 10)
    const sol = {
      ...evm,
      source: { asset: "solana_testnet:sol", owner: "solana_testnet user", amount: "4000000000" },
    }
    const created = await call("POST", "/v2/orders", {
      body: { ...sol, destination: { ...sol.destination, amount: "998000" } },
    })
    expect(created.json.result?.versioned_tx ?? created.text).toBe("Aas=")
  })
})

function edit(
  side: "source" | "destination",
  change: Record<string, unknown>,
): Record<string, unknown> {
  return { ...BITCOIN_TO_EVM, [side]: { ...BITCOIN_TO_EVM[side], ...change } }
}

function withFee(change: Record<string, unknown>): Record<string, unknown> {
  const entry = { asset: "base_sepolia:usdc", address: "base_sepolia partner", fee: 10, ...change }
  return { ...BITCOIN_TO_EVM, affiliate_fees: [entry] }
}
