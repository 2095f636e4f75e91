import { expect, test } from "vitest"
import { createMemory } from "#engine/memory.ts"
import { observeStep } from "#engine/orders/step-observers.ts"
import { silentLogger } from "#lib/log.ts"
import type { OrderData } from "#order/data.ts"
import type { Order } from "#order/step.ts"
import { settle } from "../../support/manual-clock.ts"
import { NOTHING_SEEN } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const moment = (at: number) => ({ txid: "x", height: 1n, final: true, at })
const orderOf = (state: Order["state"], over: Partial<OrderData> = {}): Order => {
  return { state, data: sampleData({}, over) }
}

function scene(services = ["main", "other"]) {
  const flags = new Map<string, string | null>()
  const memory = createMemory()
  const kept: unknown[] = []
  Reflect.set(memory.orders, "keep", (...of: unknown[]) => void kept.push(of))
  let written: () => void = () => undefined
  const durable = new Promise<void>((resolve) => {
    written = resolve
  })
  const context = {
    memory,
    log: silentLogger,
    clock: { now: () => 5_000 },
    settings: {},
    services: new Map(services.map((name) => [name, {}])),
    journal: {
      readFlag: (name: string) => flags.get(name) ?? null,
      writeFlag: (name: string, text: string | null) => void flags.set(name, text),
      findOrder: () => null,
      durable: () => durable,
    },
  }
  const take = (before: Order, order: Order, over: object = {}): void => {
    const row = { order: { id: order.data.id }, alerts: [], work: {} }
    const event = { type: "order.observed" }
    const taken = { before, order, event, cause: 1, row, waitMs: 70, ...over }
    // CAST: a step is observed by these parts alone.
    observeStep(context as never, taken as never)
  }
  return { take, memory, flags, kept, written }
}

test("a written step is remembered with its wait, and ends the memory of its tries", () => {
  const { take, memory, kept } = scene()
  const order = orderOf("funded", { tries: 3 })
  take(order, order, { row: null })
  expect(memory.tries.get(order.data.id)).toMatchObject({ workId: 1, tries: 3 })
  expect(kept).toEqual([])
  take(order, order)
  expect(memory.tries.size).toBe(0)
  take(order, order, { row: { order: { id: "a" }, alerts: [], work: null } })
  expect(kept).toEqual([
    [{ id: order.data.id }, order, 70],
    [{ id: "a" }, order, Number.POSITIVE_INFINITY],
  ])
  take(order, order, { row: null, cause: null })
  expect(memory.tries.size).toBe(0)
})

test("a request for approval is unread until the disk has it", async () => {
  const { take, memory, written } = scene()
  const waiting = orderOf("awaiting-approval")
  take(waiting, waiting)
  take(orderOf("quoting"), orderOf("creating"))
  expect(memory.unreadRequests.size).toBe(0)
  take(orderOf("quoting"), waiting)
  expect([...memory.unreadRequests]).toEqual([waiting.data.id])
  written()
  await settle()
  expect(memory.unreadRequests.size).toBe(0)
})

test("a completed order teaches the wait of its route", () => {
  const { take, memory } = scene()
  const seen = { ...NOTHING_SEEN, sourceInitiated: moment(10), destinationRedeemed: moment(50) }
  const order = orderOf("completed", { seen })
  const { from, to } = order.data.request
  memory.routeWaits.set(`${from} ${to}`, [7])
  take(orderOf("settling"), { ...order, state: "settling" })
  take(orderOf("settling"), orderOf("completed"))
  take(orderOf("settling"), order)
  expect(memory.routeWaits.get(`${from} ${to}`)).toEqual([40, 7])
})

test("a service that leaves a deposit unfilled rests where there is another one", () => {
  const { take, flags } = scene()
  take(orderOf("funded"), orderOf("refund-watch"))
  expect([...flags.keys()]).toHaveLength(1)
  expect([...flags.values()][0]).toContain("service.unfilled")
  const alone = scene(["main"])
  alone.take(orderOf("funded"), orderOf("refund-watch"))
  expect(alone.flags.size).toBe(0)
})

test("a payout that its source was redeemed for is awaited", () => {
  const { take, flags } = scene(["main"])
  const before = orderOf("funded")
  const awaited = orderOf("funded", { seen: { ...NOTHING_SEEN, sourceRedeemed: moment(1) } })
  take(before, awaited)
  expect([...flags]).toEqual([["payouts/awaited", expect.stringContaining(before.data.id)]])
  take(awaited, before)
  expect(flags.get("payouts/awaited")).toBeNull()
})
