import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { failure, fixture, HTML, replies, startStub } from "../../support/service-stub.ts"

const stub = await startStub()
afterAll(stub.stop)
beforeEach(() => {
  stub.seen = []
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
