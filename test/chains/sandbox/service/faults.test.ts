import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import { BITCOIN_TO_EVM, type Harness, startHarness, until } from "./service-harness.ts"

let harness: Harness | undefined
afterEach(async () => {
  await harness?.service.stop()
  harness = undefined
})
async function open(): Promise<Harness> {
  harness = await startHarness()
  return harness
}

const QUOTE = "/v2/quote?from=bitcoin_testnet:btc&to=base_sepolia:wbtc&from_amount=1000000"

describe("faults of answers", () => {
  it("can answer a gasless initiation with a text, and relay it all the same", async () => {
    const { call, createOrder, service, evm } = await open()
    service.setFaults({ statusText: true })
    const id = await createOrder({
      source: { asset: "base_sepolia:wbtc", owner: "base_sepolia user", amount: "1000000" },
      destination: {
        asset: "bitcoin_testnet:btc",
        owner: "bitcoin_testnet user",
        amount: "996833",
      },
    })
    const { json } = await call("PATCH", `/v2/orders/${id}?action=initiate`, {
      body: { signature: "0xgood" },
    })
    expect(json).toEqual({ status: "Ok", result: "submitted" })
    expect(
      evm.control.calls.filter((made) => made.startsWith("initiateWithSignature")),
    ).toHaveLength(1)
  })

  it("break `count` requests after `skip` unchanged ones, and are set and read over HTTP", async () => {
    const { call } = await open()
    const fault = {
      endpoint: "quote",
      status: 503,
      error: "insufficient liquidity",
      skip: 1,
      count: 2,
    }
    const set = await call("POST", "/sandbox/faults", { body: fault, appId: null })
    expect(set.json.faults).toEqual([{ ...fault, struck: 0 }])
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await call("GET", QUOTE)).status)
    expect(statuses).toEqual([200, 503, 503, 200])
    expect((await call("GET", "/sandbox/faults")).json.faults[0].struck).toBe(2)
    expect((await call("GET", "/v2/orders")).status).toBe(200)
  })

  it("are refused when a key is misspelt", async () => {
    const { call } = await open()
    expect((await call("POST", "/sandbox/faults", { body: { emptyQuote: true } })).status).toBe(400)
  })

  it("can answer the HTML page of a proxy", async () => {
    const { call, service } = await open()
    service.setFaults({ html: true })
    const answer = await call("GET", QUOTE)
    expect([answer.status, answer.json]).toEqual([502, null])
    expect(answer.text).toContain("<html>")
  })

  it("can drop the connection after the service has created the order", async () => {
    const { call, service } = await open()
    service.setFaults({ endpoint: "create", drop: true, count: 1 })
    await expect(
      call("POST", "/v2/orders", { body: { ...BITCOIN_TO_EVM, nonce: "5" } }),
    ).rejects.toThrow()
    expect(service.orders()).toHaveLength(1)
    const { json } = await call("GET", "/v2/orders?from_owner=bitcoin_testnet%20user")
    expect(json.result.data[0].nonce).toBe("5")
  })

  it("fail before the service creates the order, or with `effect` afterwards", async () => {
    const { call, service } = await open()
    service.setFaults({ endpoint: "create", status: 502 })
    expect((await call("POST", "/v2/orders", { body: BITCOIN_TO_EVM })).status).toBe(502)
    expect(service.orders()).toHaveLength(0)
    service.setFaults({ endpoint: "create", status: 502, effect: true })
    expect((await call("POST", "/v2/orders", { body: BITCOIN_TO_EVM })).status).toBe(502)
    expect(service.orders()).toHaveLength(1)
  })

  it("can hang until the client times out, and do not block the stop of the service", async () => {
    const { call, service } = await open()
    service.setFaults({ endpoint: "quote", hang: true })
    await expect(call("GET", QUOTE, { timeoutMs: 50 })).rejects.toThrow(/Timeout/)
    const hanging = call("GET", QUOTE)
    hanging.catch(() => undefined)
    await sleep(30)
    await service.stop()
    await expect(hanging).rejects.toThrow()
  })

  it("can delay the answer", async () => {
    const { call, service } = await open()
    service.setFaults({ delayMs: 80 })
    const before = Date.now()
    expect((await call("GET", QUOTE)).status).toBe(200)
    expect(Date.now() - before).toBeGreaterThanOrEqual(79)
  })

  it("can answer no quotes, or quotes with a destination amount of zero", async () => {
    const { call, service } = await open()
    service.setFaults({ emptyQuotes: true })
    expect((await call("GET", QUOTE)).json).toEqual({ status: "Ok", result: [] })
    service.setFaults({ zeroQuote: true })
    const { result } = (await call("GET", QUOTE)).json
    expect([result[0].source.amount, result[0].destination.amount]).toEqual(["1000000", "0"])
    service.setFaults({ quoteBps: 15_000 })
    const { result: lied } = (await call("GET", QUOTE)).json
    service.setFaults([])
    const { result: honest } = (await call("GET", QUOTE)).json
    expect([lied[0].destination.amount, lied[0].destination.value]).toEqual([
      String((BigInt(honest[0].destination.amount) * 3n) / 2n),
      honest[0].destination.value,
    ])
  })

  it("patch the create answer and the reported order, but not the stored order", async () => {
    const { call, service, createOrder, fetchOrder } = await open()
    const id = await createOrder()
    service.setFaults([
      { mutateCreate: { to: "attacker", amount: null } },
      { mutateOrder: { destination_swap: { redeem_tx_hash: "ff" } }, count: 1 },
    ])
    const created = await call("POST", "/v2/orders", { body: BITCOIN_TO_EVM })
    expect(created.json.result).toEqual({ order_id: expect.any(String), to: "attacker" })
    expect((await fetchOrder(id)).destination_swap).toMatchObject({
      redeem_tx_hash: "ff",
      asset: "base_sepolia:wbtc",
    })
    expect((await fetchOrder(id)).destination_swap.redeem_tx_hash).toBe("")
  })
})

