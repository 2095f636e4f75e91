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

/** As in `test/unit/engine/recovered-secret.test.ts`. */
const LISTED = Number(process.env["BALLAST_RECOVERED"] ?? 2_000)

describe("listing orders", () => {
  test("reads both shapes, newest first", async () => {
    stub.answer = replies(200, fixture("list"))
    expect(await stub.client().findOrders("0x44")).toMatchObject([{ orderId: "e1".repeat(32) }])
    expect(stub.seen[0]?.url).toBe("/v2/orders?from_owner=0x44&page=1&per_page=100")
    stub.answer = replies(200, {
      status: "Ok",
      result: [JSON.parse(fixture("order")).result, JSON.parse(fixture("order-2026")).result],
    })
    expect(
      (await stub.client().findOrders("0x44"))?.map((found) => found.orderId.slice(0, 2)),
    ).toEqual(["e2", "e1"])
  })

  test("reads every page", async () => {
    const { result } = JSON.parse(fixture("list"))
    stub.answer = (request, response) => {
      const page = Number(new URL(request.url, stub.url).searchParams.get("page"))
      const item = { ...result.data[0], order_id: `p${page}` }
      replies(200, { status: "Ok", result: { data: [item], page, total_pages: 3 } })(
        request,
        response,
      )
    }
    expect((await stub.client().findOrders("0x44"))?.map(({ orderId }) => orderId)).toEqual([
      "p1",
      "p2",
      "p3",
    ])
  })

  test.each([
    ["that filters", true, 100_000],
    ["that ignores every filter", false, LISTED],
  ])(
    "has no bound at a service %s",
    async (_name, filters, count) => {
      const pages = serveMany({ count, perPage: 10, openEvery: count / 100, filters })
      let taken = 0
      let leftOut = 0
      const onLeftOut = (count: number) => {
        leftOut += count
      }
      const wanted = {
        onSettled: async ({ length }: readonly unknown[]) => {
          taken += length
          return taken < 20
        },
        onLeftOut,
      }
      const client = stub.client()
      const found = await client.findOrders("0x44", wanted)
      expect(found?.filter(({ destination }) => destination.redeemTx === null)).toHaveLength(100)
      expect(taken).toBeLessThan(40)
      expect([found?.length, leftOut]).toEqual([100, count - 100 - taken])
      if (filters) expect(pages()).toBeLessThan(50)
      if (!filters) expect(pages()).toBeGreaterThanOrEqual(count / 10)
    },
    60_000 + LISTED * 10,
  )

  test("hands every settled order over, page by page, where no filter works", async () => {
    serveMany({ count: 2_000, perPage: 10, openEvery: 100, filters: false })
    const ids = new Set<string>()
    let largest = 0
    const onSettled = async (page: readonly { readonly orderId: string }[]) => {
      largest = Math.max(largest, page.length)
      for (const { orderId } of page) ids.add(orderId)
      return true
    }
    const leftOut: number[] = []
    const wanted = { onSettled, onLeftOut: (left: number) => void leftOut.push(left) }
    expect(await stub.client().findOrders("0x44", wanted)).toHaveLength(20)
    expect({ ids: ids.size, largest, leftOut }).toEqual({ ids: 1_980, largest: 10, leftOut: [0] })
  }, 60_000)

  test("is incomplete where the service repeats a page", async () => {
    const { result } = JSON.parse(fixture("list"))
    stub.answer = replies(200, { status: "Ok", result: { ...result, total_pages: 3 } })
    expect(await stub.client().findOrders("0x44")).toBe(null)
  })

  test("an unknown status that gives an empty list hides no order", async () => {
    serveMany({ count: 300, perPage: 100, openEvery: 10, filters: true, names: ["open", "done"] })
    let settled = 0
    const onSettled = async ({ length }: readonly unknown[]) => {
      settled += length
      return true
    }
    const wanted = { onSettled, onLeftOut: () => undefined }
    expect(await stub.client().findOrders("0x44", wanted)).toHaveLength(30)
    expect(settled).toBe(270)
  })

  test.each([
    ["404", 404, { status: "Error", error: "not found" }],
    ["405 as HTML", 405, HTML],
    ["an unknown shape", 200, { status: "Ok", result: { orders: [] } }],
    ["an order that is not readable", 200, { status: "Ok", result: [{ order_id: "x" }] }],
    ["more pages than are read", 200, { status: "Ok", result: { data: [], total_pages: 51 } }],
  ])("is not there with %s", async (_name, status, body) => {
    stub.answer = replies(status, body)
    expect(await stub.client().findOrders("0x44")).toBe(null)
  })

  test("fails with an error, not with an empty list", async () => {
    stub.answer = replies(503, HTML)
    expect(await failure(stub.client().findOrders("0x44"))).toMatchObject({
      code: "service.unavailable",
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

/** A service with many orders; each `openEvery`th has no payout. Returns the pages it gave. */
function serveMany(many: {
  readonly count: number
  readonly perPage: number
  readonly openEvery: number
  readonly filters: boolean
  readonly names?: readonly [unsettled: string, settled: string]
}): () => number {
  const { result } = JSON.parse(fixture("order"))
  const { names = ["in-progress", "completed"] } = many
  let pages = 0
  const isOpen = (index: number): boolean => index % many.openEvery === 0
  const all = Array.from({ length: many.count }, (_, index) => index)
  stub.answer = (request, response) => {
    pages++
    const { searchParams } = new URL(request.url, stub.url)
    const page = Number(searchParams.get("page"))
    const perPage = Math.min(many.perPage, Number(searchParams.get("per_page")))
    const asked = many.filters ? searchParams.get("status")?.split(",") : undefined
    const matching = asked
      ? all.filter((index) => asked.includes(names[isOpen(index) ? 0 : 1]))
      : all
    const data = matching.slice((page - 1) * perPage, page * perPage).map((index) => ({
      ...result,
      order_id: `o${index}`,
      destination_swap: {
        ...result.destination_swap,
        redeem_tx_hash: isOpen(index) ? "" : "ab".repeat(32),
      },
    }))
    const total_pages = Math.ceil(matching.length / perPage)
    const body = { data, page, total_pages, total_items: matching.length }
    replies(200, { status: "Ok", result: body })(request, response)
  }
  return () => pages
}
