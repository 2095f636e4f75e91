import { beforeEach, describe, expect, test } from "vitest"
import type { OrderPolicy } from "#domain/order.ts"
import { readPayoutFee } from "#engine/orders/pay/payout-fee.ts"
import { viewOrder } from "#order/view.ts"
import type { ChainPort } from "#ports/chain.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { withCapability } from "../../support/wrap-port.ts"

const UNITS = 10_000n

let world: World
beforeEach(() => {
  world = createWorld()
})

function start(feeUnits: bigint | null, policy: Partial<OrderPolicy> = {}): Daemon {
  const adaptPort = (port: ChainPort): ChainPort =>
    port.chain !== "bitcoin_testnet" || feeUnits === null
      ? port
      : withCapability(port, "outputs", { estimatePayoutFee: async () => feeUnits })
  return world.start({ adaptPort, policy })
}

const submit = (daemon: Daemon) => daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
const alertsOf = ({ context }: Daemon): readonly string[] =>
  context.journal.listAlerts(50).map(({ reason }) => reason.code)

/** Lets an order with this bound be paid `shortUnits` less than it is owed. */
async function payShort(daemon: Daemon, shortUnits: bigint): Promise<void> {
  world.service.conduct.shortUnits = shortUnits
  expect(await submit(daemon)).toMatchObject({ ok: true })
  await world.run(
    () => daemon.state("order-1") === "completed" || alertsOf(daemon).length > 0,
    2 * 3_600_000,
  )
}

describe("the network fee of the redeemer", () => {
  test("may be missing from the payout, up to the bound that the order keeps", async () => {
    const daemon = start(20n)
    await payShort(daemon, 20n)
    expect([daemon.state("order-1"), alertsOf(daemon)]).toEqual(["completed", []])
    expect(daemon.order("order-1").data).toMatchObject({ payoutFeeUnits: 20n, paidUnits: 9_950n })
  })

  test("excuses not one unit more", async () => {
    const daemon = start(20n)
    await payShort(daemon, 21n)
    expect(alertsOf(daemon)).toEqual(["alarm.payout_short"])
    expect(daemon.state("order-1")).not.toBe("completed")
  })

  test("excuses nothing where the HTLC pays the whole amount", async () => {
    const daemon = start(null)
    await payShort(daemon, 1n)
    expect(alertsOf(daemon)).toEqual(["alarm.payout_short"])
  })

  test("is asked for once in half a minute", async () => {
    let asked = 0
    const estimatePayoutFee = async (): Promise<bigint> => BigInt(++asked)
    const { context } = world.start({
      adaptPort: (port) => withCapability(port, "outputs", { estimatePayoutFee }),
    })
    const read = (): Promise<bigint> => readPayoutFee(context, BTC)
    expect(await read()).toBe(1n)
    await world.pass(29_999)
    expect(await read()).toBe(1n)
    await world.pass(1)
    expect(await read()).toBe(2n)
  })

  test("as large as the payout refuses the order, whatever cost is allowed", async () => {
    const daemon = start(9_970n, { maxCost: { kind: "fiat", fiat: 1_000_000_000_000n } })
    expect(await submit(daemon)).toMatchObject({ ok: false, reasons: [{ code: "price.zero" }] })
  })

  test("counts into the cost limit", async () => {
    // The quote loses 30 of 10 000 units, and 60 bps are allowed.
    expect(await submit(start(30n))).toMatchObject({ ok: true })
    const answer = await submit(start(31n))
    expect(answer).toMatchObject({ ok: false, reasons: [{ code: "price.cost" }] })
  })

  test("counts into the cost limit of an order that asks for its quote later", async () => {
    world.faults.inject("service.fetchQuotes", { before: failure("transient") })
    const daemon = start(31n)
    expect(await submit(daemon)).toMatchObject({ ok: true })
    await daemon.reach("rejected")
    expect(daemon.order("order-1").data.reasons).toMatchObject([{ code: "price.cost" }])
  })

  test("is part of the order's intent and of its view", async () => {
    const daemon = start(20n)
    await submit(daemon)
    await daemon.reach("completed")
    const order = daemon.order("order-1")
    expect(order.data.intent?.fields).toMatchObject({ payoutFeeUnits: "20" })
    const view = viewOrder(order, new Map([[BTC, 8]]), 0)
    expect(view).toMatchObject({ payoutFee: "0.0000002", payoutFeeUnits: "20" })
  })

  test("that a silent node does not tell delays the order, and no other order for long", async () => {
    const daemon = start(20n)
    world.faults.inject("bitcoin.estimatePayoutFee", { hang: true })
    void submit(daemon)
    await world.pass(10_000)
    expect(daemon.state("order-1")).toBe("quoting")
    await daemon.engine.submit({ from: BTC, to: ETH, sourceUnits: UNITS })
    await daemon.reach("completed", "order-2", 60_000)
  })
})
