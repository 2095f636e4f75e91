import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { isSolanaRequest } from "#chains/solana/deposit-request.ts"
import type { Reason } from "#domain/reason.ts"
import type { SendFields } from "#domain/route/send-fields.ts"
import {
  ask,
  failure,
  fixture,
  from,
  order,
  replies,
  startStub,
  to,
} from "../../support/service-stub.ts"

const stub = await startStub()
afterAll(stub.stop)
beforeEach(() => {
  stub.seen = []
})

describe("quotes", () => {
  test("come best first, with exact amounts and values rounded up to millionths", async () => {
    stub.answer = replies(200, fixture("quote"))
    const quotes = await stub.client().fetchQuotes(ask)
    expect(quotes).toEqual([
      {
        from,
        to,
        sourceUnits: 1_000_000n,
        destinationUnits: 997_000n,
        sourceFiat: 1_000_000_000n,
        destinationFiat: 997_000_001n,
        solverId: "bb22",
        estimatedSeconds: 20,
      },
      {
        from,
        to,
        sourceUnits: 1_000_000n,
        destinationUnits: 996_000n,
        sourceFiat: 1_000_000_000n,
        destinationFiat: 996_000_000n,
        solverId: "aa11",
        estimatedSeconds: null,
      },
    ])
    expect(stub.seen[0]?.url).toBe(
      "/v2/quote?from=base_sepolia%3Awbtc&to=bitcoin_testnet%3Abtc&from_amount=1000000",
    )
    expect(stub.seen[0]?.headers).toMatchObject({
      "service-app-id": "app-1",
      "accept-encoding": "identity",
    })
  })

  test("carry the affiliate fee, and no header without an app id", async () => {
    stub.answer = replies(200, { status: "Ok", result: [] })
    expect(
      await stub
        .client({ appId: "", pathPrefix: "", baseUrl: `${stub.url}/` })
        .fetchQuotes({ ...ask, affiliateBps: 30 }),
    ).toEqual([])
    expect(stub.seen[0]?.url).toBe(
      "/quote?from=base_sepolia%3Awbtc&to=bitcoin_testnet%3Abtc&from_amount=1000000&affiliate_fee=30",
    )
    expect(stub.seen[0]?.headers).not.toHaveProperty("service-app-id")
  })

  const quoteOf = (source: object, destination: object = {}): object => ({
    source: { asset: from, amount: "1000000", value: "1", ...source },
    destination: { asset: to, amount: "997000", value: "1", ...destination },
    solver_id: "s",
  })

  test.each([
    ["an object instead of the list", quoteOf({}), "service.malformed", "transient"],
    [
      "another source asset",
      [quoteOf({ asset: "base_sepolia:usdc" })],
      "service.quote_mismatch",
      "refused",
    ],
    [
      "another destination asset",
      [quoteOf({}, { asset: from })],
      "service.quote_mismatch",
      "refused",
    ],
    [
      "another source amount",
      [quoteOf({ amount: "1000001" })],
      "service.quote_mismatch",
      "refused",
    ],
    ["a payout of zero", [quoteOf({}, { amount: "0" })], "service.quote_zero", "refused"],
    [
      "a fraction for an amount",
      [quoteOf({}, { amount: "997000.5" })],
      "service.malformed",
      "transient",
    ],
    [
      "an exponent for an amount",
      [quoteOf({}, { amount: "1e6" })],
      "service.malformed",
      "transient",
    ],
    ["a leading zero", [quoteOf({}, { amount: "0997000" })], "service.malformed", "transient"],
    ["a negative amount", [quoteOf({}, { amount: "-1" })], "service.malformed", "transient"],
    [
      "no destination",
      [{ source: { asset: from, amount: "1" } }],
      "service.malformed",
      "transient",
    ],
  ])("with %s are not offered", async (_name, result, code, disposition) => {
    stub.answer = replies(200, { status: "Ok", result })
    expect(await failure(stub.client().fetchQuotes(ask))).toMatchObject({ code, disposition })
  })

  test("for an exact payout name it, sell the least first, and pay no other amount", async () => {
    const result = [
      quoteOf({ amount: "1003010" }),
      quoteOf({ amount: "1003009" }, { amount: "997001" }),
      quoteOf({ amount: "1003009" }),
    ]
    stub.answer = replies(200, { status: "Ok", result })
    const asked = { ...ask, sourceUnits: 0n, exactUnits: 997_000n }
    const quotes = await stub.client().fetchQuotes(asked)
    expect(quotes.map((quote) => [quote.sourceUnits, quote.destinationUnits])).toEqual([
      [1_003_009n, 997_000n],
      [1_003_010n, 997_000n],
    ])
    expect(stub.seen[0]?.url).toContain("btc&to_amount=997000")
    expect(stub.seen[0]?.url).not.toContain("from_amount")
  })

  test("that do not match are dropped with a reason when another matches", async () => {
    stub.answer = replies(200, {
      status: "Ok",
      result: [quoteOf({ amount: "5" }), quoteOf({}), quoteOf({}, { amount: 0 })],
    })
    const dropped: Reason[] = []
    expect(
      await stub.client({ onDroppedQuote: (reason) => dropped.push(reason) }).fetchQuotes(ask),
    ).toHaveLength(1)
    expect(dropped[0]?.message).toContain("it sells an amount of 5 units in place of 1000000")
    expect(dropped.map(({ code }) => code)).toEqual([
      "service.quote_mismatch",
      "service.quote_zero",
    ])
    expect(dropped[0]).toMatchObject({ askedUnits: "1000000", quotedUnits: "5" })
  })

  test("keep every digit of numbers beyond 2^53; a value that is not a number is missing, not zero", async () => {
    stub.answer = replies(
      200,
      `{"status":"Ok","result":[{"source":{"asset":"${from}","amount":9007199254740993},"destination":{"asset":"${to}","amount":123456789012345678901234567890,"value":"n/a"},"solver_id":1}]}`,
    )
    const [quote] = await stub.client().fetchQuotes({ ...ask, sourceUnits: 9_007_199_254_740_993n })
    expect(quote).toMatchObject({
      destinationUnits: 123456789012345678901234567890n,
      sourceFiat: null,
      destinationFiat: null,
      solverId: "1",
    })
  })
})

