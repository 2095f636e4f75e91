import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { createMemory } from "#engine/memory.ts"
import {
  listFigures,
  RECENT_MS,
  readFigures,
  refreshFigures,
} from "#engine/orders/order-figures.ts"
import { encodeOrder } from "#order/step.ts"
import type { OrderRef } from "#ports/journal/orders.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const { from, to } = SAMPLE.input.request
const ref = (id: string, revision = 1): OrderRef => ({ id, revision, from, to }) as OrderRef
const refs = (count: number, name = "order"): OrderRef[] =>
  Array.from({ length: count }, (_, index) => ref(`${name}-${index}`))
const at = (height: bigint) => ({ txid: "x", height, final: true, at: 1 })

function scene(open: OrderRef[], ended: OrderRef[] = [], seen = NOTHING_SEEN) {
  const decoded: string[] = []
  const asked: number[] = []
  let turns: string[] = []
  const text = encodeOrder({ state: "funded", data: sampleData({}, { seen }) })
  const memory = createMemory()
  const port = { traits: familyNamed("evm").traits, account: "wallet" }
  const lists = { open, ended }
  const context = {
    journal: {
      listOpenRefs: () => lists.open,
      listEndedRefs: (sinceMs: number) => {
        asked.push(sinceMs)
        return lists.ended
      },
      findOrder: (id: string) => {
        decoded.push(id)
        return id.startsWith("damaged") ? { snapshot: "{" } : { snapshot: text }
      },
    },
    chains: new Map([[SAMPLE.deposit.chain, port]]),
    settings: { assets: new Map() },
    memory,
    clock: { now: () => 10 * RECENT_MS, turn: async () => void turns.push(`${decoded.length}`) },
    // CAST: the figures read these parts alone.
  } as unknown as Parameters<typeof refreshFigures>[0]
  const refresh = async () => {
    decoded.length = 0
    turns = []
    await refreshFigures(context)
    return { decoded: decoded.length, turns: turns.map(Number) }
  }
  return { context, lists, memory, asked, refresh, decoded }
}

describe("the figures of many orders", () => {
  test.each<[number, readonly number[]]>([
    [49, []],
    [50, [49]],
    [99, [49]],
    [100, [49, 99]],
  ])("of which %i are new are decoded fifty in a turn", async (count, turns) => {
    const { refresh } = scene(refs(count))
    expect(await refresh()).toEqual({ decoded: count, turns })
    expect(await refresh()).toEqual({ decoded: 0, turns: [] })
  })

  test("are decoded anew for each order with a step, open or ended", async () => {
    const { refresh, lists } = scene(refs(3), refs(2, "ended"))
    expect((await refresh()).decoded).toBe(5)
    lists.open = [ref("order-0"), ref("order-1", 2), ref("order-2")]
    expect((await refresh()).decoded).toBe(1)
    lists.ended = [ref("ended-0"), ref("ended-1", 2)]
    expect((await refresh()).decoded).toBe(1)
  })

  test("forget each order that is in neither list, and no other one", async () => {
    const { refresh, lists, memory, asked } = scene(refs(3), refs(2, "ended"))
    await refresh()
    lists.open = [ref("order-1"), ref("fresh-0"), ref("fresh-1")]
    lists.ended = [ref("ended-1")]
    await refresh()
    const kept = [...(memory.figures?.byId.keys() ?? [])]
    expect(kept.sort()).toEqual(["ended-1", "fresh-0", "fresh-1", "order-1"])
    expect(asked).toEqual([9 * RECENT_MS, 9 * RECENT_MS])
  })

  test("are one object while no order has a step, and another one after each", async () => {
    const open = refs(3)
    const { context, lists, decoded } = scene(open)
    const first = listFigures(context)
    expect(listFigures(context)).toBe(first)
    lists.open = [...open]
    expect(listFigures(context)).toBe(first)
    lists.open = open.slice(0, 2)
    const fewer = listFigures(context)
    expect(fewer).not.toBe(first)
    expect(fewer.figures).toEqual(first.figures.slice(0, 2))
    expect(decoded).toHaveLength(3)
    lists.open = [ref("order-0", 2), ...open.slice(1)]
    expect(listFigures(context).refs).toEqual(lists.open)
    expect(decoded).toHaveLength(4)
  })

  test("of a damaged order are none, and it is not decoded again", () => {
    const { context, decoded } = scene([ref("damaged-0"), ref("order-0")])
    const { figures } = listFigures(context)
    expect([figures[0], figures[1]?.flight.from]).toEqual([null, from])
    expect(listFigures(context).figures).toBe(figures)
    expect(readFigures(context, ref("damaged-0"))).toBeNull()
    expect(decoded).toEqual(["damaged-0", "order-0"])
  })
})

describe("the highest block of an order's ends", () => {
  test.each<[string, Partial<typeof NOTHING_SEEN>, bigint, bigint]>([
    ["nothing", {}, 0n, 0n],
    ["a deposit", { sourceInitiated: at(3n) }, 3n, 0n],
    ["a deposit below its end", { sourceInitiated: at(3n), sourceRedeemed: at(5n) }, 5n, 0n],
    ["a refund below its deposit", { sourceInitiated: at(9n), sourceRefunded: at(5n) }, 9n, 0n],
    ["a refund", { sourceRefunded: at(5n) }, 5n, 0n],
    ["a payout", { destinationInitiated: at(4n) }, 0n, 4n],
    ["a taken one", { destinationInitiated: at(4n), destinationRedeemed: at(6n) }, 0n, 6n],
  ])("with %s", (_what, over, source, destination) => {
    const { context } = scene([ref("order-0")], [], { ...NOTHING_SEEN, ...over })
    expect(readFigures(context, ref("order-0"))?.height).toEqual({ from: source, to: destination })
  })
})