describe("faults of the solver", () => {
  async function pay({ createOrder, fetchOrder, bitcoin }: Harness): Promise<string> {
    const id = await createOrder()
    bitcoin.deposit((await fetchOrder(id)).source_swap.swap_id, 1_000_000n)
    return id
  }
  const phaseOf = ({ service }: Harness, id: string) =>
    service.orders().find((order) => order.id === id)?.phase

  it("solverSilent: funds none of `count` orders and relays their refunds", async () => {
    const harness = await open()
    harness.service.setFaults({ solverSilent: true, count: 1 })
    const silent = await pay(harness)
    await until(() => harness.service.orders()[0]?.note.includes("silent"))
    const served = await pay(harness)
    await until(() => phaseOf(harness, served) === "complete")
    expect((await harness.fetchOrder(silent)).destination_swap.initiate_tx_hash).toBe("")
    harness.bitcoin.mine(21)
    await until(() => phaseOf(harness, silent) === "refunded")
  })

  it("lapse: never funds, relays no refund, but observes the client's own refund", async () => {
    const harness = await open()
    harness.service.setFaults({ lapse: true })
    const id = await pay(harness)
    harness.bitcoin.mine(21)
    await until(() => harness.service.orders()[0]?.note.includes("relays no refund"))
    const swap = harness.service.orders()[0]?.source.swap
    if (!swap) throw new Error("the order is gone")
    expect(harness.bitcoin.control.calls).toEqual([])
    await harness.bitcoin.refund(swap)
    await until(() => phaseOf(harness, id) === "refunded")
  })

  it("neverRedeem: funds the destination, and both legs are refunded after their timelocks", async () => {
    const harness = await open()
    harness.service.setFaults({ neverRedeem: true })
    const id = await pay(harness)
    await until(
      async () => (await harness.fetchOrder(id)).destination_swap.filled_amount === "996833",
    )
    harness.evm.mine(6)
    await until(async () => (await harness.fetchOrder(id)).destination_swap.refund_tx_hash !== "")
    await sleep(40)
    expect((await harness.fetchOrder(id)).source_swap.refund_tx_hash).toBe("")
    harness.bitcoin.mine(21)
    await until(() => phaseOf(harness, id) === "refunded")
    expect(await harness.evm.balance("base_sepolia user", "base_sepolia:wbtc")).toBe(0n)
  })

  it("redeemSourceOnly: redeems the source of the named order and never pays the destination", async () => {
    const harness = await open()
    const other = await harness.createOrder()
    const id = await harness.createOrder()
    harness.service.setFaults({ redeemSourceOnly: true, orderId: id })
    for (const order of [other, id]) {
      harness.bitcoin.deposit((await harness.fetchOrder(order)).source_swap.swap_id, 1_000_000n)
    }
    await until(() => phaseOf(harness, id) === "stolen" && phaseOf(harness, other) === "complete")
    const order = await harness.fetchOrder(id)
    expect(order.source_swap.redeem_tx_hash).not.toBe("")
    expect([
      order.destination_swap.initiate_tx_hash,
      order.destination_swap.redeem_tx_hash,
    ]).toEqual(["", ""])
  })
})
