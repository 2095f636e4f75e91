import { describe, expect, test } from "vitest"
import { createMemory } from "#engine/memory.ts"
import { findAwaitedPayouts, noteAwaitedPayout } from "#engine/watches/awaited-payouts.ts"
import type { OrderData } from "#order/data.ts"
import { encodeOrder } from "#order/step.ts"
import { NOTHING_SEEN } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const AT = 1_000_000
// CAST: only the presence and the time of a sight count here.
const part = (at = AT) => ({ at, txid: "x", final: true, units: 1n }) as never
const seen = (over: Partial<OrderData["seen"]>, id = "order-1"): OrderData =>
  sampleData({}, { id, seen: { ...NOTHING_SEEN, ...over } })
const FUNDED = seen({ sourceInitiated: part() })
const TAKEN = seen({ sourceRedeemed: part() })
const PAID = seen({ sourceRedeemed: part(), destinationInitiated: part() })
const ALARMED = { ...TAKEN, alerted: ["alarm.source_redeemed"] }

function scene(orders: readonly OrderData[], onAlarm: "pause" | "continue" = "pause") {
  let nowMs = AT
  const flags = new Map<string, string>()
  const writes: (string | null)[] = []
  const rows = new Map(orders.map((data) => [data.id, data]))
  const journal = {
    readFlag: (key: string) => flags.get(key) ?? null,
    writeFlag: (key: string, value: string | null) => {
      writes.push(value)
      if (value === null) flags.delete(key)
      else flags.set(key, value)
    },
    findOrder: (id: string) => {
      const data = rows.get(id)
      if (data === undefined) return null
      return { id, state: "funded", version: 1, body: encodeOrder({ state: "funded", data }) }
    },
  }
  const memory = createMemory()
  // CAST: the watch reads these parts alone, and the memory decodes the row in its own way.
  const context = {
    journal,
    clock: { now: () => nowMs },
    settings: { onAlarm },
    memory: { ...memory, orders: { read: ({ id }: { id: string }) => ({ data: rows.get(id) }) } },
  } as never
  const note = (before: OrderData, after: OrderData): void => {
    rows.set(after.id, after)
    noteAwaitedPayout(context, { state: "funded", data: before }, { state: "funded", data: after })
  }
  const found = () => findAwaitedPayouts(context).map(({ order }) => order)
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { note, found, pass, writes, rows, flags }
}

describe("a source that is taken without a payout", () => {
  test("stops further deposits for a minute, also after a clock set back", () => {
    const { note, found, pass } = scene([])
    expect(found()).toEqual([])
    note(FUNDED, TAKEN)
    expect(found()).toEqual(["order-1"])
    pass(60_000)
    expect(found()).toEqual(["order-1"])
    pass(1)
    expect(found()).toEqual([])
    pass(-120_001)
    expect(found()).toEqual(["order-1"])
    pass(-1)
    expect(found()).toEqual([])
  })

  test.each([
    ["its payout is seen", PAID],
    ["it is an alarm", ALARMED],
  ])("stops none once %s", (_what, after) => {
    const { note, found, writes } = scene([])
    note(FUNDED, TAKEN)
    note(TAKEN, after)
    expect(found()).toEqual([])
    expect(writes).toEqual(['["order-1"]', null])
    note(after, after)
    expect(writes).toHaveLength(2)
  })

  test("is written once, and beside others that still wait", () => {
    const other = { ...TAKEN, id: "order-2" }
    const { note, found, writes } = scene([])
    note(FUNDED, TAKEN)
    note(TAKEN, TAKEN)
    note({ ...FUNDED, id: "order-2" }, other)
    expect(found()).toEqual(["order-1", "order-2"])
    note(TAKEN, PAID)
    expect(found()).toEqual(["order-2"])
    expect(writes).toEqual(['["order-1"]', '["order-1","order-2"]', '["order-2"]'])
  })

  test("leaves no id of an order that is over or gone", () => {
    const { note, found, rows, writes } = scene([])
    note(FUNDED, TAKEN)
    note({ ...FUNDED, id: "order-2" }, { ...TAKEN, id: "order-2" })
    // The process died between the step of the first order and its note, and the second is gone.
    rows.set("order-1", PAID)
    rows.delete("order-2")
    expect(found()).toEqual([])
    note({ ...FUNDED, id: "order-3" }, { ...TAKEN, id: "order-3" })
    expect(writes.at(-1)).toBe('["order-3"]')
  })

  test("stops nothing where an operator lets everything go on after an alarm", () => {
    const { note, found, writes } = scene([], "continue")
    note(FUNDED, TAKEN)
    expect([found(), writes]).toEqual([[], []])
  })
})