describe("creating an order", () => {
  test.each([
    ["that the quote was not asked for", undefined, 10],
    ["of another sum than the quote's", 30, 10],
    ["that the quote has and the order has not", 10, null],
  ])("with affiliate fees %s is not sent", async (_name, affiliateBps, feeBps) => {
    const quote = { ...order.quote, ...(affiliateBps === undefined ? {} : { affiliateBps }) }
    const affiliateFees = feeBps === null ? [] : [{ asset: to, address: "bcrt1x", feeBps }]
    const refused = stub.client().submitOrder({ ...order, quote, affiliateFees })
    await expect(refused).rejects.toMatchObject({
      code: "service.affiliate_sum",
      disposition: "refused",
    })
    expect(stub.seen).toEqual([])
  })

  test("sends the interface's body with the extras", async () => {
    stub.answer = replies(200, fixture("create-evm"))
    await stub.client().submitOrder({
      ...order,
      quote: { ...order.quote, affiliateBps: 10 },
      affiliateFees: [{ asset: to, address: "bcrt1x", feeBps: 10 }],
    })
    expect(stub.seen[0]).toMatchObject({ method: "POST", url: "/v2/orders" })
    expect(stub.seen[0]?.headers["content-type"]).toBe("application/json")
    // The published client sends a JSON number; `JSON.parse` would change its digits.
    expect(stub.seen[0]?.body).toContain('"nonce":18446744073709551615')
    expect(JSON.parse(stub.seen[0]?.body ?? "")).toEqual({
      source: { asset: from, owner: "0x44", amount: "1000000", delegate: "abcd" },
      destination: { asset: to, owner: "bcrt1q", amount: "997000" },
      affiliate_fees: [{ asset: to, address: "bcrt1x", fee: 10 }],
      solver_id: "bb22",
      nonce: 18446744073709552000,
    })
  })

  const none: SendFields = { solverId: false, nonce: "off", delegate: false, slippageBps: null }
  test.each<[string, Partial<SendFields>, object]>([
    ["none", {}, {}],
    ["the solver", { solverId: true }, { solver_id: "bb22" }],
    ["the nonce as text", { nonce: "text" }, { nonce: "18446744073709551615" }],
    ["the nonce as a number", { nonce: "number" }, { nonce: 18446744073709552000 }],
    ["the slippage", { slippageBps: 50 }, { slippage: 50 }],
    [
      "the delegate",
      { delegate: true },
      { source: { asset: from, owner: "0x44", amount: "1000000", delegate: "abcd" } },
    ],
  ])("sends the fields of newer services one by one: %s", async (_name, fields, expected) => {
    stub.answer = replies(200, fixture("create-evm"))
    await stub.client({ send: { ...none, ...fields } }).submitOrder(order)
    expect(JSON.parse(stub.seen[0]?.body ?? "")).toEqual({
      source: { asset: from, owner: "0x44", amount: "1000000" },
      destination: { asset: to, owner: "bcrt1q", amount: "997000" },
      ...expected,
    })
  })

  test("sends the hash of our own secret, and the key of our redeem leaf", async () => {
    stub.answer = replies(200, fixture("create-evm"))
    const ownSecret = { hash: "ab".repeat(32), destinationExtras: { delegate: "cd".repeat(32) } }
    await stub.client({ orderExtras: false }).submitOrder({ ...order, ownSecret })
    expect(JSON.parse(stub.seen[0]?.body ?? "")).toEqual({
      source: { asset: from, owner: "0x44", amount: "1000000" },
      destination: { asset: to, owner: "bcrt1q", amount: "997000", delegate: "cd".repeat(32) },
      secret_hash: "ab".repeat(32),
    })
  })

  test("sends nothing beyond the interface when the extras are off", async () => {
    stub.answer = replies(200, fixture("create-evm"))
    await stub.client({ orderExtras: false }).submitOrder(order)
    expect(JSON.parse(stub.seen[0]?.body ?? "")).toEqual({
      source: { asset: from, owner: "0x44", amount: "1000000" },
      destination: { asset: to, owner: "bcrt1q", amount: "997000" },
    })
  })

  const created = async (name: string) => {
    stub.answer = replies(200, fixture(name))
    return stub.client().submitOrder(order)
  }

  test("reads a Bitcoin target", async () => {
    expect(await created("create-bitcoin")).toMatchObject({
      orderId: "b1".repeat(32),
      depositRequest: { family: "bitcoin", units: 1_000_000n },
    })
  })

  test("reads an EVM transaction and passes its typed data untouched", async () => {
    const { depositRequest } = await created("create-evm")
    expect(depositRequest).toMatchObject({
      family: "evm",
      approval: null,
      transaction: {
        to: `0x${"22".repeat(20)}`,
        valueUnits: 0n,
        gasLimit: 200_000n,
        chainId: 84_532n,
      },
      typedData: JSON.parse(fixture("create-evm")).result.typed_data,
    })
  })

  test("reads the newer EVM shape: other keys, decimal numbers, an approval, no typed data", async () => {
    const { depositRequest } = await created("create-evm-2026")
    expect(depositRequest).toMatchObject({
      family: "evm",
      transaction: { gasLimit: 200_000n, chainId: 84_532n, valueUnits: 0n },
      typedData: null,
    })
    expect(depositRequest).toHaveProperty("approval.to", `0x${"11".repeat(20)}`)
  })

  test("reads the same Solana transaction from hex and from base64", async () => {
    const old = await created("create-solana")
    const recent = await created("create-solana-2026")
    expect(old.depositRequest).toEqual(recent.depositRequest)
    const bytes = Buffer.from(
      isSolanaRequest(old.depositRequest) ? old.depositRequest.transaction : "",
      "base64",
    )
    expect(bytes.toString("hex")).toBe(JSON.parse(fixture("create-solana")).result.versioned_tx)
  })

  test("reads both Starknet shapes", async () => {
    const { depositRequest } = await created("create-starknet")
    expect(depositRequest).toMatchObject({
      family: "starknet",
      transaction: { to: "0x66" },
      typedData: { primaryType: "Initiate" },
    })
    expect(await created("create-starknet-2026")).toMatchObject({
      depositRequest: { transaction: { to: "0x66" }, typedData: null },
    })
  })

  test("keeps the digits of big numbers inside typed data, as text", async () => {
    stub.answer = replies(
      200,
      fixture("create-starknet").replace(
        '"340282366920938463463374607431768211455"',
        "340282366920938463463374607431768211455",
      ),
    )
    const { depositRequest } = await stub.client().submitOrder(order)
    expect(depositRequest).toHaveProperty(
      "typedData.message.redeemer",
      "340282366920938463463374607431768211455",
    )
  })

  test.each([
    ["two ways to deposit", { order_id: "a", to: "x", amount: "1", versioned_tx: "00" }],
    ["no way to deposit", { order_id: "a" }],
    ["no order id", { to: "x", amount: "1" }],
    ["an order id that is a path", { order_id: "#x", to: "x", amount: "1" }],
    ["a bad amount", { order_id: "a", to: "x", amount: "1.5" }],
    [
      "data that is not hex",
      {
        order_id: "a",
        transaction: { to: "0x", value: "0x0", data: "0xzz", gas_limit: "0x1", chain_id: 1 },
      },
    ],
    [
      "no value",
      { order_id: "a", transaction: { to: "0x", data: "0x", gas_limit: "0x1", chain_id: 1 } },
    ],
    ["neither hex nor base64", { order_id: "a", versioned_tx: "not*base64" }],
    ["a list", []],
    ["null", null],
  ])("with %s in the answer is uncertain: the order may exist", async (_name, result) => {
    stub.answer = replies(200, { status: "Ok", result })
    expect(await failure(stub.client().submitOrder(order))).toMatchObject({
      code: "service.malformed",
      disposition: "uncertain",
    })
    expect(stub.seen).toHaveLength(1)
  })
})
