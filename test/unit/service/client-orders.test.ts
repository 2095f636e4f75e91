import { inspect } from "node:util"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { type Clock, systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { ask, failure, fixture, HTML, replies, startStub, to } from "../../support/service-stub.ts"

const stub = await startStub()
afterAll(stub.stop)
beforeEach(() => {
  stub.seen = []
})

describe("reading an order", () => {
  test("accepts the form of the interface", async () => {
    stub.answer = replies(200, fixture("order"))
    expect(await stub.client().fetchOrder("e1".repeat(32))).toMatchObject({
      orderId: "e1".repeat(32),
      nonce: "18446744073709551615",
      version: "v1",
      deadlineMs: null,
      affiliateFees: [],
      source: {
        swapId: "c1".repeat(32),
        timelock: 43_200n,
        units: 1_000_000n,
        filledUnits: 0n,
        secretHash: "5f".repeat(32),
        secret: null,
        initiateTx: null,
        redeemTx: null,
        delegate: null,
        requiredConfirmations: 1,
      },
      destination: {
        asset: to,
        chain: "bitcoin_testnet",
        delegate: "ab".repeat(32),
        instantRefundTx: "0200",
        swapId: "bcrt1pexample",
      },
    })
    expect(stub.seen[0]?.url).toBe(`/v2/orders/${"e1".repeat(32)}`)
  })

  test("accepts every field of the published client's order type, also as null", async () => {
    const swap = {
      created_at: "2026-09-01T10:00:00.123456Z",
      updated_at: "2026-09-01T10:00:01Z",
      deleted_at: null,
      swap_id: "C1".repeat(32),
      chain: "base_sepolia",
      asset: "base_sepolia:wbtc",
      initiator: "0x4444444444444444444444444444444444444444",
      redeemer: "0x3333333333333333333333333333333333333333",
      delegate: null,
      timelock: 43_200,
      filled_amount: "0",
      asset_price: 65_432.1,
      amount: "1000000",
      secret_hash: "5f".repeat(32),
      secret: "",
      instant_refund_tx: null,
      initiate_tx_hash: "",
      redeem_tx_hash: "",
      refund_tx_hash: "",
      initiate_block_number: null,
      redeem_block_number: null,
      refund_block_number: "12",
      required_confirmations: 0,
      current_confirmations: 0,
      initiate_timestamp: null,
      redeem_timestamp: null,
      refund_timestamp: null,
    }
    const result = {
      order_id: "e1".repeat(32),
      created_at: swap.created_at,
      source_swap: swap,
      destination_swap: swap,
      slippage: 0.5,
      nonce: "1736152215456",
      affiliate_fees: [{ asset: "base_sepolia:usdc", address: "0x55", fee: 0.1 }],
      integrator: "somebody",
      version: "v3",
      deadline: 1_795_200_000,
      solver_id: "0x9dd9",
    }
    stub.answer = replies(200, { status: "Ok", error: null, result })
    const read = await stub.client().fetchOrder("e1".repeat(32))
    expect(read).toMatchObject({
      nonce: "1736152215456",
      version: "v3",
      deadlineMs: 1_795_200_000_000,
    })
    expect(read.source).toMatchObject({
      delegate: null,
      instantRefundTx: null,
      initiateTx: null,
      units: 1_000_000n,
    })
    // A fee that is no whole number of basis points is not a record that a guard could compare.
    expect(read.affiliateFees).toEqual([])
  })

  test("accepts the form of newer services: numbers, 0x, nulls, missing keys, a deadline in seconds", async () => {
    stub.answer = replies(200, fixture("order-2026"))
    expect(await stub.client().fetchOrder(`0x${"E2".repeat(32)}`)).toMatchObject({
      nonce: "18446744073709551615",
      version: null,
      deadlineMs: 1_795_200_000_000,
      affiliateFees: [],
      source: {
        chain: "base_sepolia",
        units: 1_000_000n,
        timelock: 43_200n,
        secretHash: "5f".repeat(32),
        initiateTx: "dd".repeat(32),
        redeemTx: null,
        requiredConfirmations: 3,
        currentConfirmations: 2,
      },
      destination: { initiateTx: `${"ee".repeat(32)}:120,${"ff".repeat(32)}:121` },
    })
  })

  test("reads the hash 0x as missing", async () => {
    stub.answer = replies(
      200,
      fixture("order").replace('"redeem_tx_hash": ""', '"redeem_tx_hash": "0x"'),
    )
    expect((await stub.client().fetchOrder("e1".repeat(32))).source.redeemTx).toBe(null)
  })

  test("refuses an answer about another order", async () => {
    stub.answer = replies(200, fixture("order"))
    expect(await failure(stub.client().fetchOrder("ff".repeat(32)))).toMatchObject({
      code: "service.malformed",
    })
  })

  test.each([
    ["an amount with a fraction", '"amount": "1000000"', '"amount": "1000000.0"'],
    ["a hash of another length", `"secret_hash": "${"5f".repeat(32)}"`, '"secret_hash": "5f"'],
    ["an asset that is none", '"asset": "base_sepolia:wbtc"', '"asset": "wbtc"'],
    ["a negative timelock", '"timelock": 43200', '"timelock": -1'],
  ])("refuses %s", async (_name, good, bad) => {
    const text = fixture("order")
    expect(text).toContain(good)
    stub.answer = replies(200, text.replace(good, bad))
    expect(await failure(stub.client().fetchOrder("e1".repeat(32)))).toMatchObject({
      code: "service.malformed",
      disposition: "transient",
    })
  })
})

describe("gasless initiation", () => {
  test.each([
    ["a hash", 200, { status: "Ok", result: "0xabc" }, "0xabc"],
    ["a status text with 202", 202, { status: "Ok", result: "queued" }, "queued"],
    ["nothing", 202, "", ""],
    ["plain text", 200, "Accepted", "Accepted"],
    ["an object", 200, { status: "Ok", result: { tx: 1 } }, '{"status":"Ok","result":{"tx":1}}'],
  ])("takes %s for an answer", async (_name, status, body, expected) => {
    stub.answer = replies(status, body)
    expect(await stub.client().submitSignature("0xab", "0x1234")).toEqual({ answer: expected })
    expect(stub.seen[0]).toMatchObject({
      method: "PATCH",
      url: "/v2/orders/0xab?action=initiate",
      body: '{"signature":"0x1234"}',
    })
  })

  test.each([
    ["a page", 200, HTML, "uncertain"],
    ["an error under 200", 200, { status: "Error", error: "already initiated" }, "uncertain"],
    ["a refusal", 400, { status: "Error", error: "bad signature" }, "refused"],
    ["a broken gateway", 502, HTML, "uncertain"],
  ])("with %s", async (_name, status, body, disposition) => {
    stub.answer = replies(status, body)
    expect(await failure(stub.client().submitSignature("0xab", "0x1234"))).toMatchObject({
      disposition,
    })
  })
})

describe("the secret of an order", () => {
  const secret = new Secret("5e".repeat(32), "own secret")

  test("goes to the service as 32 bytes in hex", async () => {
    stub.answer = replies(200, { status: "Ok", result: "0xredeemed" })
    expect(await stub.client().revealSecret("0xab", secret)).toEqual({ answer: "0xredeemed" })
    expect(stub.seen[0]).toMatchObject({
      method: "PATCH",
      url: "/v2/orders/0xab?action=redeem",
      body: `{"secret":"${"5e".repeat(32)}"}`,
    })
  })

  test("stays here when its proof grows old while the request waits for its turn", async () => {
    const turns: (() => void)[] = []
    const clock: Clock = {
      now: systemClock.now,
      sleep: (ms, signal) =>
        signal ? systemClock.sleep(ms, signal) : new Promise((resolve) => turns.push(resolve)),
    }
    const client = stub.client({ maxRequestsPerSecond: 1, clock })
    stub.answer = replies(200, { status: "Ok", result: [] })
    await client.fetchQuotes(ask)
    let mayLeave = true
    const answer = failure(client.revealSecret("0xab", secret, () => mayLeave))
    mayLeave = false
    for (const turn of turns) turn()
    expect(await answer).toMatchObject({ code: "engine.kept_here", disposition: "transient" })
    expect(stub.seen.map(({ method }) => method)).toEqual(["GET"])
  })

  test("stands in no error and no answer, although the service repeats it", async () => {
    stub.answer = replies(400, { status: "Error", error: `bad secret ${secret.reveal()}` })
    const error = await failure(stub.client().revealSecret("0xab", secret))
    expect(error).toMatchObject({ disposition: "refused" })
    expect(inspect(error, { depth: 9 })).toContain("bad secret ***")
    expect(inspect(error, { depth: 9 })).not.toContain(secret.reveal())
    stub.answer = replies(200, { status: "Ok", result: secret.reveal() })
    expect(await stub.client().revealSecret("0xab", secret)).toEqual({ answer: "***" })
  })
})
