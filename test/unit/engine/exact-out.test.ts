import { beforeEach, expect, test } from "vitest"
import type { SoldLimit } from "#domain/sold-limit.ts"
import type { Limits } from "#guards/limits.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { lostUnits } from "../../support/money.ts"

const LIMITS: Limits = { maxOrder: null, maxInFlight: 8, windows: [] }
const sold = (amount: bigint): SoldLimit => ({ kind: "units", byAsset: { [ETH]: amount } })

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  daemon = world.start({ settings: { limits: LIMITS } })
})

/** The fake service takes 30 bps, so 9 970 units cost 10 000. */
function ask(units: bigint, mostUnits: bigint | null = null) {
  const request = { from: ETH, to: BTC, sourceUnits: 0n, needsQuote: true }
  return daemon.engine.submit({ ...request, exactOut: { units, mostUnits } })
}
const orders = () => daemon.context.journal.listOrders({ limit: 10 })
const allOver = (): Promise<void> => world.run(() => daemon.context.journal.countInFlight() === 0)

test("an exact payout sells what the quote says, and pays exactly the asked units", async () => {
  expect(await ask(9_970n)).toMatchObject({ ok: true })
  await allOver()
  expect(lostUnits(world, ETH)).toBe(10_000n)
  expect(world.service.orders).toMatchObject([{ sourceUnits: 10_000n, destinationUnits: 9_970n }])
  expect(orders()).toMatchObject([{ sourceUnits: 10_000n, outcome: "completed" }])
})

test("no quote sells more than the caller's most, nor more than a limit", async () => {
  expect(await ask(9_970n, 9_999n)).toMatchObject({
    ok: false,
    reasons: [{ code: "quote.above_most", expected: "9999", found: "10000" }],
  })
  daemon.kill()
  daemon = world.start({ settings: { limits: { ...LIMITS, maxOrder: sold(9_999n) } } })
  expect(await ask(9_970n)).toMatchObject({ ok: false, reasons: [{ code: "limit.order" }] })
  expect(orders()).toEqual([])
})

test("without a quote there is no order, because nothing says what it would sell", async () => {
  world.service.conduct.quotes = false
  expect(await ask(9_970n)).toMatchObject({ ok: false, reasons: [{ code: "quote.none" }] })
})

test.each([
  ["cheaper", 20n, 9_990n, "completed"],
  ["dearer", 40n, 10_000n, "rejected"],
])("a %s second quote", async (_name, costBps, sourceUnits, outcome) => {
  // The answer to the order request is lost, so the order asks for a quote again.
  world.faults.inject("service.submitOrder", { after: failure("uncertain") })
  expect(await ask(9_970n)).toMatchObject({ ok: true })
  world.service.conduct.costBps = costBps
  await allOver()
  expect(orders()).toMatchObject([{ sourceUnits, outcome }])
  expect(lostUnits(world, ETH)).toBe(outcome === "completed" ? sourceUnits : 0n)
})
